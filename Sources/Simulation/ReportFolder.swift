import Files

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
    let isEmpty: Bool
    do throws(OutputError) {
      try OutputFileSystem.makeFolders(root, mode: 0o755)
      isEmpty = try OutputFileSystem.names(in: root).isEmpty
    } catch {
      throw SimulationError(error)
    }
    guard isEmpty else { throw .directoryNotEmpty(root) }
  }

  /// Creates a folder inside.
  func makeFolder(_ name: String) throws(SimulationError) {
    do throws(OutputError) {
      try OutputFileSystem.makeFolders(root + "/" + name, mode: 0o755)
    } catch {
      throw SimulationError(error)
    }
  }

  /// Writes a file; `path` is relative to the folder.
  func write(_ bytes: [UInt8], to path: String) throws(SimulationError) {
    let file = root + "/" + path
    do throws(OutputError) {
      try OutputFileSystem.writeNewFile(file, parts: [bytes], mode: 0o644, isSynced: false)
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
    self = .cannotWrite(path: error.path, code: error.number ?? 0)
  }
}
