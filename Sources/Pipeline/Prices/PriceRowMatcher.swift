import AppStoreReports
import Counting
import Files
import Storage
import SubscriptionModel

/// Matches the rows of a user's price file to the products of the sources, and reports rows without a match.
struct PriceRowMatcher {
  /// A row with the product, storefront and currency that it matches.
  struct Found {
    var key: StorefrontKey
    var row: PricePlan.Row
  }

  private let rows: [PricePlan.Row]
  private let file: PriceFile
  private let registries: Registries
  private let names: Names
  /// For each row, whether it matches some source.
  private var isFound: [Bool]
  /// For each row, why it does not match the last source that it was compared with; `nil` if it matches.
  private var problems: [InputError?]

  init(
    _ rows: [PricePlan.Row], _ file: PriceFile, _ registries: Registries, _ names: Names
  ) {
    self.rows = rows
    self.file = file
    self.registries = registries
    self.names = names
    isFound = rows.map { _ in false }
    problems = rows.map { _ in nil }
  }

  /// The problems of the rows that match none of the sources so far.
  var errors: [InputError] {
    zip(isFound, problems).compactMap { isFound, problem in isFound ? nil : problem }
  }

  /// Returns the rows that match a source.
  ///
  /// - Parameters:
  ///   - products: The products of the source.
  ///   - days: The days that a row may have.
  /// - Returns: The rows in the order of the file.
  mutating func found(in products: Set<Symbol>, _ days: ClosedRange<Day>) -> [Found] {
    var found: [Found] = []
    for (index, row) in rows.enumerated() {
      let ids = Set((names.productIDs(row.product) + [row.product]).map(registries.symbol))
        .intersection(products)
      guard let product = ids.first, ids.count == 1 else {
        note(
          index, "product", row.product,
          ids.isEmpty
            ? "a product of the reports, by Apple ID or name"
            : "an Apple ID: \(ids.count) products have the name")
        continue
      }
      guard days.contains(row.date) else {
        note(
          index, file.dateColumn, row.date.description,
          "a day from \(days.lowerBound) to \(days.upperBound)")
        continue
      }
      let key = StorefrontKey(
        product: product, country: registries.symbol(of: row.country),
        currency: registries.symbol(of: row.currency))
      guard !found.contains(where: { $0.key == key && $0.row.plan == row.plan }) else {
        note(index, "product", row.product, "one row for the product, storefront and currency")
        continue
      }
      isFound[index] = true
      found.append(Found(key: key, row: row))
    }
    return found
  }

  private mutating func note(_ index: Int, _ column: String, _ found: String, _ expected: String) {
    problems[index] = rows[index].error(column, found: found, expected: expected)
  }
}
