import Glibc

/// The folder that a world is written to.
final class ReportFolder {
  private let root: String
  private let compressor: GzipCompressor
  /// The files and rows written so far; the truth is not counted.
  var summary = SimulationSummary()

  /// Creates the folder, or uses an existing one if it is empty.
  init(_ root: String) throws(SimulationError) {
    self.root = root
    do throws(GzipCompressor.Failure) {
      compressor = try GzipCompressor()
    } catch {
      throw .cannotCompress(path: root, code: error.code)
    }
    try Self.make(root)
    guard try Self.isEmpty(root) else { throw .directoryNotEmpty(root) }
  }

  /// Creates a folder inside.
  func makeFolder(_ name: String) throws(SimulationError) {
    try Self.make(root + "/" + name)
  }

  /// Writes a file; `path` is relative to the folder.
  func write(_ bytes: [UInt8], to path: String) throws(SimulationError) {
    try write(bytes[...], toFile: root + "/" + path)
  }

  /// Writes a file of a kind as one gzip member, and counts it.
  func writeCompressed(
    _ text: ByteText, rows: Int, of kind: WorldOptions.ReportKind, to path: String
  ) throws(SimulationError) {
    let file = root + "/" + path
    let bytes: ArraySlice<UInt8>
    do throws(GzipCompressor.Failure) {
      bytes = try compressor.compressed(text.bytes)
    } catch {
      throw .cannotCompress(path: file, code: error.code)
    }
    try write(bytes, toFile: file)
    summary.add(kind, rows: rows)
  }

  private func write(_ bytes: ArraySlice<UInt8>, toFile path: String) throws(SimulationError) {
    // Safe: the system reads the path, which lives through the call.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, code: errno) }
    defer { close(descriptor) }
    var rest = bytes
    while !rest.isEmpty {
      // Safe: the system reads `buffer.count` bytes of a buffer that lives through the call.
      let written = unsafe rest.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw .cannotWrite(path: path, code: errno) }
      rest = rest.dropFirst(written)
    }
  }

  /// Creates a folder and its parents.
  private static func make(_ path: String) throws(SimulationError) {
    // Safe: the system reads the path, which lives through the call.
    if unsafe mkdir(path, 0o755) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw .cannotWrite(path: path, code: errno)
    }
    try make(String(path[..<slash]))
    guard unsafe mkdir(path, 0o755) == 0 || errno == EEXIST else {
      throw .cannotWrite(path: path, code: errno)
    }
  }

  private static func isEmpty(_ path: String) throws(SimulationError) -> Bool {
    guard let folder = unsafe opendir(path) else {
      throw .cannotWrite(path: path, code: errno)
    }
    defer { unsafe _ = closedir(folder) }
    var entries = 0
    // Safe: the folder is open; the entry itself is not read. Every folder has `.` and `..`.
    while unsafe readdir(folder) != nil { entries += 1 }
    return entries <= 2
  }
}
