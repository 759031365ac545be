/// The list of files that an output folder's `manifest.json` claims, by which a later run knows that
/// it may replace the folder.
///
/// The manifest is one JSON object; of its members only `outputs` is read here, an array with one
/// object a file, whose `path` is relative to the folder and uses `/`:
///
///     {"outputs": [{"path": "churn.csv", "sha256": "…"}, {"path": "summary.md", "sha256": "…"}]}
///
/// `manifest.json` itself is not listed. Everything else in the object and its order are free.
public enum OutputListing {
  /// The name of the file in an output folder that lists the others.
  public static let manifestName = "manifest.json"

  /// Reads the paths of `outputs`.
  ///
  /// - Parameter manifest: The bytes of a manifest.
  /// - Returns: The paths in their order, or `nil` when this is no whole JSON object with an array
  ///   `outputs`: then no file of the folder is known to be ours.
  public static func paths(inManifest manifest: [UInt8]) -> [String]? {
    var scanner = ManifestScanner(bytes: manifest)
    return scanner.outputPaths()
  }

  /// Returns the first file in a folder, by the bytes of its path, that the folder's manifest does
  /// not list.
  ///
  /// - Returns: `nil` when the folder is empty or all of it is listed.
  static func firstForeignFile(in folder: String) throws(OutputError) -> String? {
    let manifest = OutputFileSystem.contents(of: folder + "/" + manifestName)
    guard let paths = manifest.flatMap(paths(inManifest:)) else {
      return try OutputFileSystem.names(in: folder).first
    }
    return try firstFile(notIn: Set(paths + [manifestName]), of: folder, prefix: "")
  }

  private static func firstFile(notIn listed: Set<String>, of folder: String, prefix: String)
    throws(OutputError) -> String?
  {
    for name in try OutputFileSystem.names(in: folder + "/" + prefix) {
      let path = prefix + name
      if listed.contains(path) { continue }
      let status = FileStatus(of: folder + "/" + path, followsLinks: false)
      guard status?.kind == .folder, listed.contains(where: { $0.hasPrefix(path + "/") }) else {
        return path
      }
      if let file = try firstFile(notIn: listed, of: folder, prefix: path + "/") { return file }
    }
    return nil
  }
}

/// A walk over the tokens of a JSON text that remembers only where it is.
private struct ManifestScanner {
  private enum Container: Equatable {
    case object(key: String?)
    case array
  }

  private let bytes: [UInt8]
  private var offset = 0
  private var containers: [Container] = []

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func outputPaths() -> [String]? {
    var paths: [String]?
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "{"): containers.append(.object(key: nil))
      case UInt8(ascii: "["):
        if containers == [.object(key: "outputs")] { paths = paths ?? [] }
        containers.append(.array)
      case UInt8(ascii: "}"):
        guard case .object = containers.popLast() else { return nil }
      case UInt8(ascii: "]"):
        guard containers.popLast() == .array else { return nil }
      case UInt8(ascii: ","):
        if case .object = containers.last { containers[containers.count - 1] = .object(key: nil) }
      case UInt8(ascii: "\""):
        guard let string = string() else { return nil }
        if containers.last == .object(key: nil) {
          containers[containers.count - 1] = .object(key: string)
        } else if containers == [.object(key: "outputs"), .array, .object(key: "path")] {
          paths?.append(string)
        }
      default: break
      }
    }
    return containers.isEmpty ? paths : nil
  }

  /// Reads the rest of a string whose opening quote has been read.
  private mutating func string() -> String? {
    var units: [UInt8] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: units, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let character = escapedCharacter() else { return nil }
        units.append(contentsOf: character.utf8)
      default: units.append(byte)
      }
    }
    return nil
  }

  private mutating func escapedCharacter() -> String? {
    guard offset < bytes.count else { return nil }
    offset += 1
    switch bytes[offset - 1] {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return codeUnits().map { String(decoding: $0, as: UTF16.self) }
    case let byte: return String(UnicodeScalar(byte))
    }
  }

  /// Reads the digits after `\u`, and a second `\u` with its digits that completes a pair.
  private mutating func codeUnits() -> [UInt16]? {
    guard let first = fourDigits() else { return nil }
    guard UTF16.isLeadSurrogate(first), bytes[offset...].starts(with: "\\u".utf8) else {
      return [first]
    }
    offset += 2
    return fourDigits().map { [first, $0] }
  }

  private mutating func fourDigits() -> UInt16? {
    guard offset + 4 <= bytes.count else { return nil }
    defer { offset += 4 }
    return UInt16(String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16)
  }
}
