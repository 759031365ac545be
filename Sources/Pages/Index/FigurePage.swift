import Charts
import Counting
import Crypto
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
      byte.isLetterOrDigit || ".-".utf8.contains(byte) ? byte : UInt8(ascii: "_")
    }
    return "app-" + String(decoding: bytes, as: UTF8.self) + ".html"
  }
}

/// The frame of every HTML page: its head with the content policy, its style sheet, and its script.
///
/// The policy forbids all loading. The style sheet and the script are on the page itself and are allowed by their hashes.
enum PageDocument {
  private static let (style, script) = (PageAssets.styleSheet, PageAssets.script)

  private static let policy = [
    "default-src 'none'", "style-src 'sha256-\(hash(style))'",
    "script-src 'sha256-\(hash(script))'", "img-src data:", "base-uri 'none'",
    "form-action 'none'",
  ].joined(separator: "; ")

  /// Returns a page as UTF-8; the title is escaped here.
  static func bytes(title: String, _ body: (inout HTMLWriter) -> Void) -> [UInt8] {
    var page = HTMLWriter()
    page.markup("<!DOCTYPE html>\n".utf8)
    page.element(.html, [.lang: "en"]) { page in
      page.element(.head) { appendHead(title, to: &$0) }
      page.element(.body) { page in
        body(&page)
        page.element(.script) { $0.markup(script) }
      }
    }
    return page.bytes
  }

  private static func appendHead(_ title: String, to page: inout HTMLWriter) {
    page.open(.meta, [.charset: "utf-8"])
    page.open(.meta, [.httpEquiv: "Content-Security-Policy", .content: policy])
    page.open(.meta, [.name: "viewport", .content: "width=device-width, initial-scale=1"])
    page.element(.title, text: title)
    // Without an icon a browser would ask the server for one.
    page.open(.link, [.rel: "icon", .href: "data:,"])
    page.element(.style) { $0.markup(style) }
  }

  private static func hash(_ bytes: [UInt8]) -> String { base64(Array(SHA256.hash(data: bytes))) }

  /// Returns bytes in Base64 with padding: RFC 4648.
  private static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let joined = group.reduce(0) { $0 << 8 | Int($1) }
      let bits = joined << (8 * (3 - group.count))
      for place in 0..<4 {
        let letter = letters[(bits >> (18 - 6 * place)) & 63]
        text.append(place <= group.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
