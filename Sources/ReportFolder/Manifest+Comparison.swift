package import Files
import Pipeline
import Scanning
import Storage

extension Manifest {
  /// Compares the files of a folder with their hashes.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - bytes: The bytes of its `manifest.json`, from which this manifest was read.
  ///   - isOfThisProgram: Whether this version of the program wrote it; only then is its own text compared.
  /// - Returns: The differences: those of the listed files in their order, then the added files.
  /// - Throws: ``OutputError/system(operation:path:number:)`` when a folder cannot be read to its end.
  package func differences(
    of folder: String, _ bytes: [UInt8], isOfThisProgram: Bool
  ) throws(OutputError) -> [Difference] {
    let added = try OutputListing.files(in: folder, notListed: outputs.map(\.path))
    let edited = isOfThisProgram && Array(text.utf8) != bytes
    return outputs.compactMap { Self.difference(of: $0, in: folder) }
      + added.map(Difference.outputAdded) + (edited ? [.manifestEdited] : [])
  }

  private static func difference(of file: File, in folder: String) -> Difference? {
    let path = folder + "/" + file.path
    guard let status = FileStatus(of: path, followsLinks: false) else {
      return .outputMissing(file)
    }
    guard status.kind == .file, let found = storedHash(of: path) else {
      return .outputUnreadable(file)
    }
    return found == file.sha256 ? nil : .outputChanged(file, found: found)
  }

  /// Compares inputs with those of the manifest, whatever their order.
  ///
  /// - Parameter found: The inputs of another run.
  /// - Returns: The differences in the order of the paths.
  package func differences(ofInputs found: [File]) -> [Difference] {
    let (expected, there) = (Self.byPath(inputs), Self.byPath(found))
    var differences: [Difference] = []
    var (missing, added) = ([File](), [File]())
    for path in Set(expected.keys).union(there.keys) {
      let path = path.text
      var (old, new) = (expected[path] ?? [], there[path] ?? [])
      if old != new, old.sorted() == new.sorted() {
        differences.append(.inputOrder(path: path, arguments: call.arguments))
      }
      for hash in old {
        guard let place = new.firstIndex(of: hash) else { continue }
        new.remove(at: place)
        old.remove(at: old.firstIndex(of: hash) ?? 0)
      }
      for (hash, other) in zip(old, new) {
        differences.append(.inputChanged(File(path, hash), found: other))
      }
      missing += old.dropFirst(new.count).map { File(path, $0) }
      added += new.dropFirst(old.count).map { File(path, $0) }
    }
    differences += Self.moves(missing, added)
    if differences.isEmpty { differences = Self.otherOrders(inputs, found, call) }
    return differences.sorted { $0.path.precedes($1.path) }
  }

  /// Returns the file names whose files are in another order, of inputs that are otherwise the same.
  ///
  /// Inputs are in path order. Only files of the same path below different inputs, such as `jan/x.txt.gz` and
  /// `feb/x.txt.gz`, are in the order of the inputs.
  private static func otherOrders(
    _ inputs: [File], _ found: [File], _ call: RecordedCall
  ) -> [Difference] {
    let (expected, there) = (byName(inputs), byName(found))
    return expected.keys.filter { expected[$0] != there[$0] }.map {
      .inputOrder(path: $0.text, arguments: call.arguments)
    }
  }

  /// Returns the paths of files by their last part, in order.
  private static func byName(_ files: [File]) -> [ExactText: [String]] {
    files.reduce(into: [:]) { names, file in
      let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
      names[name, default: []].append(file.path)
    }
  }

  /// Pairs missing inputs with added ones of the same bytes, both in the order of their paths.
  private static func moves(_ missing: [File], _ added: [File]) -> [Difference] {
    // The paths of each hash, the first one last.
    var places: [String: [String]] = [:]
    for file in added.sorted(by: { $1.path.precedes($0.path) }) {
      places[file.sha256, default: []].append(file.path)
    }
    let sorted = missing.sorted { $0.path.precedes($1.path) }
    let moved = sorted.map { file in
      let place = file.sha256.isEmpty ? nil : places[file.sha256]?.popLast()
      return place.map { Difference.inputMoved(file, found: $0) } ?? .inputMissing(file)
    }
    return moved + places.values.joined().map { .inputAdded(path: $0) }
  }

  private static func byPath(_ files: [File]) -> [ExactText: [String]] {
    files.reduce(into: [:]) { $0[$1.path, default: []].append($1.sha256) }
  }

  /// Compares the files of the same run, computed again.
  ///
  /// - Parameters:
  ///   - computed: The files of the second run.
  ///   - folder: The folder, whose files are read to find the first line that differs.
  /// - Returns: The differences in the order of the files.
  package func differences(of computed: ReportFiles, in folder: String) -> [Difference] {
    let hashes = Dictionary(outputs.map { (ExactText($0.path), $0.sha256) }) { first, _ in first }
    let made = Set<ExactText>(of: computed.manifest.outputs.map(\.path))
    var differences: [Difference] = []
    for (file, content) in zip(computed.manifest.outputs, computed.files) {
      guard let expected = hashes[file.path] else {
        differences.append(.computedMore(path: file.path))
        continue
      }
      guard expected != file.sha256 else { continue }
      let bytes = OutputFileSystem.contents(of: folder + "/" + file.path) ?? []
      let texts = sha256(of: bytes) == expected ? Self.texts(file.path, content.bytes, bytes) : nil
      // Another version of zlib compresses the same text to other bytes.
      if let texts, texts.0 == texts.1 { continue }
      let line = texts.map { Self.line(of: $0.0, $0.1) }
      differences.append(.computedOther(path: file.path, line: line))
    }
    return differences
      + outputs.filter { !made.contains($0.path) }.map { .computedLess(path: $0.path) }
  }

  /// Returns the text of two versions of a file; `nil` for compressed bytes that this program does not write.
  private static func texts(
    _ path: String, _ first: [UInt8], _ second: [UInt8]
  ) -> ([UInt8], [UInt8])? {
    guard path.hasSuffix(".gz") else { return (first, second) }
    guard let first = GzipWriter.text(of: first), let second = GzipWriter.text(of: second) else {
      return nil
    }
    return (first, second)
  }

  /// Returns the number of the first line that differs, from 1.
  private static func line(of first: [UInt8], _ second: [UInt8]) -> Int {
    let count = zip(first, second).prefix { $0 == $1 }.count
    return 1 + first.prefix(count).count { $0 == UInt8(ascii: "\n") }
  }
}

extension Difference {
  /// The path of an input, by which differences are sorted.
  fileprivate var path: String {
    switch self {
    case .inputMissing(let file), .inputChanged(let file, _), .inputMoved(let file, _):
      file.path
    case .inputAdded(let path), .inputOrder(let path, _): path
    default: ""
    }
  }
}
