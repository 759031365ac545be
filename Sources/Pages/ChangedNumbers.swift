import Rendering
package import Tables

/// The main numbers of `changes.csv`, for the pages: those that differ from the last line of the ledger.
package struct ChangedNumbers: Sendable {
  private static let shownRows = 10

  package static let title = "Changed since the last run"

  /// The numbers before and now, with the reason; `nil` when none of the main numbers changed.
  package let table: ReportTable?
  /// How many numbers changed, and where all of them are.
  package let sentence: String
  private let isFirst: Bool

  /// Creates the section; `lastMonth` is the last month that was over at the run before, blank for none.
  package init(_ changes: ReportTable, isFirst: Bool, lastMonth: String) {
    self.isFirst = isFirst
    let numbers = changes.namedRows.filter { $0.text("column") != "state" }
    let main = numbers.filter { Self.isMain($0) && $0.text("month") <= lastMonth }
    table = main.isEmpty ? nil : Self.table(Array(main.prefix(Self.shownRows)))
    if isFirst {
      sentence = "This is the first run in the ledger: `changes.csv` is empty."
    } else if numbers.isEmpty {
      sentence = "No number of the whole population has changed since the last run."
    } else {
      let have = numbers.count == 1 ? "has" : "have"
      let shown =
        main.isEmpty
        ? "None is a main number of a month that was over."
        : main.count > Self.shownRows
          ? "Shown are \(Self.shownRows) of \(main.count) main numbers of months that were over."
          : "Shown are the main numbers of months that were over."
      sentence =
        "\(counted(numbers.count, "number")) of the whole population \(have) changed since the last run. \(shown) All of them: `changes.csv`."
    }
  }

  /// The sentence as plain text, with the first of the main numbers in place of where all of them are; `nil` where the
  /// ledger was empty before this run.
  ///
  /// Such as: 12 numbers have changed since the last run: churn.churn_rate of 2026-08 (events) from 8.11% to 8.40%:
  /// restated: subscription-event/…; and 2 more main numbers.
  var brief: String? {
    if isFirst { return nil }
    let plain = InlineMarkdown.plain(sentence)
    guard let table, let first = table.shownRows.first, let end = plain.firstIndex(of: ".") else {
      return plain
    }
    let of = first[2].isEmpty ? "" : " (\(first[2]))"
    let start = plain[..<end].replacing(" of the whole population", with: "")
    let because = first[6].isEmpty ? "" : ": \(first[6])"
    let others = table.rows.count - 1
    let more = others > 0 ? "; and \(counted(others, "more main number"))" : ""
    let month = first[1].isEmpty ? "" : " of \(first[1])"
    return
      "\(start): \(first[0])\(month)\(of) from \(first[3]) to \(first[4])\(because)\(more)"
  }

  /// The column that each table is read for.
  private static let mainColumns = TableKind.allCases.reduce(into: [String: String]()) {
    let empty = ReportTable(name: $1.rawValue, dimensions: [], columns: [], rows: [])
    $0[$1.rawValue] = empty.mainColumn
  }

  /// Returns whether a row is about the number that its table is read for.
  private static func isMain(_ row: ReportTable.NamedRow) -> Bool {
    mainColumns[row.text("table")] == row.text("column")
  }

  private static func table(_ rows: [ReportTable.NamedRow]) -> ReportTable {
    ReportTable(
      name: "changes", dimensions: [],
      columns: [
        .init("number", .key), .init("month", .key), .init("of", .key), .init("before", .text),
        .init("now", .text), .init("change", .text), .init("because", .text),
      ],
      rows: rows.map { row in
        let currency = row.text("currency")
        let (before, now, k) = (row.cell("before"), row.cell("after"), row.cell("k"))
        let period = k == .missing ? "" : "k \(k.machineText)"
        let keys = [row.text("source"), row.text("dating"), currency, period]
        return [
          .text("\(row.text("table")).\(row.text("column"))"), row.cell("month"),
          .text(keys.filter { !$0.isEmpty }.joined(separator: ", ")),
          .text(text(before, currency)), .text(text(now, currency)),
          HeadlineFigures.change(from: before, to: now, currency: currency), row.cell("because"),
        ]
      })
  }

  private static func text(_ cell: ReportTable.Cell, _ currency: String) -> String {
    switch cell {
    case .missing: "not known"
    case .count(let count): NumberStyle.grouped(count)
    case .money(let milliunits): NumberStyle.amount(milliunits: milliunits, currency: currency)
    case .ratio(let numerator, let denominator):
      NumberStyle.percentage(numerator, over: denominator)
    default: cell.machineText
    }
  }
}
