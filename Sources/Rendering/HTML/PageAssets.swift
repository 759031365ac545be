/// The style sheet and the script of pages: files in `Assets`, embedded when the program is built.
///
/// Both stand on each page without the blanks before their lines, the empty lines and the lines that are a comment.
package enum PageAssets {
  /// The style sheet, as UTF-8.
  package static let styleSheet = short(PackageResources.page_css)

  /// The rules of charts with all colours, as UTF-8: also the style of a chart that is a file.
  package static let chartStyleSheet = short(PackageResources.charts_css)

  /// The style sheet of the report page, as UTF-8; it begins with ``chartStyleSheet``.
  package static let reportStyleSheet = chartStyleSheet + short(PackageResources.report_css)

  /// The script, as UTF-8; a page without it shows everything.
  package static let script = short(PackageResources.page_js)

  /// Returns a file without the lines that only its editors need.
  ///
  /// - Parameter file: A file in which no text goes over several lines, and no comment but those between `/*` and `*/`.
  /// - Returns: Its other lines without indentation.
  static func short(_ file: [UInt8]) -> [UInt8] {
    let (space, lineFeed) = (UInt8(ascii: " "), UInt8(ascii: "\n"))
    var kept: [UInt8] = []
    kept.reserveCapacity(file.count)
    for line in file.split(separator: lineFeed) {
      let text = line.drop { $0 == space }
      let isBlock = text.starts(with: "/*".utf8) && text.suffix(2).elementsEqual("*/".utf8)
      guard !text.isEmpty, !isBlock, !text.starts(with: "//".utf8) else { continue }
      kept += text
      kept.append(lineFeed)
    }
    return kept
  }
}
