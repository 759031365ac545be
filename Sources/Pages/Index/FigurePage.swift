import Counting
import Pipeline
import Rendering
package import SubscriptionModel
package import Tables

/// A page with figures of a report: `index.html`, `app-ID.html` of one app, or `reconcile-FY2026-P03.html` of a period.
///
/// It is made when its bytes are: pages are made side by side, and none waits in memory.
package struct FigurePage: Sendable {
  package let name: String
  private let make: @Sendable () -> [UInt8]

  /// The page as UTF-8.
  package var bytes: [UInt8] { make() }

  /// Returns `index.html`, a page for each app if there are several, and one for each settled period; `files` can be
  /// linked.
  package static func all(
    _ summary: SummaryPage, files: Set<String>, conversion: CurrencyConversion?
  ) -> [FigurePage] {
    let (content, apps) = (summary.answer.content, summary.answer.apps)
    let appTables = AppTables(
      apps.isEmpty ? [:] : content.tables,
      appsOfProducts: apps.isEmpty ? [:] : content.result.names.appsOfProducts)
    let index = FigurePage(name: PageFile.index) {
      ReportPage(summary.answer.layout, files: files).bytes
    }
    let ofApps = apps.map { app in
      FigurePage(name: app.file) {
        let own = PageContent(
          app, appTables.tables(of: app.name), of: content, conversion: conversion)
        return ReportPage(Answer(own, apps: apps).layout, files: files).bytes
      }
    }
    let ofPeriods = content.finance?.layouts(inFolder: true).map { name, layout in
      FigurePage(name: name) { ReportPage(layout(), files: files).bytes }
    }
    return [index] + ofApps + (ofPeriods ?? [])
  }
}

/// The names of the pages of a report.
package enum PageFile {
  static let index = "index.html"
  package static let summary = "summary.md"

  /// Returns the name of a settled period's page, such as `reconcile-FY2026-P03.md`.
  package static func ofPeriod(_ period: FiscalPeriod, _ ending: String) -> String {
    "reconcile-\(period).\(ending)"
  }

  /// Returns a name such as `app-1450000001.html`; other bytes than ASCII letters, digits, dots and hyphens become `_`.
  static func app(_ id: String) -> String {
    let bytes = id.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "-"):
        byte
      default: UInt8(ascii: "_")
      }
    }
    return "app-" + String(decoding: bytes, as: UTF8.self) + ".html"
  }
}
