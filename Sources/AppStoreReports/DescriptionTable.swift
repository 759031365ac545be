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
  /// The columns that describe, as runs of neighbours.
  private let runs: [ClosedRange<Int>]
  /// The run with the most columns.
  private let longest: Int
  /// Where the runs are in the present row, where there are several.
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
    guard let longest = runs.indices.max(by: { runs[$0].count < runs[$1].count }) else {
      preconditionFailure("a report without a column that describes")
    }
    self.runs = runs
    self.longest = longest
    pieces = runs.map { _ in 0..<0 }
  }

  /// Returns the description of a row that is not split yet, if an earlier row said the same.
  ///
  /// The fields around the longest run are split then, and the row as a whole is good: the bytes that describe
  /// are those of a good row, all but the longest run have as many fields as theirs, and so it has, too. Not
  /// looking for tabs in what is known saved a tenth of all instructions of a run.
  mutating func known(
    _ line: Span<UInt8>, _ place: Line, _ row: inout RowSplitter
  ) -> Reader.Description? {
    guard let range = row.splitAround(runs[longest], line, place) else { return nil }
    let id: UInt32?
    if runs.count == 1 {
      id = table.find(line, range)
    } else {
      findPieces(row, ofLongest: range)
      id = table.find(line, pieces: pieces)
    }
    return id.flatMap { descriptions[Int($0)] }
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
    let range = Self.range(runs[longest], row)
    if runs.count == 1 { return table.id(of: line, range) }
    findPieces(row, ofLongest: range)
    return table.id(of: line, pieces: pieces)
  }

  /// Finds where the runs are, of which the longest need not be split.
  private mutating func findPieces(_ row: borrowing RowSplitter, ofLongest range: Range<Int>) {
    for index in runs.indices {
      let run = index == longest ? range : Self.range(runs[index], row)
      // With the tab that follows, which tells where a run ends; after the last one there may be none.
      let isLast = index == runs.count &- 1
      pieces[index] = run.lowerBound..<(isLast ? run.upperBound : run.upperBound &+ 1)
    }
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
