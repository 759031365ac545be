import Files
import Pages
import Pipeline
import Rendering
import Storage
import Tables

/// Prints tables with the columns, order and number of rows of the user's options; on a terminal, with the columns that
/// fit.
struct TableOutput {
  private let command: RunCommand
  private let format: OutputFormat
  private let options: TableOptions
  /// The file of `-o`; `nil` for standard output.
  private let path: String?
  /// The width of the terminal in characters; `nil` for no limit.
  let width: Int?

  init(_ command: RunCommand, _ format: OutputFormat, _ options: TableOptions, path: String?) {
    (self.command, self.format, self.options, self.path) = (command, format, options, path)
    width = path == nil ? Terminal.columns : nil
  }

  /// Prints tables with an empty line between them.
  ///
  /// `answer` are lines above the first table, on a terminal. The formats for people, `table`, `md` and `html`, have
  /// the `important` columns, all others have all. The page is not made where the format needs none.
  func print(
    _ tables: [ReportTable], answer: [String] = [], important: Set<String>? = nil,
    page: @autoclosure () -> TablePage
  ) throws -> Set<ExitReason> {
    let tables = format == .table ? tables.map { $0.addingTrend() } : tables
    try options.refuseUnknownColumns(tables, format)
    guard format.isOfRows else { return try print(tables, important, page()) }
    guard !format.isBinary else { return try print(shown(tables, important).map(LongTable.init)) }
    let renderer = TableRenderer(
      format, isColored: try command.settings.isColored(in: path), width: width,
      marks: try command.settings.marks())
    var bytes = Array(answer.map { VisibleText.of($0) + "\n" }.joined().utf8)
    if !answer.isEmpty { bytes.append(UInt8(ascii: "\n")) }
    for (index, table) in shown(tables, important).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "\n")) }
      renderer.append(table, to: &bytes)
    }
    return try write(bytes)
  }

  /// Returns tables with the rows and columns that the format shows; prints once what all of them leave out.
  private func shown(
    _ tables: [ReportTable], _ important: Set<String>?
  ) -> [ReportTable] {
    for line in tables.map(currencyNote).unique where !line.isEmpty { command.console.note(line) }
    noteTop(tables)
    for line in tables.map(fewNote).unique where !line.isEmpty { command.console.note(line) }
    let parts = tables.map { shown(options.shape.applied(to: $0), important) }
    note("empty columns left out", parts.flatMap(\.empty).unique)
    if parts.contains(where: \.hasNoChange) {
      command.console.note(
        "note: nothing to compare with: there is no earlier row, or one of the two is partial")
    }
    noteTooWide(parts.flatMap(\.tooWide).unique)
    for month in parts.compactMap(\.onlyMonth).unique {
      command.console.note("note: all rows are of \(month)")
    }
    return parts.map(\.table)
  }

  /// Prints a long list piece by piece, with the bytes that ``print(_:answer:important:page:)`` prints.
  ///
  /// A page is made of all rows at once.
  func print(
    _ table: LongTable, page: @autoclosure () -> TablePage
  ) throws -> Set<ExitReason> {
    guard format.isOfRows else { return try print([table.table], page: page()) }
    try options.refuseUnknownColumns([table.header], format)
    noteTop(table.header, of: table.count)
    guard !format.isBinary else { return try print([table.shaped(by: options.shape)]) }
    let writer = LongTableWriter(
      table.shaped(by: options.shape), format, fitsColumns: options.columns == nil,
      isColored: try command.settings.isColored(in: path), width: width, jobs: command.plan.jobs,
      marks: try command.settings.marks())
    note("empty columns left out", writer.empty)
    noteTooWide(writer.leftOut)
    if path == nil, !options.noPager, let screen = Terminal.lines, writer.lineCount >= screen,
      let pager = Pager.command, Pager.show(with: pager, writer.write)
    {
      return []
    }
    return try command.print(to: path, writer.write)
  }

  /// Writes a database or a workbook; chosen columns need not identify a row.
  private func print(_ tables: [LongTable]) throws -> Set<ExitReason> {
    try command.print(
      ExportFile.bytes(
        of: tables, format, hasKeys: options.columns == nil, command.console), to: path)
  }

  /// Prints the figure of tables, or a page with both.
  private func print(
    _ tables: [ReportTable], _ important: Set<String>?, _ page: TablePage
  ) throws -> Set<ExitReason> {
    guard format == .html else {
      if let svg = page.figures.svg(narrowing: page.limits) {
        if page.figures.count > 1 {
          command.console.note(
            "note: the first of \(page.figures.count) figures; -f html has all of them")
        }
        return try write(svg)
      }
      command.console.error("too little data for a figure; -f csv has the numbers [no-input]")
      return [.unusableInput]
    }
    for line in tables.map(currencyNote).unique where !line.isEmpty { command.console.note(line) }
    return try write(
      page.html(tables.map { shown(options.shape.applied(to: $0), important).table }))
  }

  /// The part of a table that is shown, and the columns without room.
  private struct Shown {
    let table: ReportTable
    /// Columns that are empty in all rows.
    var empty: [String] = []
    /// Whether no row has an earlier one to compare it with.
    var hasNoChange = false
    /// Columns that had no room.
    var tooWide: [String] = []
    /// The month of all rows, whose column had no room.
    var onlyMonth: String?
  }

  /// Returns a table with the columns that the format shows: all that the user named, otherwise those that fit.
  private func shown(_ table: ReportTable, _ important: Set<String>?) -> Shown {
    guard options.columns == nil else { return Shown(table: table) }
    var table = table
    if let important, format.isForReaders {
      table = table.keeping { important.contains($0) || $0 == Trend.column }
    }
    guard format == .table else { return Shown(table: table) }
    let full = table.withoutEmptyColumns
    let fitting = TerminalColumns(full, width: width)
    var shown = Shown(table: fitting.table, tooWide: fitting.leftOut)
    if fitting.leftOut.contains("month") { shown.onlyMonth = full.namedRows.first?.text("month") }
    let kept = Set(full.columns.map(\.name))
    let names = table.columns.map(\.name)
    let added = Self.changes(of: names).intersection(names)
    shown.hasNoChange = !table.rows.isEmpty && !added.isEmpty && added.isDisjoint(with: kept)
    shown.empty = names.filter { !kept.contains($0) && !(shown.hasNoChange && added.contains($0)) }
    return shown
  }

  /// Returns the names of the columns that `--against` adds to some columns.
  private static func changes(of names: [String]) -> Set<String> {
    let endings = ReportTable.changeEndings
    return Set(names.flatMap { [$0 + endings.before, $0 + endings.change] })
  }

  /// Prints which columns had no room, without those that `--against` adds to one of them.
  private func noteTooWide(_ names: [String]) {
    let added = Self.changes(of: names)
    let end = names.contains(where: added.contains) ? " with their changes" : ""
    note(
      "too wide for the terminal, not shown", names.filter { !added.contains($0) },
      "\(end); --columns shows them")
  }

  /// That amounts of several currencies are sorted by their digits; blank if they are not.
  ///
  /// A converted column, such as `gross_price_USD`, has one currency: its name has capital letters.
  private func currencyNote(_ table: ReportTable) -> String {
    guard let column = options.shape.sortedColumn(of: table), column.kind == .money,
      let place = table.columns.firstIndex(where: { $0.name == "currency" }),
      !column.name.contains(where: \.isUppercase), Set(table.rows.map { $0[place] }).count > 1
    else { return "" }
    let converted = table.columns.first {
      $0.name.hasPrefix(column.name + "_") && $0.name.contains(where: \.isUppercase)
    }
    // Settlements are compared whole, and not converted.
    let other = table.name == "reconcile" ? "" : "; --currency converts them"
    let advice = converted.map { "; --sort \($0.name) has the converted ones" } ?? other
    return
      "note: sorted by \(column.name) in several currencies, which cannot be compared\(advice)"
  }

  /// Prints how the rows of `--top` were chosen where `--sort` does not say it.
  private func noteTop(_ tables: [ReportTable]) {
    let cut = tables.filter { table in options.top.map { table.rows.count > $0 } == true }
    guard tables.count > 1 else {
      if let table = cut.first { noteTop(table, of: table.rows.count) }
      return
    }
    guard let top = options.top, options.sort == nil, let table = cut.first else { return }
    command.console.note(
      "note: at most \(counted(top, "row")) of each table, \(choice(table)); --sort chooses others")
  }

  private func noteTop(_ table: ReportTable, of count: Int) {
    guard let top = options.top, options.sort == nil, count > top else { return }
    command.console.note(
      "note: \(top) of \(counted(count, "row")), \(choice(table)); --sort chooses others")
  }

  private func choice(_ table: ReportTable) -> String {
    let column = options.shape.sortedColumn(of: table)
    return column.map { "those with the largest \($0.name)" } ?? "the first ones"
  }

  /// In how many of the rows for readers few subscriptions were at risk; blank for none.
  private func fewNote(_ table: ReportTable) -> String {
    guard format.isForReaders else { return "" }
    var shape = options.shape
    shape.columns = []
    let few = shape.applied(to: table).noteOnFewAtRisk
    return few.isEmpty ? "" : "note: \(few)"
  }

  private func note(_ text: String, _ names: [String], _ end: String = "") {
    guard !names.isEmpty else { return }
    command.console.note("note: \(text): \(names.joined(separator: ", "))\(end)")
  }

  /// Writes to the file, through the pager, or to standard output.
  private func write(_ bytes: [UInt8]) throws -> Set<ExitReason> {
    let lines = bytes.count { $0 == UInt8(ascii: "\n") }
    if path == nil, !options.noPager, let screen = Terminal.lines, lines >= screen,
      let pager = Pager.command, Pager.show(bytes, with: pager)
    {
      return []
    }
    return try command.print(bytes, to: path)
  }
}

/// The words and figures around a table that is printed as a page, or whose figure is printed.
struct TablePage {
  /// The title without what the numbers are limited to, in Markdown.
  let title: String
  /// What the numbers are limited to, such as `only country DE`; blank for nothing.
  var limits = ""
  /// What the table says, in Markdown; blank where its figures say it.
  var sentence = ""
  /// What the numbers mean, in Markdown.
  var lead: [String] = []
  var figures = TableFigures.empty

  /// Returns the page with some tables, as UTF-8.
  func html(_ tables: [ReportTable]) -> [UInt8] {
    figures.html(
      title: title, limits: limits, sentence: sentence, lead: lead.filter { !$0.isEmpty },
      tables: tables)
  }

  /// Returns a table without a figure and without a key in a format: as a page, or its rows.
  func bytes(
    of table: ReportTable, _ format: OutputFormat, _ marks: CSVMarks = .usual
  ) throws -> [UInt8] {
    if format == .html { return html([table]) }
    guard !format.isBinary else {
      return try ExportFile.bytes(of: [LongTable(table)], format, hasKeys: false, .standard)
    }
    return TableRenderer(format, marks: marks).bytes(of: table)
  }
}
