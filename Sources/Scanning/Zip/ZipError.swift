/// Why a zip archive, or one of its members, is not read.
package enum ZipError: Error, Equatable, Sendable {
  /// The archive cannot be opened or read.
  case unreadable(ScanError)
  /// The parts of the archive contradict each other, or are not there.
  case damaged(String)
  /// The archive has too many members.
  case tooManyMembers
  /// The members of the archive are too large together.
  case tooManyBytes
  /// A member is encrypted.
  case encrypted
  /// A member is packed in another way than deflated.
  case otherMethod(Int)
  /// A member is far larger than its packed bytes.
  case bomb(packedCount: Int, byteCount: Int)

  /// The stable name of the error, such as `zip-damaged`.
  package var code: String {
    switch self {
    case .unreadable(let error): error.code
    case .damaged: "zip-damaged"
    case .tooManyMembers, .tooManyBytes, .bomb: "zip-too-large"
    case .encrypted: "zip-needs-password"
    case .otherMethod: "zip-other-method"
    }
  }

  /// What was found and what was expected, in lower case and without a full stop.
  package var message: String {
    switch self {
    case .unreadable(let error): error.message
    case .damaged(let fault):
      "the zip archive is damaged: \(fault); download it again, or unpack it"
    case .tooManyMembers:
      "found a zip archive of more than \(ZipDirectory.mostMembers) members, expected fewer; unpack it"
    case .tooManyBytes:
      "found a zip archive that holds more than \(ZipDirectory.mostBytes >> 30) GiB, expected less; unpack it"
    case .encrypted: "it needs a password; unpack the zip archive"
    case .otherMethod(let method):
      "found a member packed by method \(method), expected a stored or deflated one; unpack the zip archive"
    case .bomb(let packed, let count):
      "found \(packed) packed bytes that grow to \(count), expected a report; if it is one, unpack the zip archive"
    }
  }
}
