package import Files
package import PriceImpact
import Scanning
package import SubscriptionModel

/// Reads a user's price file: `--price-changes` or `--plan`.
package enum PriceFile: Sendable {
  /// `--price-changes`: CSV `product,country,effective,old_price,new_price,currency`, and
  /// optionally `plan`, the billing plan of the price (upfront if it is blank).
  case changes
  /// `--plan`: CSV `product,country,date,new_price,currency`, and optionally `plan`, the billing
  /// plan of the price (all plans if it is blank).
  case plan

  package var columns: [String] {
    switch self {
    case .changes: ["product", "country", "effective", "old_price", "new_price", "currency"]
    case .plan: ["product", "country", "date", "new_price", "currency"]
    }
  }

  package var dateColumn: String { columns[2] }

  /// Reads the file's text; returns the rows in its order, or an error that shows each bad row.
  package func read(_ text: String, path: String) throws(TableError) -> [PricePlan.Row] {
    var lines: [[String]: Int] = [:]
    return try UserTable(text, path: path, forms: [columns]).readAll { (row) throws(TableError) in
      try read(row, &lines)
    }
  }

  /// Reads a row.
  ///
  /// `lines` has the line of each product, country, currency and billing plan so far; a second row for the same is an
  /// error.
  private func read(
    _ row: UserTable.Row, _ lines: inout [[String]: Int]
  ) throws(TableError) -> PricePlan.Row {
    guard !row["product"].isEmpty else {
      throw row.error("product", expected: "an Apple ID or a name")
    }
    guard isCapitals(row["country"].uppercased(), 2) else {
      throw row.error("country", expected: "a 2-letter code such as US")
    }
    guard isCurrency(row["currency"]) else {
      throw row.error("currency", expected: "a 3-letter code such as USD")
    }
    guard let date = Day(row[dateColumn]) else {
      throw row.error(dateColumn, expected: "a day such as 2026-09-30")
    }
    let oldPrice = price(row.decimal("old_price"))
    guard oldPrice != nil || self == .plan else {
      throw row.error("old_price", expected: "a price such as 9.99")
    }
    guard let newPrice = price(row.decimal("new_price")) else {
      throw row.error("new_price", expected: "a price such as 12.99")
    }
    if let oldPrice, newPrice <= oldPrice {
      throw row.error("new_price", expected: "more than the old price \(row["old_price"])")
    }
    let plan = try plan(row)
    let key = [
      row["product"], row["country"].uppercased(), row["currency"].uppercased(), row["plan"],
    ]
    if let line = lines[key] {
      throw row.error(
        "product",
        expected:
          "one row for \(printable(key.filter { !$0.isEmpty }.joined(separator: ", "))); line \(line) has one"
      )
    }
    lines[key] = row.line
    let places = Dictionary(uniqueKeysWithValues: columns.map { ($0, row.place($0)) })
    return PricePlan.Row(
      places: places, product: key[0], country: key[1], currency: key[2], plan: plan, date: date,
      oldPrice: oldPrice, newPrice: newPrice)
  }

  /// Returns the billing plan of a row; `nil` when it is blank or the column is missing.
  private func plan(_ row: UserTable.Row) throws(TableError) -> BillingPlan? {
    let text = row["plan"]
    if text.isEmpty { return nil }
    guard let plan = [BillingPlan.upfront, .commitment].first(where: { $0.name == text }) else {
      throw row.error("plan", expected: "`upfront` or `commitment`")
    }
    return plan
  }
}

/// Returns a price above 0 with at most three decimals, such as 9.99; `nil` for anything else.
private func price(_ text: String) -> Int64? {
  guard let milliunits = milliunits(of: text), milliunits > 0 else { return nil }
  return Int64(exactly: milliunits)
}

extension ConsentRules.Rule {
  /// Creates a rule from `USD 50 5.00 50.00`; `nil` when the text has another form.
  ///
  /// It has the currency, the percentage, and the amounts for plans shorter than a year and of a year.
  package init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 4, isCurrency(words[0]), let percent = Int(words[1]), percent > 0,
      let amount = price(words[2]), let yearlyAmount = price(words[3])
    else { return nil }
    self.init(
      currency: words[0].uppercased(), percent: percent, amount: amount, yearlyAmount: yearlyAmount)
  }
}

/// The price changes that a run analyses, from `--price-changes` and `--plan`: METRICS.md section
/// 6.
package struct PricePlan: Sendable {
  /// A row of one of the two files.
  ///
  /// Product, country and currency are still text: they are compared with the reports after these
  /// are read.
  package struct Row: Equatable, Sendable {
    /// The place of each cell as `FILE:LINE:FIELD`, by column.
    var places: [String: String]
    /// The product's id or name.
    package var product: String
    /// The 2-letter storefront code.
    package var country: String
    /// The customer's currency.
    package var currency: String
    /// The billing plan; `nil` when the row states none.
    package var plan: BillingPlan?
    /// The first day of the new price.
    package var date: Day
    /// The price before, in milliunits; `nil` in a row of `--plan`.
    package var oldPrice: Int64?
    /// The price from the day on, in milliunits.
    package var newPrice: Int64

    /// Returns the error of a cell, with its place.
    package func error(_ column: String, found: String, expected: String) -> InputError {
      InputError(
        path: places[column] ?? "", code: "bad-table",
        message: "column \"\(column)\": found \"\(found)\", expected \(expected)")
    }
  }

  /// The rows of `--price-changes`; other increases are detected.
  package var increases: [Row] = []
  /// The rows of `--plan`: prices that the user intends to set.
  package var planned: [Row] = []

  /// Apple's rules for when customers must agree to an increase, applied to planned prices.
  package var consent = ConsentRules.shipped

  /// Creates a plan without rows: all changes are detected.
  package init() {}
}
