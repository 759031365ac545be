import Files
import Glibc
import SubreportTestSupport
import Testing

/// A temporary folder of one test, removed with all it holds when the test ends.
final class OutputSandbox {
  /// The temporary folder.
  let root: String
  /// An output folder inside it, which does not exist yet.
  var output: String { root + "/out" }

  init() throws {
    root = try SubreportTestSupport.Files.makeTemporaryFolder()
  }

  deinit { removeTree(root) }

  func makeFolder(_ name: String) {
    _ = unsafe mkdir(root + "/" + name, 0o755)
  }

  func makeLink(_ name: String, to target: String) {
    _ = unsafe symlink(target, root + "/" + name)
  }

  func write(_ name: String, _ text: String) throws {
    let file = unsafe fopen(root + "/" + name, "w")
    try #require(unsafe file != nil)
    unsafe fputs(text, file)
    unsafe fclose(file)
  }

  /// Returns a file's text, or `nil` when it cannot be read.
  func read(_ name: String) -> String? {
    guard let file = unsafe fopen(root + "/" + name, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = unsafe fgetc(file), byte != EOF {
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the sorted names in a folder, hidden ones too; empty when there is none.
  func names(in name: String = "") -> [String] {
    SubreportTestSupport.names(inFolder: root + "/" + name)
  }

  func mode(_ name: String) -> mode_t {
    var status = stat()
    _ = unsafe stat(root + "/" + name, &status)
    return status.st_mode & 0o7777
  }

  func setMode(_ mode: mode_t, _ name: String) { _ = unsafe chmod(root + "/" + name, mode) }
}

/// Returns a manifest as a report writes it.
func manifest(listing paths: [String]) -> String {
  let outputs = paths.map { "    {\"path\": \"\($0)\", \"sha256\": \"00\"}" }
  return "{\n  \"inputs\": [{\"path\": \"in.txt\"}],\n  \"outputs\": [\n"
    + outputs.joined(separator: ",\n") + "\n  ]\n}\n"
}

extension OutputFolder {
  /// Stages one file.
  mutating func add(name: String, bytes: [UInt8]) throws(OutputError) { try add([(name, bytes)]) }
}

/// Writes files and their manifest into an output folder and puts it in place.
func commitOutput(
  _ files: [(name: String, text: String)], to path: String, force: Bool = false
) throws(OutputError) {
  var folder = try OutputFolder(path: path, force: force, cleanup: OutputCleanup())
  for file in files { try folder.add(name: file.name, bytes: Array(file.text.utf8)) }
  let text = manifest(listing: files.map(\.name))
  try folder.add(name: "manifest.json", bytes: Array(text.utf8))
  try folder.commit()
}

/// Returns the error that opening an output folder throws.
func openingError(_ path: String, force: Bool = false) -> OutputError? {
  do throws(OutputError) {
    _ = try OutputFolder(path: path, force: force, cleanup: OutputCleanup())
    return nil
  } catch {
    return error
  }
}

/// Returns the error that committing an output folder throws.
func committingError(_ folder: consuming OutputFolder) -> OutputError? {
  do throws(OutputError) {
    try folder.commit()
    return nil
  } catch {
    return error
  }
}
