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

  /// Creates a folder inside.
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
