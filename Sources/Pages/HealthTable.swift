import AppStoreReports
import Counting
import Files
package import Pipeline
import Rendering
import Scanning
import SubscriptionModel
package import Tables

extension RunResult {
  /// Returns `health.csv`: one row per file, then rows about inputs and sources that belong to no file.
  package func health(_ more: [[ReportTable.Cell]]) -> LongTable {
    let columns: [ReportTable.Column] = [
      .init("path", .text), .init("kind", .text), .init("version", .text), .init("period", .text),
      .init("sha256", .text), .init("rows_read", .count), .init("rows_used", .count),
      .init("rows_rejected", .count), .init("rows_ignored", .count), .init("note", .text),
    ]
    let viewRows = missingViews.map { source, view in
      Self.healthRow(source.rawValue, note: view.map(\.rawValue).joined(separator: "-"))
    }
    let filterRows = unfilteredSources.map {
      Self.healthRow($0.rawValue, note: "left out: its rows lack a filtered dimension")
    }
    let inputRows = inputErrors.map {
      Self.healthRow("unknown", path: $0.relativePath, note: "error: \($0.message) [\($0.code)]")
    }
    let receiptRows = [receiptNote].compactMap(\.self).map {
      Self.healthRow(Source.receipts.rawValue, note: $0)
    }
    let lifetimeRows = sources.flatMap { report in
      [
        ("charges", "lifetime", report.chargesInOtherCurrencies(isOfProceeds: false)),
        (
          "charges with proceeds", "lifetime by proceeds",
          report.source.hasProceeds ? report.chargesInOtherCurrencies(isOfProceeds: true) : 0
        ),
      ].filter { $0.2 != 0 }.map { charges, table, count in
        Self.healthRow(
          report.source.rawValue,
          note:
            "\(charges) in another currency than the first of their subscription, in no amount of \(table): \(count)"
        )
      }
    }
    let others =
      inputRows + viewRows + filterRows + receiptRows + lifetimeRows + Transfers(self).healthRows
      + Instalments(self).healthRows + more
    return LongTable(name: "health", columns: columns, count: files.count + others.count) {
      [files] row in
      row < files.count ? files[row].healthRow : others[row - files.count]
    }
  }

  /// Returns a row of health that belongs to no file that was read.
  package static func healthRow(_ kind: String, path: String = "", note: String) -> [ReportTable
    .Cell]
  {
    [.text(path), .text(kind), .text(""), .text(""), .text("")]
      + [.missing, .missing, .missing, .missing, .text(note)]
  }

  /// `rejects.csv`: one row per rejected row.
  package var rejectTable: ReportTable {
    let columns: [ReportTable.Column] = [
      .init("file", .text), .init("line", .count), .init("byte", .count), .init("field", .count),
      .init("column", .text), .init("code", .text), .init("found", .text), .init("expected", .text),
    ]
    let rows = files.flatMap { file in
      file.rejects.map { reject -> [ReportTable.Cell] in
        [
          .text(file.file.relativePath), .count(reject.line), .count(reject.byteOffset),
          reject.field == 0 ? .missing : .count(reject.field), .text(reject.column),
          .text(reject.code.rawValue), .text(file.found(reject)), .text(reject.expected),
        ]
      }
    }
    return ReportTable(name: "rejects", dimensions: [], columns: columns, rows: rows)
  }
}

extension FileReport {
  /// The file's row of `health.csv`.
  fileprivate var healthRow: [ReportTable.Cell] {
    [
      .text(file.relativePath), .text(kindText), .text(version), .text(period), .text(sha256),
      .count(rows.read), .count(rows.used), .count(rows.rejected), .count(rows.ignoredTotal),
      .text(note),
    ]
  }
}

/// The remarks of `health.csv` on all receipts, in the words of a page.
enum ReceiptRemarks {
  /// The remarks that a page says in other words; the others are plain.
  private static let words = [
    "family chains": "subscriptions of Family Sharing, in no rate",
    "chains without a group (group unknown)": "subscriptions whose group is not known",
    "conflicting copies": "transactions with copies that differ",
    "signatures not checked": "signatures not checked (`--verify`)",
  ]

  /// Returns remarks such as `family chains: 36; signatures not checked` in Markdown.
  static func words(_ note: String) -> String {
    note.split(separator: "; ").map { remark in
      let parts = remark.split(separator: ": ", maxSplits: 1).map(String.init)
      let name = words[parts[0]] ?? MarkdownText.escaped(parts[0])
      let count = parts.last.flatMap(Int.init).map(NumberStyle.grouped)
      return parts.count == 2 ? "\(name): \(count ?? parts[1])" : name
    }.joined(separator: "; ")
  }
}

/// The lines about apps that moved from one account to another: METRICS.md 2.13.
struct Transfers {
  /// A line for each transfer, in the order of their days.
  let lines: [String]
  /// The same in the words of the page.
  let pageLines: [String]

  init(_ result: RunResult) {
    guard let report = result.sources.first(where: { $0.source == .subscribers }) else {
      (lines, pageLines) = ([], [])
      return
    }
    let days = report.completeness
    let transfers = days.transfers.all.sorted { $0.day < $1.day }
    let line = { (transfer: AppTransfer, isOnPage: Bool) -> String in
      let id = result.names.text(transfer.app)
      let name = result.names.app(transfer.app)
      let app = name == id || name.hasSuffix("(\(id))") ? name : "\(name) (\(id))"
      let vendors = (
        days.transfers.vendors[Int(transfer.from)], days.transfers.vendors[Int(transfer.to)]
      )
      let day = isOnPage ? PageText.day(transfer.day) : transfer.day.description
      return
        "app \(app) moved from vendor \(vendors.0) to \(vendors.1) on \(day); Apple gave its subscribers new ids; \(Self.partialMonths(transfer, report, isOnPage))"
    }
    lines = transfers.map { line($0, false) }
    pageLines = transfers.map { line($0, true) }
  }

  /// Returns such as `2026-01 to 2026-04 are partial`, and until when churn is.
  private static func partialMonths(
    _ transfer: AppTransfer, _ report: SourceReport, _ isOnPage: Bool
  ) -> String {
    let months = report.completeness.months(around: transfer.day)
    let (first, last) = (months.lowerBound, months.upperBound)
    let system = report.completeness.monthSystem
    let name = { (month: Month) in isOnPage ? PageText.long(month, system) : system.name(month) }
    let words =
      "\(name(first)) to \(name(last)) are \(isOnPage ? "incomplete" : "partial")"
    // Before this day, subscribers who came with the app may not have been charged yet.
    guard let whole = report.tally.views.first(where: \.index.dimensions.isEmpty),
      let edge = whole.transfers(cohort: 0).first(where: { $0.day == transfer.day })?.edge
    else { return words }
    let lastOfChurn = system.month(of: edge - 1)
    return lastOfChurn > last ? "\(words), churn to \(name(lastOfChurn))" : words
  }

  var healthRows: [[ReportTable.Cell]] {
    lines.map { RunResult.healthRow(Source.subscribers.rawValue, note: $0) }
  }
}
