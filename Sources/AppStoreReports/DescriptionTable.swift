import Scanning

/// Reads the description of a row's subscription, once for all rows with the same one.
protocol DescriptionReader: Sendable {
  /// The parts of a description that rows need.
  associatedtype Description: Sendable

  /// Reads the description of a row.
  mutating func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> Description
}

/// Caches the description of a row's subscription by the bytes of the columns that describe it.
///
/// Reports repeat a few thousand descriptions millions of times. The first row with a description parses
/// it; each later row costs one lookup of its bytes in place: in one piece where the columns are adjacent,
/// as in Apple's SUBSCRIBER, otherwise in several.
struct DescriptionTable<Reader: DescriptionReader> {
  private var reader: Reader
  /// The describing columns, as runs of adjacent columns.
  private let runs: [ClosedRange<Int>]
  /// The run with the most columns.
  private let longest: Int
  /// The ranges of the runs in the current row, if there are several runs.
  private var pieces: [Range<Int>]
  private var table = SymbolTable()
  private var descriptions: [Reader.Description?] = []
  private var faults: [Int: FieldFault] = [:]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - header: The header of the report.
  ///   - columns: The describing columns; those that the header lacks are left out.
  ///   - reader: Reads each new description.
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

  /// Returns the description of a row that is not split yet, if an earlier row had the same one.
  ///
  /// The fields around the longest run are then split, and the row as a whole is good: its describing bytes equal
  /// those of a good row, and every other field was counted, so the longest run has the right number, too.
  /// Not searching for tabs in cached bytes saved a tenth of all instructions of a run.
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

  /// Returns the description of a row that is split, and reads it if it is new.
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

  /// Finds the ranges of the runs; the longest run need not be split.
  private mutating func findPieces(_ row: borrowing RowSplitter, ofLongest range: Range<Int>) {
    for index in runs.indices {
      let run = index == longest ? range : Self.range(runs[index], row)
      // Includes the tab that ends each run; the last run may have none.
      let isLast = index == runs.count &- 1
      pieces[index] = run.lowerBound..<(isLast ? run.upperBound : run.upperBound &+ 1)
    }
  }

  /// Returns the range of adjacent fields.
  private static func range(
    _ run: ClosedRange<Int>, _ row: borrowing RowSplitter
  ) -> Range<Int> {
    row[run.lowerBound].lowerBound..<row[run.upperBound].upperBound
  }

  /// Reads a new description, or keeps its fault.
  private mutating func add(_ line: Span<UInt8>, _ row: borrowing RowSplitter) {
    do throws(FieldFault) {
      descriptions.append(try reader.read(line, row))
    } catch {
      faults[descriptions.count] = error
      descriptions.append(nil)
    }
  }
}

/// Caches the meaning of each text in a column.
///
/// Thousands of descriptions share a handful of durations and offers.
struct TextMeanings<Meaning: Sendable>: Sendable {
  private let meaning: @Sendable (String) -> Meaning?
  private var texts = SymbolTable()
  private var meanings: [Meaning] = []

  /// Creates an empty cache.
  ///
  /// - Parameter meaning: Returns the meaning of a text, or `nil` if it has none.
  init(_ meaning: @escaping @Sendable (String) -> Meaning?) {
    self.meaning = meaning
  }

  /// Returns the meaning of a text.
  ///
  /// - Parameters:
  ///   - line: The line that holds the text.
  ///   - range: Where the text is.
  /// - Returns: Its meaning; `nil` when it has none.
  mutating func meaning(_ line: Span<UInt8>, _ range: Range<Int>) -> Meaning? {
    if let number = texts.find(line, range) { return meanings[Int(number)] }
    // Texts without a meaning are not cached: there may be any number of them.
    guard let meaning = meaning(text(line, range)) else { return nil }
    _ = texts.id(of: line, range)
    meanings.append(meaning)
    return meaning
  }
}
