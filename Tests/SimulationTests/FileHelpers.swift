import Glibc
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

/// The entries of a folder without `.` and `..`; nothing if it is no folder.
func entries(_ path: String) -> [String]? {
  guard let folder = unsafe opendir(path) else { return nil }
  defer { unsafe _ = closedir(folder) }
  var names: [String] = []
  while let entry = unsafe readdir(folder) {
    let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}

/// The paths of all files inside a folder, sorted by bytes.
func listFiles(_ root: String, _ prefix: String = "") -> [String] {
  var files: [String] = []
  for name in entries(root + "/" + prefix) ?? [] {
    let path = prefix + name
    if entries(root + "/" + path) != nil {
      files += listFiles(root, path + "/")
    } else {
      files.append(path)
    }
  }
  return files.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
}
