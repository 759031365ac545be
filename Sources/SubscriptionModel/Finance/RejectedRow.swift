package import Storage

/// A rejected row of a finance file or of a daily SALES report, whose money is missing from
/// bridges.
package struct RejectedRow: Hashable, Sendable {
  /// The line of the file, from 1.
  package var line: Int
  /// The storefront; `nil` if it cannot be read.
  package var country: Symbol?
  /// The currency of the settlement or of the proceeds; `nil` if it cannot be read.
  package var currency: Symbol?
  /// The Transaction Date in FINANCE_DETAIL, the day of the report in SALES; otherwise `nil`.
  package var day: Day?
  /// The region's code in a payments CSV; `nil` if its name is unknown, and in other files.
  package var region: String?

  package init(
    line: Int, country: Symbol? = nil, currency: Symbol? = nil, day: Day? = nil,
    region: String? = nil
  ) {
    self.line = line
    self.country = country
    self.currency = currency
    self.day = day
    self.region = region
  }

  /// How many rejected rows of a file are kept; one more, without a country, represents all others.
  private static let limit = 1_000

  /// Adds the row to the rejected rows of its file.
  ///
  /// - Parameter rows: The rows of the file so far.
  package func add(to rows: inout [RejectedRow]) {
    if rows.count < Self.limit {
      rows.append(self)
    } else if rows.count == Self.limit {
      rows.append(RejectedRow(line: line))
    }
  }

  /// Returns whether a text has the form of a country code (`US`) or a currency code (`USD`).
  package static func isCode(_ text: some StringProtocol, letters: Int) -> Bool {
    text.utf8.count == letters && text.utf8.allSatisfy { 0x41...0x5A ~= $0 }
  }
}
