/// The style sheet and the script of pages: files in `Assets`, embedded when the program is built.
///
/// Both stand on each page without the blanks before their lines, the empty lines and the lines that are a comment.
package enum PageAssets {
  /// The rules of charts with all colours, as UTF-8.
  private static let chartStyleSheet = short(PackageResources.charts_css)

  /// The style sheet of pages, as UTF-8; it begins with the rules of charts.
  package static let styleSheet = chartStyleSheet + short(PackageResources.report_css)

  /// The rules of a chart that is a file: in light colours, without variables and conditions, on one line.
  ///
  /// Programs that are no browsers know neither; the places of plots are attributes in a file.
  package static let fileStyleSheet: String = {
    let lines = String(decoding: chartStyleSheet, as: UTF8.self).split(separator: "\n").map {
      String($0)
    }
    let light = lines.prefix { !$0.hasPrefix("@media") }.filter { $0.hasPrefix("--") }
    let colours = light.flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.split(separator: ":").map { $0.drop { $0 == " " } }
      return parts.count == 2 ? (name: "var(\(parts[0]))", value: String(parts[1])) : nil
    }
    var (rules, depth) = ("", 0)
    for line in lines {
      let isRule = depth == 0 && line.hasSuffix("}")
      if isRule, !line.hasPrefix(".plot") {
        rules += colours.reduce(line) { $0.replacing($1.name, with: $1.value) }
      }
      if !isRule { depth += line.hasSuffix("{") ? 1 : line.hasPrefix("}") ? -1 : 0 }
    }
    return rules
  }()

  /// The script, as UTF-8; a page without it shows everything.
  package static let script = short(PackageResources.page_js)

  /// Returns a file without the lines that only its editors need.
  ///
  /// No text of the file goes over several lines, and no comment but those between `/*` and `*/`.
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
