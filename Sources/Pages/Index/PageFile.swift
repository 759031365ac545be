package import SubscriptionModel

/// The names of the pages of a report.
package enum PageFile {
  static let index = "index.html"
  package static let summary = "summary.md"

  /// Returns the name of a settled period's page, such as `reconcile-FY2026-P03.md`.
  package static func ofPeriod(_ period: FiscalPeriod, _ ending: String) -> String {
    "reconcile-\(period).\(ending)"
  }

  /// Returns the name of an app's page, such as `app-1450000001.html`.
  ///
  /// - Parameter id: The app's Apple ID or bundle id; other bytes than ASCII letters, digits, dots and hyphens become `_`.
  /// - Returns: The name of the file.
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
