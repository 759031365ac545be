import Glibc
import SubreportTestSupport
import Testing

/// The whole content of a file.
func readFile(_ path: String) throws -> [UInt8] {
  let descriptor = unsafe open(path, O_RDONLY)
  try #require(descriptor >= 0, "\(path) can be read")
  defer { close(descriptor) }
  var content: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe chunk.withUnsafeMutableBytes { buffer in
      unsafe read(descriptor, buffer.baseAddress, buffer.count)
    }
    try #require(count >= 0)
    if count == 0 { return content }
    content.append(contentsOf: chunk[..<count])
  }
}

/// The paths of all files inside a folder, sorted by bytes.
func listFiles(_ root: String, _ prefix: String = "") -> [String] {
  var files: [String] = []
  for name in names(inFolder: root + "/" + prefix) {
    let path = prefix + name
    if Files.isFolder(root + "/" + path) {
      files += listFiles(root, path + "/")
    } else {
      files.append(path)
    }
  }
  return files.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
}
