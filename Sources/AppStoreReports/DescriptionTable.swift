import Scanning

/// Reads the description of a row's subscription.
protocol DescriptionReader: Sendable {
  /// The values that rows need from their description.
  associatedtype Description: Sendable

  /// Reads the description of a row.
  mutating func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> Description
}

/// Caches the descriptions of subscriptions by the bytes of their columns.
///
/// Millions of rows have a few thousand descriptions. A description is parsed in its first row; for
/// later rows, its bytes are looked up without copying: as one piece if the columns are adjacent,
/// as in SUBSCRIBER, otherwise as several.
struct DescriptionTable<Reader: DescriptionReader> {
  private(set) var reader: Reader
  /// The columns of the description, as ranges of adjacent columns.
  private let runs: [ClosedRange<Int>]
  /// The index of the run with the most columns.
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
  ///   - columns: The columns of the description; columns that the header lacks are ignored.
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
      preconditionFailure("a report without description columns")
    }
    self.runs = runs
    self.longest = longest
    pieces = runs.map { _ in 0..<0 }
  }

  /// Returns the cached description of a row, without splitting the whole row; `nil` for a new
  /// description.
  ///
  /// If there is one, the fields outside the longest run of columns are split, and the number of
  /// fields is right: the bytes of the longest run equal those of an earlier row, and the other
  /// fields are counted. Compared with splitting all fields, this saved a tenth of all
  /// instructions.
  mutating func cached(
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

  /// Returns the description of a split row, after parsing it if it is new.
  mutating func description(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> Reader.Description {
    let oldCount = table.count
    let index = Int(id(of: line, row))
    if index == oldCount { add(line, row) }
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
      // A piece includes the tab after the run; there is none after the last run.
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

  /// Parses a new description, and caches it or its fault.
  private mutating func add(_ line: Span<UInt8>, _ row: borrowing RowSplitter) {
    do throws(FieldFault) {
      descriptions.append(try reader.read(line, row))
    } catch {
      faults[descriptions.count] = error
      descriptions.append(nil)
    }
  }
}

/// Caches the parsed value of each text in a column.
///
/// Thousands of descriptions have a handful of durations and offers.
struct ParsedTexts<Value: Sendable>: Sendable {
  private let parse: @Sendable (String) -> Value?
  private var texts = SymbolTable()
  private var values: [Value] = []

  /// Creates an empty cache.
  ///
  /// - Parameter parse: Returns the value of a text; `nil` for an invalid text.
  init(_ parse: @escaping @Sendable (String) -> Value?) {
    self.parse = parse
  }

  /// Returns the value of a text.
  ///
  /// - Parameters:
  ///   - line: The line that holds the text.
  ///   - range: Where the text is.
  /// - Returns: The value; `nil` for an invalid text.
  mutating func parsed(_ line: Span<UInt8>, _ range: Range<Int>) -> Value? {
    if let number = texts.find(line, range) { return values[Int(number)] }
    // Invalid texts are not cached, because there may be any number of them.
    guard let value = parse(text(line, range)) else { return nil }
    _ = texts.id(of: line, range)
    values.append(value)
    return value
  }
}
