import Rendering
package import Tables

extension LongTable {
  /// The table as CSV.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    LongTableWriter(self, .csv, fitsColumns: false, isColored: false, width: nil).write {
      bytes += $0
    }
    return bytes
  }
}
