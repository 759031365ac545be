package import Files
import SubscriptionModel

/// The memory that charges of SUBSCRIBER reports may take, and the file for charges beyond it.
package struct MemoryLimit: Sendable {
  /// The memory of a run besides charges: read buffers, tallies, tables, and one partition for each thread.
  ///
  /// A partition holds a 256th of all charges.
  package static let base = 96 << 20
  /// The memory of a charge: its record of 32 bytes, and what sorting and folding need.
  static let bytesPerCharge = 48

  package let bytes: Int
  let file: SpillFile<ChargeRecord>
  /// The number of charges written to the file at once.
  let chunkLength: Int

  /// Creates a limit.
  ///
  /// - Parameters:
  ///   - bytes: The memory of a whole run with only SUBSCRIBER reports.
  ///   - folder: The folder for the temporary file, which has no name and vanishes with the process.
  /// - Throws: ``OutputError/system(operation:path:number:)`` when the file cannot be created.
  package init(bytes: Int, folder: String) throws(OutputError) {
    try self.init(bytes: bytes, folder: folder, chunkLength: ChargeStore.chunkLength)
  }

  /// Creates a limit with shorter chunks, so that tests need not fill a partition of every thread.
  package init(bytes: Int, folder: String, chunkLength: Int) throws(OutputError) {
    self.bytes = bytes
    self.chunkLength = chunkLength
    file = try SpillFile(in: folder)
  }
}
