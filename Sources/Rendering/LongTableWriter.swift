import Storage
package import Tables

/// Prints a table of many rows piece by piece, with the bytes that ``TableRenderer`` gives for all of it.
package struct LongTableWriter: Sendable {
  /// The columns that a terminal has no room for.
  package let leftOut: [String]
  /// The columns that are empty in all rows and left out on a terminal.
  package let empty: [String]

  private let table: LongTable
  private let format: OutputFormat
  private let terminal: TerminalTable?
  private let jobs: Int
  private let renderer: TableRenderer

  /// The number of rows of a piece.
  private static let rowsAtOnce = 1_000
  /// How many pieces each thread makes before they are passed on, in order.
  private static let piecesAtOnce = 4
  /// The most threads that make rows: their pieces are in memory at once, some 10 MB.
  private static let mostThreads = 8

  /// Creates a writer; for a terminal it goes through all rows once, to measure the columns.
  ///
  /// `fitsColumns`, `isColored` and `width` (`nil` cuts nothing) are for ``OutputFormat/table``, `marks` for
  /// ``OutputFormat/csv``. `jobs` threads make rows.
  package init(
    _ table: LongTable, _ format: OutputFormat, fitsColumns: Bool, isColored: Bool, width: Int?,
    jobs: Int = 1, marks: CSVMarks = .usual
  ) {
    (self.format, self.jobs) = (format, min(jobs, Self.mostThreads))
    renderer = TableRenderer(format, marks: marks)
    guard format == .table else {
      (self.table, leftOut, empty, terminal) = (table, [], [], nil)
      return
    }
    var measured = Measured(table)
    (empty, leftOut) = fitsColumns ? measured.fit(into: width) : ([], [])
    self.table = measured.table
    terminal = TerminalTable(
      measured.table.columns, widths: measured.widths, isColored: isColored, width: width)
  }

  /// The least number of lines that are printed: a cell with a line end, and a long reason on a terminal, take more.
  package var lineCount: Int {
    switch format {
    case .jsonl: table.count
    case .md, .json: table.count + 2
    case .table, .csv, .tsv, .html, .svg, .sqlite, .xlsx: table.count + 1
    }
  }

  /// Passes the bytes of the table, piece by piece: whole lines.
  package func write<Failure: Error>(
    _ body: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var bytes: [UInt8] = []
    if let terminal {
      terminal.appendHeader(to: &bytes)
    } else {
      renderer.appendHeader(table.header, to: &bytes)
    }
    if !bytes.isEmpty { try body(bytes) }
    let count = (table.count + Self.rowsAtOnce - 1) / Self.rowsAtOnce
    let step = jobs * Self.piecesAtOnce
    for first in stride(from: 0, to: count, by: step) {
      let pieces = Workers.map(count: min(step, count - first), jobs: jobs) { piece(first + $0) }
      for piece in pieces { try body(piece) }
    }
    bytes.removeAll()
    renderer.appendEnd(isEmpty: table.count == 0, to: &bytes)
    if !bytes.isEmpty { try body(bytes) }
  }

  /// Returns the bytes of a piece: whole lines; the first has the number 0.
  private func piece(_ number: Int) -> [UInt8] {
    let start = number * Self.rowsAtOnce
    var bytes: [UInt8] = []
    let part = table.part(start..<min(start + Self.rowsAtOnce, table.count))
    if let terminal {
      for row in CellText.rows(part, words: TerminalTable.visible) {
        terminal.append(row, to: &bytes)
      }
    } else {
      renderer.appendRows(of: part, areFirst: number == 0, to: &bytes)
    }
    return bytes
  }

  /// A table with the widths of its columns, and whether each holds something.
  private struct Measured {
    var table: LongTable
    var widths: [Int]
    var isFilled: [Bool]

    init(_ table: LongTable) {
      self.table = table
      widths = table.columns.map { DisplayWidth.of(TerminalTable.visible($0.name)) }
      isFilled = table.columns.map { _ in false }
      for start in stride(from: 0, to: table.count, by: rowsAtOnce) {
        let part = table.part(start..<min(start + rowsAtOnce, table.count))
        for row in part.rows {
          for (place, cell) in row.enumerated() where !cell.isEmpty { isFilled[place] = true }
        }
        for row in CellText.rows(part, words: TerminalTable.visible) {
          for (place, text) in row.enumerated() {
            widths[place] = max(widths[place], DisplayWidth.of(text))
          }
        }
      }
    }

    /// Drops the columns that are empty or do not fit, and returns their names.
    mutating func fit(into width: Int?) -> (empty: [String], leftOut: [String]) {
      let all = table.columns.map(\.name)
      if table.count > 0 { keep(isFilled.indices.filter { isFilled[$0] }) }
      let filled = table.columns.map(\.name)
      if let width {
        let kept = TerminalColumns.kept(of: table.header, widths, width: width)
        keep(filled.indices.filter { kept.contains(filled[$0]) })
      }
      let shown = Set(table.columns.map(\.name))
      return (
        all.filter { !filled.contains($0) }, filled.filter { !shown.contains($0) }
      )
    }

    private mutating func keep(_ places: [Int]) {
      table = table.keeping(places)
      widths = places.map { widths[$0] }
    }
  }
}
