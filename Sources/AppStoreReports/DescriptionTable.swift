import Scanning

/// Reads what a row says about its subscription, once for all rows that say the same.
protocol DescriptionReader: Sendable {
  /// What rows need to know of it.
  associatedtype Description: Sendable

  /// Reads the description of a row.
  mutating func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> Description
}

/// Finds what a row says about its subscription by the bytes of the columns that say it.
///
/// Reports repeat a few thousand descriptions millions of times. A description is parsed when it is
/// met first; after that a row costs one lookup of its bytes where they lie: in one piece where the columns
/// are neighbours, as Apple's are in SUBSCRIBER, otherwise in several.
struct DescriptionTable<Reader: DescriptionReader> {
  private var reader: Reader
  private let runs: [ClosedRange<Int>]
  /// Where the runs are in the present row, of more than one.
  private var pieces: [Range<Int>]
  private var table = SymbolTable()
  private var descriptions: [Reader.Description?] = []
  private var faults: [Int: FieldFault] = [:]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - header: The header of the report.
  ///   - columns: The columns that describe; those that the header lacks are left out.
  ///   - reader: What reads a description that is new.
  init(_ header: ReportHeader, columns: [Column], _ reader: Reader) {
    self.reader = reader
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
    pieces = runs.map { _ in 0..<0 }
  }

  /// Returns the description of a row that is not split yet, if the columns are neighbours and an earlier
  /// row said the same.
  ///
  /// The fields around the description are split then, and the row as a whole is good: the bytes between
  /// are those of a good row, so they hold as many fields. Not looking for tabs in what is known saved a
  /// tenth of all instructions of a run.
  mutating func known(
    _ line: Span<UInt8>, _ place: Line, _ row: inout RowSplitter
  ) -> Reader.Description? {
    guard runs.count == 1, let range = row.splitAround(runs[0], line, place),
      let id = table.find(line, range)
    else { return nil }
    return descriptions[Int(id)]
  }

  /// Returns the description of a row that is split.
  mutating func description(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> Reader.Description {
    let known = table.count
    let index = Int(id(of: line, row))
    if index == known { add(line, row) }
    if let description = descriptions[index] { return description }
    guard let fault = faults[index] else { preconditionFailure("a description without a value") }
    throw fault
  }

  /// Returns the number of a row's description.
  private mutating func id(of line: Span<UInt8>, _ row: borrowing RowSplitter) -> UInt32 {
    if runs.count == 1 { return table.id(of: line, Self.range(runs[0], row)) }
    for index in runs.indices {
      let range = Self.range(runs[index], row)
      // With the tab that follows, which tells where a run ends; after the last one there may be none.
      let isLast = index == runs.count &- 1
      pieces[index] = range.lowerBound..<(isLast ? range.upperBound : range.upperBound &+ 1)
    }
    return table.id(of: line, pieces: pieces)
  }

  /// Returns where neighbouring fields are.
  private static func range(
    _ run: ClosedRange<Int>, _ row: borrowing RowSplitter
  ) -> Range<Int> {
    row[run.lowerBound].lowerBound..<row[run.upperBound].upperBound
  }

  /// Reads the newest description, or keeps what is wrong with it.
  private mutating func add(_ line: Span<UInt8>, _ row: borrowing RowSplitter) {
    do throws(FieldFault) {
      descriptions.append(try reader.read(line, row))
    } catch {
      faults[descriptions.count] = error
      descriptions.append(nil)
    }
  }
}
