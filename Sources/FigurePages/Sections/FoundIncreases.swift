import Rendering
import Storage
import Tables

/// The increases of `price_changes.csv` in words, for a page where no source says who met them.
struct FoundIncreases {
  /// The rows of class `increase`.
  private let rows: [ReportTable.NamedRow]

  /// The products that are named.
  private static let mostProducts = 3
  /// The storefronts of a product that are named.
  private static let mostCountries = 3

  /// Creates the words.
  ///
  /// - Parameter table: `price_changes.csv`; `nil` gives no increase.
  init(_ table: ReportTable?) {
    rows = (table?.namedRows ?? []).filter { $0.text("class") == "increase" }
  }

  /// Whether there is no increase.
  var isEmpty: Bool { rows.isEmpty }

  /// The largest parts of the increases, such as `Pro Monthly rose in US, DE and GB from 2026-05-21`.
  var text: String {
    let products = rows.map { $0.text("product") }.unique
    var parts = products.prefix(Self.mostProducts).map(rise)
    let more = products.count - parts.count
    if more > 0 { parts.append("\(counted(more, "more product")) rose too") }
    return parts.joined(separator: "; ")
  }

  private func rise(_ product: String) -> String {
    let own = rows.filter { $0.text("product") == product }
    let countries = own.map { Figures.name($0.text("country")) }.unique
    var places = Array(countries.prefix(Self.mostCountries))
    let more = countries.count - places.count
    if more > 0 { places.append(counted(more, "more storefront")) }
    let last = places.popLast() ?? ""
    let named = places.isEmpty ? last : "\(places.joined(separator: ", ")) and \(last)"
    // Dates sort as texts.
    let days = own.map { $0.text("date") }.unique.sorted()
    let first = days.first ?? ""
    let when = days.count > 1 ? "between \(first) and \(days.last ?? first)" : "from \(first)"
    return "\(Figures.name(product)) rose in \(named) \(when)"
  }
}
