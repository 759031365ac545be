package import Files

/// Why a run of `fetch` ends, in one line.
package struct FetchError: Error, Equatable, Sendable {
  /// The line, without `fetch: ` before it.
  package let text: String
  /// The effect on the exit code.
  package let reason: ExitReason

  package init(_ text: String, _ reason: ExitReason) { (self.text, self.reason) = (text, reason) }

  static let noSpace = FetchError("archive: no space left", .unusableInput)

  /// Creates the error of a file that was not written.
  init(_ error: OutputError) {
    if case .locked = error {
      self.init("\(error.path): \(error.message)", .locked)
    } else if let number = error.number, Self.isOfFullDisk(number) {
      self = .noSpace
    } else {
      self.init("\(error.path): \(error.message)", .unusableInput)
    }
  }

  /// Returns whether an error number means that a disk or a quota is full.
  static func isOfFullDisk(_ number: Int32) -> Bool { number == 28 || number == 122 }
}
