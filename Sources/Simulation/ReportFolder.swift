import CZlib
import Files

/// The folder that a world is written to; its files are removed again unless ``finish()`` is called.
final class ReportFolder {
  private let root: String
  /// Whether the folder was there, empty, before.
  private let isOld: Bool
  /// The paths to remove when the run is stopped or fails.
  private var temporaryPaths: Set<String> = []
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
    isOld = FileStatus(of: root) != nil
    let isEmpty: Bool
    do throws(OutputError) {
      try OutputFileSystem.makeFolders(root, mode: 0o755)
      isEmpty = try OutputFileSystem.names(in: root).isEmpty
    } catch {
      throw SimulationError(error)
    }
    guard isEmpty else { throw .directoryNotEmpty(root) }
  }

  deinit {
    for path in temporaryPaths { OutputCleanup.shared.release(temporary: path) }
  }

  /// Keeps the files: the world is whole.
  func finish() {
    for path in temporaryPaths { OutputCleanup.shared.keep(temporary: path) }
    temporaryPaths = []
  }

  func makeFolder(_ name: String) throws(SimulationError) {
    try add(name) { path throws(OutputError) in
      try OutputFileSystem.makeFolders(path, mode: 0o755)
    }
  }

  /// Writes a file; `path` is relative to the folder.
  func write(_ bytes: [UInt8], to path: String) throws(SimulationError) {
    try add(path) { file throws(OutputError) in
      try OutputFileSystem.writeNewFile(file, parts: [bytes], mode: 0o644, isSynced: false)
    }
  }

  /// Adds a file or a folder that goes again when the run is stopped.
  private func add(
    _ name: String, _ body: (_ path: String) throws(OutputError) -> Void
  ) throws(SimulationError) {
    let path = root + "/" + name
    let temporary = isOld ? root + "/" + name.prefix { $0 != "/" } : root
    temporaryPaths.insert(temporary)
    do throws(OutputError) {
      try OutputCleanup.shared.write(temporary: temporary, for: root) { () throws(OutputError) in
        try body(path)
      }
    } catch {
      throw SimulationError(error)
    }
  }

  /// Writes a file of a kind as one gzip member, and counts it.
  func writeCompressed(
    _ text: ByteText, rows: Int, of kind: WorldOptions.ReportKind, to path: String
  ) throws(SimulationError) {
    let bytes: [UInt8]
    do throws(GzipCompressor.Failure) {
      bytes = Array(try compressor.compressed(text.bytes))
    } catch {
      throw .cannotCompress(path: root + "/" + path, code: error.code)
    }
    try write(bytes, to: path)
    summary.add(kind, rows: rows)
  }
}

extension SimulationError {
  /// Creates the error of a file or folder that could not be created, written or read.
  fileprivate init(_ error: OutputError) {
    // Without a number, the run was stopped: EINTR.
    self = .cannotWrite(path: error.path, code: error.number ?? 4)
  }
}

/// Makes gzip members whose bytes depend only on their content.
///
/// The header has no time, no name and no system, so that the same world gives the same files.
@safe
final class GzipCompressor {
  private let stream: UnsafeMutablePointer<z_stream>
  private let header: UnsafeMutablePointer<gz_header>
  private var output: [UInt8] = []

  /// A refusal by zlib, with zlib's error code.
  struct Failure: Error {
    let code: Int32
  }

  init() throws(Failure) {
    // Safe: one value each, initialised here and released in `deinit`; zlib keeps the addresses.
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe header = UnsafeMutablePointer<gz_header>.allocate(capacity: 1)
    unsafe header.initialize(to: gz_header())
    unsafe header.pointee.os = 255
    let gzipWindow: Int32 = 15 + 16
    let code = unsafe deflateInit2_(
      stream, 6, Z_DEFLATED, gzipWindow, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw Failure(code: code) }
  }

  deinit {
    // Safe: both were allocated in `init` and nothing else holds them.
    unsafe _ = deflateEnd(stream)
    unsafe stream.deallocate()
    unsafe header.deallocate()
  }

  /// Returns one gzip member that holds the bytes.
  func compressed(_ bytes: [UInt8]) throws(Failure) -> ArraySlice<UInt8> {
    var code = unsafe deflateReset(stream)
    guard code == Z_OK else { throw Failure(code: code) }
    code = unsafe deflateSetHeader(stream, header)
    guard code == Z_OK else { throw Failure(code: code) }
    let bound = unsafe Int(deflateBound(stream, UInt(bytes.count)))
    if output.count < bound {
      output = [UInt8](repeating: 0, count: bound + bound / 4)
    }
    let room = output.count
    // Safe: zlib reads `bytes.count` and writes at most `room` bytes, the sizes of the two buffers,
    // and keeps neither address past the call (the next call sets both again).
    code = unsafe bytes.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { result in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(bytes.count)
        unsafe stream.pointee.next_out = result.baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        return unsafe deflate(stream, Z_FINISH)
      }
    }
    guard code == Z_STREAM_END else { throw Failure(code: code) }
    return output[..<(room - Int(unsafe stream.pointee.avail_out))]
  }
}
