/// A dump of JSON values, one per line, in gzip files of bounded size: `name_001.ndjson.gz` and so on.
struct DumpFile {
  private let name: String
  private let folder: ReportFolder
  private var json = JSONText()
  private var lineCount = 0
  private var partCount = 0

  /// The size at which a part is written, before compression: the memory that a dump needs.
  private static let partSize = 32 << 20

  init(_ name: String, in folder: ReportFolder) {
    self.name = name
    self.folder = folder
  }

  /// Adds a line, and writes the part if it is large enough.
  mutating func addLine(_ value: (inout JSONText) -> Void) throws(SimulationError) {
    value(&json)
    json.text.appendNewline()
    lineCount += 1
    if json.text.bytes.count >= Self.partSize { try finish() }
  }

  /// Writes the remaining lines, if there are any.
  mutating func finish() throws(SimulationError) {
    guard lineCount > 0 else { return }
    partCount += 1
    let path = "receipts/\(name)_\(partCount, digits: 3).ndjson.gz"
    try folder.writeCompressed(json.text, rows: lineCount, of: .receipts, to: path)
    json.text.bytes.removeAll(keepingCapacity: true)
    lineCount = 0
  }
}
