/// A dump of JSON values, one a line, in gzip files of bounded size: `name_001.ndjson.gz` and on.
struct DumpFile {
  private let name: String
  private let folder: ReportFolder
  private var json = JSONText()
  private var lineCount = 0
  private var partCount = 0
  private(set) var summary = SimulationSummary()

  /// The size of a part before compression, which is what a dump needs in memory.
  private static let partSize = 32 << 20

  init(_ name: String, in folder: ReportFolder) {
    self.name = name
    self.folder = folder
  }

  /// Adds a line; a part that is big enough is written.
  mutating func addLine(_ value: (inout JSONText) -> Void) throws(SimulationError) {
    value(&json)
    json.text.appendNewline()
    lineCount += 1
    if json.text.bytes.count >= Self.partSize { try finish() }
  }

  /// Writes what is left, if anything.
  mutating func finish() throws(SimulationError) {
    guard lineCount > 0 else { return }
    partCount += 1
    let number = String(repeating: "0", count: max(0, 3 - "\(partCount)".count)) + "\(partCount)"
    let kind = WorldOptions.ReportKind.receipts
    try folder.writeCompressed(json.text, to: "\(kind.rawValue)/\(name)_\(number).ndjson.gz")
    summary.add(kind, rows: lineCount)
    json.text.bytes.removeAll(keepingCapacity: true)
    lineCount = 0
  }
}
