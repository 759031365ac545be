import Counting
import PriceImpact
import SubreportTestSupport
import SubscriptionModel
import Tables

/// A monthly subscription that costs 10.00 USD in the US, 12.50 from 2024-07-01, and 10.00 EUR in Germany.
///
/// Everybody is charged on the 5th from January 2024 on, so all starts are unknown and one stratum holds all.
struct PriceExample {
  /// What a subscriber does on 2024-07-05.
  enum Renewal {
    case renew(price: Int64, proceeds: Int64, rate: String = "standard")
    case change(price: Int64, proceeds: Int64)
    case leave
    case comeBack
  }

  var world: WorldBuilder
  var changes: [PriceChange] = []

  init(asOf: Day = day("2024-09-30")) {
    world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: asOf)
    changes = [increase("US", "USD")]
  }

  /// An increase of the subscription from 10.00 to 12.50.
  mutating func increase(_ country: String, _ currency: String, on date: String = "2024-07-01")
    -> PriceChange
  {
    let key = StorefrontKey(
      product: world.symbol("monthly"), country: world.symbol(country),
      currency: world.symbol(currency))
    var change = PriceChange(
      .increase, PriceKey(key), date: day(date), oldPrice: 10_000, newPrice: 12_500)
    change.effectiveExisting = change.date
    return change
  }

  /// The charges of one subscriber at the old price from January up to a month.
  func charges(_ country: String, to month: Int, product: String = "monthly") -> [Purchase] {
    (1...month).map { month in
      Purchase(day("2024-0\(month)-05"), product: product).with {
        $0.country = country
        $0.currency = country == "US" ? "USD" : "EUR"
      }
    }
  }

  /// Adds subscribers whose last charge at the old price is in a month.
  mutating func add(
    _ count: Int, _ country: String, lastIn month: Int = 6, _ renewal: Renewal = .leave
  ) {
    var rows = charges(country, to: month)
    let next = rows[month - 1].with { $0.day = day("2024-0\(month + 1)-05") }
    switch renewal {
    case .renew(let price, let proceeds, let rate):
      rows.append(
        next.with {
          $0.price = price
          $0.proceeds = proceeds
          $0.proceedsRate = rate
        })
    case .change(let price, let proceeds):
      rows.append(
        next.with {
          $0.product = "plus"
          $0.price = price
          $0.proceeds = proceeds
        })
    case .leave: break
    case .comeBack: rows.append(next.with { $0.day = next.day + 46 })
    }
    for _ in 0..<count { world.add(rows) }
  }

  /// Adds the 60 subscribers in Germany, of whom 57 renew in July.
  mutating func addControl(country: String = "DE") {
    add(57, country, .renew(price: 10_000, proceeds: 7_000))
    add(3, country)
  }

  /// The only row of the whole population, or the first of a view, by column.
  func row(_ view: ImpactView = .whole) -> [String: ReportTable.Cell] {
    let table = world.impactTables(changes).impactTable(view: view)
    return table.rows.isEmpty ? [:] : table.row(0)
  }

  /// Rows of the whole population, by storefront.
  func rows() -> [String: [String: ReportTable.Cell]] {
    let table = world.impactTables(changes).impactTable(view: .whole)
    return table.rows.indices.reduce(into: [:]) { rows, index in
      if case .text(let country) = table.rows[index][2] { rows[country] = table.row(index) }
    }
  }
}

extension [String: ReportTable.Cell] {
  /// The count of a column; `nil` for an empty cell.
  func count(_ name: String) -> Int? {
    guard case .count(let count) = self[name] else { return nil }
    return count
  }

  /// The amount of a column in milliunits; `nil` for an empty cell.
  func money(_ name: String) -> Int128? {
    guard case .money(let milliunits) = self[name] else { return nil }
    return milliunits
  }

  /// The rate of a column, rounded to six decimals; `nil` for an empty cell.
  func rate(_ name: String) -> Double? {
    let value: Double
    switch self[name] {
    case .fraction(let fraction): value = fraction
    case .ratio(let numerator, let denominator): value = Double(numerator) / Double(denominator)
    default: return nil
    }
    return (value * 1_000_000).rounded() / 1_000_000
  }

  /// The words of a column; `nil` for an empty cell.
  func text(_ name: String) -> String? {
    guard case .text(let text) = self[name] else { return nil }
    return text
  }
}
