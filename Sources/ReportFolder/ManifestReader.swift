import Scanning

extension Manifest {
  /// Reads a `manifest.json`; an error is about the first text that `report` does not write.
  package init(_ bytes: [UInt8]) throws(ManifestError) {
    var reader = ManifestReader(bytes)
    do {
      self = try reader.read()
    } catch let fault as WrittenJSON.Fault {
      throw ManifestError(line: fault.line, message: fault.message)
    } catch let error as JSONReadError {
      throw ManifestError(error)
    } catch {
      throw ManifestError(line: 1, message: "found no manifest")
    }
  }
}

/// Reads the JSON text of a manifest.
private struct ManifestReader: ~Copyable {
  private enum Key: String, CaseIterable {
    case tool, version, definitions, schema, arguments, config, options, sections
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

  private var json: WrittenJSON

  init(_ bytes: [UInt8]) {
    json = WrittenJSON(JSONScanner(ByteStream(bytes.span)), limit: bytes.count)
  }

  mutating func read() throws -> Manifest {
    guard try json.scanner.nextValue(), var object = try json.scanner.enterObject() else {
      throw json.fault("found no JSON object, expected the manifest that report writes")
    }
    var manifest = Manifest(
      version: "", definitions: 0, schema: 0, call: RecordedCall(), inputs: [], outputs: [])
    var missing = Set(Key.allCases).subtracting([.config, .ledger, .schema])
    while let member = try json.scanner.nextMember(of: &object, Key.all) {
      guard case .known(let key) = member else { continue }
      missing.remove(key)
      try read(key, into: &manifest)
    }
    guard try !json.scanner.nextValue() else { throw json.fault("found text after the manifest") }
    guard let key = Key.allCases.first(where: missing.contains) else { return manifest }
    throw json.fault("found no \"\(key.rawValue)\", which report writes")
  }

  private mutating func read(_ key: Key, into manifest: inout Manifest) throws {
    switch key {
    case .tool:
      guard try json.string() == "subreport" else {
        throw json.fault("found another tool, expected \"subreport\"")
      }
    case .version: manifest.version = try json.string()
    case .definitions: manifest.definitions = try json.number()
    case .schema: manifest.schema = try json.number()
    case .arguments: manifest.call.arguments = try strings()
    case .config: manifest.call.config = try json.string()
    case .options: manifest.call.options = try options()
    case .sections: manifest.call.sections = try sections()
    case .optionFiles:
      manifest.call.files = try files().map { .init($0.option, $0.file.path, $0.file.sha256) }
    case .ledger: manifest.ledger = try ledger()
    case .inputs: manifest.inputs = try files().map(\.file)
    case .outputs:
      manifest.outputs = try files().map(\.file)
      let outside = manifest.outputs.first { !Self.isInside($0.path) }
      if let outside {
        throw json.fault("found \"\(outside.path)\", expected a path in the folder")
      }
    }
  }

  private static func isInside(_ path: String) -> Bool {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
      && !path.utf8.contains(0)
  }

  private mutating func options() throws -> [RecordedCall.Option] {
    var options: [RecordedCall.Option] = []
    let object = try json.enterObject()
    while let name = try json.nextKey(of: object) {
      let isList = try json.scanner.peekKind() == .array
      options.append(.init(name, isList ? .list(try strings()) : .text(try json.string())))
    }
    return options
  }

  private mutating func sections() throws -> [RecordedCall.Section] {
    var sections: [RecordedCall.Section] = []
    let object = try json.enterObject()
    while let name = try json.nextKey(of: object) {
      var entries: [RecordedCall.Section.Entry] = []
      let section = try json.enterObject()
      while let key = try json.nextKey(of: section) {
        entries.append(.init(key, try json.string()))
      }
      sections.append(.init(name, entries))
    }
    return sections
  }

  private mutating func files() throws -> [(option: String, file: Manifest.File)] {
    let list = try json.enterArray("list of files")
    var files: [(option: String, file: Manifest.File)] = []
    while try json.scanner.nextElement(of: list) {
      var object = try json.enterObject()
      var texts: [FileKey: String] = [:]
      while let member = try json.scanner.nextMember(of: &object, FileKey.all) {
        if case .known(let key) = member { texts[key] = try json.string() }
      }
      guard let path = texts[.path], let sha256 = texts[.sha256] else {
        throw json.fault("found a file without \"path\" or \"sha256\"")
      }
      files.append((texts[.option] ?? "", Manifest.File(path, sha256)))
    }
    return files
  }

  private mutating func ledger() throws -> Ledger.Part {
    var part = Ledger.Part(path: "", length: -1, sha256: "")
    var object = try json.enterObject()
    while let member = try json.scanner.nextMember(of: &object, LedgerKey.all) {
      switch member {
      case .known(.path): part.path = try json.string()
      case .known(.length): part.length = try json.number()
      case .known(.sha256): part.sha256 = try json.string()
      case .unknown: continue
      }
    }
    guard !part.path.isEmpty, part.length >= 0, !part.sha256.isEmpty else {
      throw json.fault("found a ledger without \"path\", \"length\" or \"sha256\"")
    }
    return part
  }

  private mutating func strings() throws -> [String] {
    let list = try json.enterArray("list of texts")
    var texts: [String] = []
    while try json.scanner.nextElement(of: list) { texts.append(try json.string()) }
    return texts
  }
}

/// The reason why a `manifest.json` cannot be read.
package struct ManifestError: Error, Equatable, Sendable {
  /// The line, from 1.
  package var line: Int
  /// What was found and what was expected.
  package var message: String

  init(line: Int, message: String) { (self.line, self.message) = (line, message) }

  init(_ error: JSONReadError) {
    switch error {
    case .text(let error): self.init(line: error.line, message: error.message)
    // The bytes are in memory, so they can be read.
    case .file: self.init(line: 1, message: "found bytes that cannot be read")
    }
  }
}
