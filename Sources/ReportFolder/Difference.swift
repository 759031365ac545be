package import Files
import Pipeline
import Scanning
import Storage

/// A difference between a manifest and a folder, inputs, or a second computation.
package enum Difference: Hashable, Sendable {
  /// A file of the folder is not there.
  case outputMissing(Manifest.File)
  /// There is a link, a folder or an unreadable file in place of a file.
  case outputUnreadable(Manifest.File)
  /// A file of the folder has other bytes, with this SHA-256.
  case outputChanged(Manifest.File, found: String)
  /// The folder has a file that the manifest does not list.
  case outputAdded(path: String)
  /// The manifest has other bytes than `report` writes.
  case manifestEdited

  case inputMissing(Manifest.File)
  case inputChanged(Manifest.File, found: String)
  /// The bytes are there under another path.
  case inputMoved(Manifest.File, found: String)
  case inputAdded(path: String)
  /// Several inputs have this path, in another order than in the manifest.
  case inputOrder(path: String, arguments: [String])

  /// A file that an option names is not there, or cannot be read, in the words of `found`.
  case optionFileMissing(RecordedCall.OptionFile, option: String, found: String)
  case optionFileChanged(RecordedCall.OptionFile, option: String, found: String)
  /// The secret by which the run named subscriptions is not set.
  case keyMissing

  /// The ledger is not there, or cannot be read, in the words of `found`.
  case ledgerMissing(Ledger.Part, found: String)
  /// The first bytes of the ledger have another hash, or there are fewer.
  case ledgerChanged(Ledger.Part, found: String?)

  /// Computed again, a file has other bytes, from this line on if the folder's file is unchanged.
  case computedOther(path: String, line: Int?)
  /// Computed again, there is a file that the manifest does not list.
  case computedMore(path: String)
  /// Computed again, there is no such file.
  case computedLess(path: String)

  /// The difference as one line: the file, what was found, what was expected, what to do.
  package func line(_ folder: String) -> String {
    let manifest = "\(folder)/\(OutputListing.manifestName)"
    let anew = "write the folder anew with report"
    return switch self {
    case .outputMissing(let file):
      "\(folder)/\(file.path): not found, expected sha256 \(Self.short(file.sha256)); \(anew)"
    case .outputUnreadable(let file):
      "\(folder)/\(file.path): found no readable file, expected sha256 \(Self.short(file.sha256)); \(anew)"
    case .outputChanged(let file, let found):
      "\(folder)/\(file.path): found sha256 \(Self.short(found, unlike: file.sha256)), expected \(Self.short(file.sha256, unlike: found)); it was changed after the run: \(anew)"
    case .outputAdded(let path):
      "\(folder)/\(path): found a file that \(OutputListing.manifestName) does not list; remove it"
    case .manifestEdited:
      "\(manifest): found other text than report writes for this content; it was changed after the run: \(anew)"
    case .inputMissing(let file):
      "input \(file.path): not found, expected sha256 \(Self.short(file.sha256)); name the folder or file that has it"
    case .inputChanged(let file, let found):
      "input \(file.path): found \(Self.words(found, unlike: file.sha256)), expected \(Self.words(file.sha256, unlike: found)); give the file that the run read"
    case .inputMoved(let file, let found):
      "input \(file.path): found the same bytes as \(found), expected this path; give it its path back, or name the folder that the run named"
    case .inputAdded(let path):
      "input \(path): found a file that the run did not read; leave it out"
    case .inputOrder(let path, let arguments):
      "input \(path): found several inputs of this name in another order than the run; name the inputs in its order: \(arguments.joined(separator: " "))"
    case .optionFileMissing(let file, let option, let found):
      "\(file.path): \(found), expected sha256 \(Self.short(file.sha256)); name the file with \(option)"
    case .optionFileChanged(let file, let option, let found):
      "\(file.path): found sha256 \(Self.short(found, unlike: file.sha256)), expected \(Self.short(file.sha256, unlike: found)); name the file that the run read with \(option)"
    case .keyMissing:
      "anonymize_key: not set, but the run named subscriptions by it; set SUBREPORT_ANONYMIZE_KEY to the same secret"
    case .ledgerMissing(let part, let found):
      "\(part.path): \(found), expected the ledger of the run, whose first \(part.length) bytes have sha256 \(Self.short(part.sha256)); name the file with --ledger"
    case .ledgerChanged(let part, let found):
      "\(part.path): found \(found.map { "sha256 \(Self.short($0))" } ?? "fewer bytes") in the first \(part.length) bytes, expected sha256 \(Self.short(part.sha256)); name the ledger that the run continued with --ledger"
    case .computedOther(let path, let line?):
      "\(folder)/\(path):\(line): found other text than these inputs give; \(anew)"
    case .computedOther(let path, nil):
      "\(folder)/\(path): found another hash in \(OutputListing.manifestName) than these inputs give; \(anew)"
    case .computedMore(let path):
      "\(folder)/\(path): not found in \(OutputListing.manifestName), but these inputs give it; \(anew)"
    case .computedLess(let path):
      "\(folder)/\(path): found in \(OutputListing.manifestName), but these inputs do not give it; \(anew)"
    }
  }

  package var kind: String {
    switch self {
    case .outputMissing: "a file of the folder is not there"
    case .outputUnreadable: "a file of the folder cannot be read"
    case .outputChanged: "a file of the folder was changed"
    case .outputAdded: "a file was added to the folder"
    case .manifestEdited: "the manifest was changed"
    case .inputMissing: "an input is not there; name the same folders as the run"
    case .inputChanged: "an input has other bytes"
    case .inputMoved: "an input has another path; name the same folders as the run"
    case .inputAdded: "an input was not read by the run"
    case .inputOrder: "inputs of one name are in another order"
    case .optionFileMissing, .optionFileChanged, .keyMissing: "an option differs"
    case .ledgerMissing(_, let found): "the ledger was \(found)"
    case .ledgerChanged: "the ledger differs"
    case .computedOther: "computed again, a file has other bytes"
    case .computedMore, .computedLess: "computed again, there are other files"
    }
  }

  package var isOfLedger: Bool {
    switch self {
    case .ledgerMissing, .ledgerChanged: true
    default: false
    }
  }

  /// Returns the first digits of a hash, by which it is found in the manifest.
  private static func short(_ sha256: String) -> String {
    sha256.utf8.count > 12 ? "\(sha256.prefix(12))…" : sha256
  }

  /// Returns the digits of a hash that tell it from another one: the first ones, or all.
  private static func short(_ sha256: String, unlike other: String) -> String {
    short(sha256) == short(other) ? sha256 : short(sha256)
  }

  private static func words(_ sha256: String, unlike other: String) -> String {
    sha256.isEmpty ? "no readable file" : "sha256 \(short(sha256, unlike: other))"
  }
}

extension Manifest {
  /// Compares the files of a folder with their hashes.
  ///
  /// Only where this program wrote the manifest, its own text is compared. The listed files come in their order, then
  /// the added ones.
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
