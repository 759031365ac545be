/// The list of output files in a folder's `manifest.json`.
///
/// A later run replaces the folder only if it holds nothing but these files.
///
/// The manifest is one JSON object. Only its member `outputs` is read here: an array with one object for each
/// file, whose `path` is relative to the folder and uses `/`:
///
///     {"outputs": [{"path": "churn.csv", "sha256": "…"}, {"path": "summary.md", "sha256": "…"}]}
///
/// `manifest.json` itself is not listed. Other members and their order do not matter.
public enum OutputListing {
  /// The name of the file that lists the others.
  public static let manifestName = "manifest.json"

  /// Reads the paths of `outputs`.
  ///
  /// - Parameter manifest: The bytes of a manifest.
  /// - Returns: The paths in their order; `nil` when this is no complete JSON object with an array `outputs`, so
  ///   that all files of the folder count as foreign.
  public static func paths(inManifest manifest: [UInt8]) -> [String]? {
    var scanner = ManifestScanner(bytes: manifest)
    return scanner.outputPaths()
  }

  /// Returns the first file in a folder, by the bytes of its path, that its manifest does not list.
  ///
  /// - Returns: `nil` when the folder is empty or all of its files are listed.
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

/// A walk over the tokens of a JSON text that keeps only its position.
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

  /// Reads the four digits after `\u`, and a following `\u` with the other half of a surrogate pair.
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
