/// How much of each table `index.html` shows, so that the page has at most 3 MB and 60,000 elements.
struct PageDetail: Sendable {
  /// The months in figures.
  var months: Int
  /// The most rows of numbers below a figure.
  var rows: Int
  /// The most rows of a table without a figure.
  var tableRows: Int
  /// The products and countries whose series the script can draw, of each dimension.
  var choices: Int

  /// The choices in the order in which they are tried.
  static let levels = [
    PageDetail(months: 60, rows: 40, tableRows: 100, choices: 60),
    PageDetail(months: 36, rows: 24, tableRows: 50, choices: 30),
    PageDetail(months: 24, rows: 12, tableRows: 20, choices: 10),
  ]

  /// The most bytes of a page.
  static let mostBytes = 3_000_000
  /// The most elements of a page.
  static let mostElements = 60_000

  /// Returns whether a page is small enough.
  static func fits(_ page: [UInt8]) -> Bool {
    guard page.count <= mostBytes else { return false }
    // Each element begins with `<` and a letter; the end of one, with `</`.
    let starts = zip(page, page.dropFirst()).count { byte, next in
      byte == UInt8(ascii: "<") && next > UInt8(ascii: "9")
    }
    return starts <= mostElements
  }
}
