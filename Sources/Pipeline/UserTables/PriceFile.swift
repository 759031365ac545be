package import PriceImpact
import Scanning
import SubscriptionModel

/// Reads a user's price file: `--price-changes` or `--plan`.
package enum PriceFile: Sendable {
  /// `--price-changes`: CSV `product,country,effective,old_price,new_price,currency`, and
  /// optionally `plan`, the billing plan of the price (upfront if it is blank).
  case changes
  /// `--plan`: CSV `product,country,date,new_price,currency`, and optionally `plan`, the billing
  /// plan of the price (all plans if it is blank).
  case plan

  /// The columns that the file must have.
  package var columns: [String] {
    switch self {
    case .changes: ["product", "country", "effective", "old_price", "new_price", "currency"]
    case .plan: ["product", "country", "date", "new_price", "currency"]
    }
  }

  /// The column of the day.
  package var dateColumn: String { columns[2] }

  /// Reads rows.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - path: The file's name, for messages.
  /// - Returns: The rows in the order of the file.
  /// - Throws: ``TableError`` with one line for each bad row.
  package func read(_ text: String, path: String) throws(TableError) -> [PricePlan.Row] {
    var lines: [[String]: Int] = [:]
    return try UserTable(text, path: path, forms: [columns]).readAll { (row) throws(TableError) in
      try read(row, &lines)
    }
  }

  /// Reads a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - lines: The line of each product, country, currency and billing plan so far; a second row
  ///     for the same is an error.
  /// - Returns: The row with its values read.
  /// - Throws: ``TableError`` for the first bad cell.
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
  /// - Parameter text: The currency, the percentage, and the amounts for plans shorter than a year and of a
  ///   year.
  package init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 4, isCurrency(words[0]), let percent = Int(words[1]), percent > 0,
      let amount = price(words[2]), let yearlyAmount = price(words[3])
    else { return nil }
    self.init(
      currency: words[0].uppercased(), percent: percent, amount: amount, yearlyAmount: yearlyAmount)
  }
}
