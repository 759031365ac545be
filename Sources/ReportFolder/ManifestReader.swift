import Scanning

extension Manifest {
  /// Reads a `manifest.json`.
  ///
  /// - Parameter bytes: The whole file.
  /// - Throws: ``ManifestError`` for the first text that `report` does not write.
  package init(_ bytes: [UInt8]) throws(ManifestError) {
    var reader = ManifestReader(bytes)
    do {
      self = try reader.read()
    } catch let error as JSONReadError {
      throw ManifestError(error)
    } catch {
      throw error as? ManifestError ?? ManifestError(line: 1, message: "found no manifest")
    }
  }
}

/// Reads the JSON text of a manifest.
private struct ManifestReader: ~Copyable {
  private enum Key: String, CaseIterable {
    case tool, version, definitions, arguments, config, options, sections
    case optionFiles = "option_files"
    case ledger, inputs, outputs
    static let all = JSONKeys<Key>()
  }

  private enum FileKey: String, CaseIterable {
    case option, path, sha256
    static let all = JSONKeys<FileKey>()
  }

  private enum LedgerKey: String, CaseIterable {
    case path, length, sha256
    static let all = JSONKeys<LedgerKey>()
  }

  private var scanner: JSONScanner
  private var text = JSONText()
  /// The number of bytes, which no text exceeds.
  private let limit: Int

  init(_ bytes: [UInt8]) {
    scanner = JSONScanner(ByteStream(bytes.span))
    limit = bytes.count
  }

  mutating func read() throws -> Manifest {
    guard try scanner.nextValue(), var object = try scanner.enterObject() else {
      throw error("found no JSON object, expected the manifest that report writes")
    }
    var manifest = Manifest(
      version: "", definitions: 0, call: RecordedCall(), inputs: [], outputs: [])
    var missing = Set(Key.allCases).subtracting([.config, .ledger])
    while let member = try scanner.nextMember(of: &object, Key.all) {
      guard case .known(let key) = member else { continue }
      missing.remove(key)
      try read(key, into: &manifest)
    }
    guard try !scanner.nextValue() else { throw error("found text after the manifest") }
    guard let key = Key.allCases.first(where: missing.contains) else { return manifest }
    throw error("found no \"\(key.rawValue)\", which report writes")
  }

  private mutating func read(_ key: Key, into manifest: inout Manifest) throws {
    switch key {
    case .tool:
      guard try string() == "subreport" else {
        throw error("found another tool, expected \"subreport\"")
      }
    case .version: manifest.version = try string()
    case .definitions: manifest.definitions = try number()
    case .arguments: manifest.call.arguments = try strings()
    case .config: manifest.call.config = try string()
    case .options: manifest.call.options = try options()
    case .sections: manifest.call.sections = try sections()
    case .optionFiles:
      manifest.call.files = try files().map { .init($0.option, $0.file.path, $0.file.sha256) }
    case .ledger: manifest.ledger = try ledger()
    case .inputs: manifest.inputs = try files().map(\.file)
    case .outputs:
      manifest.outputs = try files().map(\.file)
      let outside = manifest.outputs.first { !Self.isInside($0.path) }
      if let outside { throw error("found \"\(outside.path)\", expected a path in the folder") }
    }
  }

  /// Returns whether a path stays in its folder.
  private static func isInside(_ path: String) -> Bool {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
      && !path.utf8.contains(0)
  }

  private mutating func options() throws -> [RecordedCall.Option] {
    var options: [RecordedCall.Option] = []
    let object = try enterObject()
    while let name = try nextKey(of: object) {
      let isList = try scanner.peekKind() == .array
      options.append(.init(name, isList ? .list(try strings()) : .text(try string())))
    }
    return options
  }

  private mutating func sections() throws -> [RecordedCall.Section] {
    var sections: [RecordedCall.Section] = []
    let object = try enterObject()
    while let name = try nextKey(of: object) {
      var entries: [RecordedCall.Section.Entry] = []
      let section = try enterObject()
      while let key = try nextKey(of: section) { entries.append(.init(key, try string())) }
      sections.append(.init(name, entries))
    }
    return sections
  }

  private mutating func files() throws -> [(option: String, file: Manifest.File)] {
    guard let list = try scanner.enterArray() else { throw error("found no list of files") }
    var files: [(option: String, file: Manifest.File)] = []
    while try scanner.nextElement(of: list) {
      var object = try enterObject()
      var texts: [FileKey: String] = [:]
      while let member = try scanner.nextMember(of: &object, FileKey.all) {
        if case .known(let key) = member { texts[key] = try string() }
      }
      guard let path = texts[.path], let sha256 = texts[.sha256] else {
        throw error("found a file without \"path\" or \"sha256\"")
      }
      files.append((texts[.option] ?? "", Manifest.File(path, sha256)))
    }
    return files
  }

  private mutating func ledger() throws -> Ledger.Part {
    var part = Ledger.Part(path: "", length: -1, sha256: "")
    var object = try enterObject()
    while let member = try scanner.nextMember(of: &object, LedgerKey.all) {
      switch member {
      case .known(.path): part.path = try string()
      case .known(.length): part.length = try number()
      case .known(.sha256): part.sha256 = try string()
      case .unknown: continue
      }
    }
    guard !part.path.isEmpty, part.length >= 0, !part.sha256.isEmpty else {
      throw error("found a ledger without \"path\", \"length\" or \"sha256\"")
    }
    return part
  }

  private mutating func strings() throws -> [String] {
    guard let list = try scanner.enterArray() else { throw error("found no list of texts") }
    var texts: [String] = []
    while try scanner.nextElement(of: list) { texts.append(try string()) }
    return texts
  }

  private mutating func string() throws -> String {
    let scalar = try scalar()
    guard scalar.kind == .string else { throw error("found no text in quotes where one must be") }
    return scalar.text
  }

  private mutating func number() throws -> Int {
    let scalar = try scalar()
    guard scalar.kind == .number, let number = Int(scalar.text) else {
      throw error("found no whole number where one must be")
    }
    return number
  }

  private mutating func scalar() throws -> (kind: JSONKind, text: String) {
    text.removeAll()
    let scalar = try scanner.readScalar(into: &text, limit: limit)
    return (scalar.kind, String(decoding: text.bytes[scalar.range], as: UTF8.self))
  }

  private mutating func enterObject() throws -> JSONObject {
    guard let object = try scanner.enterObject() else { throw error("found no JSON object") }
    return object
  }

  private mutating func nextKey(of object: borrowing JSONObject) throws -> String? {
    text.removeAll()
    guard let key = try scanner.nextMember(of: object, keyInto: &text, limit: limit) else {
      return nil
    }
    return String(decoding: text.bytes[key.range], as: UTF8.self)
  }

  private func error(_ message: String) -> ManifestError {
    ManifestError(line: scanner.line, message: message)
  }
}
