/// How much memory the charges of SUBSCRIBER reports may take, and where those go that are more.
public struct MemoryLimit: Sendable {
  /// What a run takes besides charges: read buffers, tallies, tables, and the partition that each thread
  /// sorts, which holds a 256th of all charges.
  static let base = 96 << 20
  /// What a charge takes: its record of 32 bytes, and while it is sorted and folded.
  static let bytesPerCharge = 48

  let bytes: Int
  let file: SpillFile
  /// How many charges go to the file together.
  let chunkLength: Int

  /// Creates a limit.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of a whole run with nothing but SUBSCRIBER reports.
  ///   - folder: Where the temporary file is made; it has no name, and is gone with the process.
  /// - Throws: ``OutputError/system(operation:path:number:)`` when it cannot be made.
  public init(bytes: Int, folder: String) throws(OutputError) {
    try self.init(bytes: bytes, folder: folder, chunkLength: ChargeStore.chunkLength)
  }

  /// Creates a limit with shorter chunks, so that tests need not fill a partition of every thread.
  package init(bytes: Int, folder: String, chunkLength: Int) throws(OutputError) {
    self.bytes = bytes
    self.chunkLength = chunkLength
    file = try SpillFile(in: folder)
  }
}
