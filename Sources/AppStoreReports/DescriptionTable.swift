import Scanning

/// Finds what a row says about its subscription by the bytes of the columns that say it.
///
/// Reports repeat a few thousand descriptions millions of times. A description is parsed when it is
/// met first; after that a row costs one lookup of its bytes. Neighbouring columns are looked up as
/// one run.
struct DescriptionTable<Value: Sendable> {
  private let runs: [ClosedRange<Int>]
  private var pieces: [Range<Int>]
  private var table = SymbolTable()
  private var values: [Value?] = []
  private var faults: [Int: FieldFault] = [:]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - header: The header of the report.
  ///   - columns: The columns that are described; those that the header lacks are left out.
  init(_ header: ReportHeader, columns: [Column]) {
    let fields = Set(columns.flatMap(header.fields)).sorted()
    var runs: [ClosedRange<Int>] = []
    for field in fields {
      if let last = runs.last, last.upperBound + 1 == field {
        runs[runs.count - 1] = last.lowerBound...field
      } else {
        runs.append(field...field)
      }
    }
    self.runs = runs
    pieces = Array(repeating: 0..<0, count: runs.count)
  }

  /// Returns the number of a row's description, and whether it is new.
  ///
  /// A new one must be given its value with ``append(_:)`` before the next row.
  mutating func index(
    of line: Span<UInt8>, _ row: borrowing RowSplitter
  ) -> (index: Int, isNew: Bool) {
    for index in runs.indices {
      let run = runs[index]
      pieces[index] = row[run.lowerBound].lowerBound..<row[run.upperBound].upperBound
    }
    let (id, isNew) = table.id(of: line, pieces: pieces)
    return (Int(id), isNew)
  }

  /// Gives the newest description its value, or what is wrong with it.
  mutating func append(_ result: Result<Value, FieldFault>) {
    switch result {
    case .success(let value): values.append(value)
    case .failure(let fault):
      faults[values.count] = fault
      values.append(nil)
    }
  }

  /// Returns what a description says.
  func value(_ index: Int) throws(FieldFault) -> Value {
    if let value = values[index] { return value }
    guard let fault = faults[index] else { preconditionFailure("a description without a value") }
    throw fault
  }
}
