import Glibc
import SubreportTestSupport
import Testing

/// A temporary folder of report files, removed with all it holds when the test ends.
final class ReportSandbox {
  /// The temporary folder.
  let path: String

  init() throws {
    var template = Array("/tmp/subreport-input-XXXXXX".utf8CString)
    // Safe: mkdtemp changes the template in place and keeps no pointer.
    try #require(unsafe mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes a folder that holds files, by their paths below it.
  convenience init(_ files: [String: [UInt8]]) throws {
    try self.init()
    for (name, bytes) in files { try write(name, bytes) }
  }

  deinit { removeTree(path) }

  /// Writes a file and makes the folders above it; what was there before is replaced.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    makeFolders(above: name)
    let file = unsafe fopen(path + "/" + name, "w")
    try #require(unsafe file != nil, "\(name) can be written")
    let written = unsafe fwrite(bytes, 1, bytes.count, file)
    unsafe fclose(file)
    try #require(written == bytes.count)
  }

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  func makeFolder(_ name: String) { makeFolders(above: name + "/") }

  func makeLink(_ name: String, to target: String) throws {
    makeFolders(above: name)
    try #require(unsafe symlink(target, path + "/" + name) == 0)
  }

  func remove(_ name: String) { removeTree(path + "/" + name) }

  func bytes(_ name: String) throws -> [UInt8] { try fileBytes(path + "/" + name) }

  private func makeFolders(above name: String) {
    let parents = name.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var folder = path
    for parent in parents {
      folder += "/" + parent
      _ = unsafe mkdir(folder, 0o755)
    }
  }
}

/// The whole content of a file.
func fileBytes(_ path: String) throws -> [UInt8] {
  let file = unsafe fopen(path, "r")
  try #require(unsafe file != nil, "\(path) can be read")
  defer { unsafe fclose(file) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = unsafe fread(&block, 1, block.count, file), count > 0 {
    bytes += block[..<count]
  }
  return bytes
}
