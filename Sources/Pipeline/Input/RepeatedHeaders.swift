import AppStoreReports
import Scanning

/// Counts the headers among the rows of a file: each begins another report that was joined to it.
struct RepeatedHeaders {
  private let headerLine: Int
  private let firstColumn: [UInt8]
  private var count = 0
  private var firstLine: Int?

  init(_ header: ReportHeader) {
    headerLine = header.headerLine
    firstColumn = Array((header.columnNames.first ?? "").utf8)
  }

  /// Looks at a line; a header begins as the file's own does, also one of another version.
  mutating func feed(_ line: Span<UInt8>, _ place: Line) {
    guard place.number > headerLine, !firstColumn.isEmpty, line.count > firstColumn.count else {
      return
    }
    for (offset, byte) in firstColumn.enumerated() where line[offset] != byte { return }
    guard line[firstColumn.count] == UInt8(ascii: "\t") else { return }
    count += 1
    firstLine = firstLine ?? place.number
  }

  /// What is wrong with the file; `nil` for one report.
  var problem: FileProblem? {
    count == 0 ? nil : FileProblem(headers: count, firstLine: firstLine)
  }
}

extension FileProblem {
  /// A file of several reports with a header each.
  init(headers: Int, firstLine: Int?) {
    self.init(
      code: Reject.Code.repeatedHeader.rawValue,
      message: HeaderError.joined("\(headers + 1) reports"), isCorruption: false, line: firstLine)
  }
}
