import Counting
import Pipeline
import Rendering
import SubscriptionModel
package import Tables

/// A page with figures of a report: `index.html`, `app-ID.html` of one app, or `reconcile-FY2026-P03.html` of a period.
///
/// It is made when its bytes are: pages are made side by side, and none waits in memory.
package struct FigurePage: Sendable {
  /// The name of its file.
  package let name: String
  private let make: @Sendable () -> [UInt8]

  /// The page as UTF-8.
  package var bytes: [UInt8] { make() }

  /// Returns `index.html`, a page for each app if there are several, and one for each settled period.
  ///
  /// - Parameters:
  ///   - summary: `summary.md`, with whose answer `index.html` begins.
  ///   - files: The names of the files beside the pages, which can be linked.
  ///   - conversion: Makes the net proceeds of an app one amount in its currency.
  /// - Returns: The pages, `index.html` first.
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
