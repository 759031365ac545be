import Counting
import PriceImpact
import Rendering
import Storage
import SubscriptionModel

/// Rises that may be increases, in words: METRICS.md section 6.
struct PossibleIncreases {
  private let rises: [PriceRise]

  /// The products that are named.
  private static let mostProducts = 3
  /// The storefronts that are named beside prices, and without them.
  private static let (mostPriced, mostCountries) = (3, 6)

  init(_ rises: [PriceRise]) { self.rises = rises }

  var isEmpty: Bool { rises.isEmpty }

  /// The rises where no increase is certain, in sentences.
  ///
  /// Such as: No price increase is certain: too few renewals or days in each storefront. Possible: Pro Monthly, FR and US:
  /// 9.99 → 11.99 USD and 1 more currency between 2026-05-20 and 2026-06-06, 12 charges of existing subscriptions at the new price. …
  var text: String {
    let kinds = Self.kinds(rises)
    // One reason for all stands once.
    let only = kinds.count == 1 ? kinds.first : nil
    let list = listed { entry($0, $1, withReasons: only == nil) }
    if only?.kind == .newCustomersOnly {
      return "No price increase for existing subscribers was found. For new customers: \(list)."
    }
    let places = rises.map(\.key.country).unique.count
    let why = only.map { ": \(Self.reason($0.kind, $0.rises))" } ?? ""
    let each = only != nil && places > 1 ? " in each country" : ""
    return "No price increase is certain\(why)\(each). Possible: \(list). \(Self.advice)"
  }

  /// The rises beside certain increases, in sentences.
  ///
  /// Such as: Possibly also Pro Monthly in FR (new customers pay both prices), CA and JP (too few renewals or days). …
  var also: String {
    guard !isEmpty else { return "" }
    let products = listed { product, own in
      let kinds = Self.kinds(own).map { kind, some in
        let places = PriceWords.places(some.map(\.key.country), atMost: Self.mostCountries)
        return "\(places) (\(Self.reason(kind, some)))"
      }
      return "\(product) in \(kinds.joined(separator: ", "))"
    }
    return "Possibly also \(products). \(Self.advice)"
  }

  /// The number of rises where no increase is certain, for the first line of a section.
  var lead: String {
    let kinds = Self.kinds(rises)
    if kinds.count == 1, kinds[0].kind == .newCustomersOnly {
      return
        "No price increase for existing subscribers was found. New customers pay more in \(counted(rises.count, "case"))."
    }
    return
      "No price increase is certain. \(counted(rises.count, "price")) rose and may be \(rises.count == 1 ? "one" : "increases")."
  }

  /// The number of rises beside certain increases; blank without any.
  var alsoLead: String {
    isEmpty
      ? ""
      : "\(counted(rises.count, "more price")) rose and may be \(rises.count == 1 ? "an increase" : "increases") too."
  }

  private static let advice =
    "If you raised a price, give a list of price changes (option `price-changes`)."

  /// Returns the largest products in words, and the number of the others.
  private func listed(_ words: (String, [PriceRise]) -> String) -> String {
    let products = Dictionary(grouping: rises, by: \.key.product)
      .map { (name: $0, rises: $1, charges: Self.charges($1)) }
      .sorted { ($1.charges, $0.name) < ($0.charges, $1.name) }
    let named = products.prefix(Self.mostProducts)
    var parts = named.map { words(PriceWords.name($0.name.text), $0.rises) }
    let more = products.count - named.count
    if more > 0 { parts.append("and \(counted(more, "more product"))") }
    return parts.joined(separator: "; ")
  }

  private static func charges(_ rises: [PriceRise]) -> Int {
    rises.reduce(0) { $0 + $1.change.continuingCharges }
  }

  /// Returns the rises of a product with prices, days and charges.
  private func entry(_ product: String, _ own: [PriceRise], withReasons: Bool) -> String {
    let countries = own.map(\.key.country).unique
    let places =
      countries.count > Self.mostPriced
      ? PageText.counted(countries.count, "country", "countries")
      : PriceWords.places(countries, atMost: Self.mostPriced)
    let source =
      Set(rises.map(\.source)).count > 1 ? ", in \(PriceWords.sources(own.map(\.source)))" : ""
    let kinds = Self.kinds(own)
    let reasons = kinds.map { kind, some in
      let reason = Self.reason(kind, some)
      guard kinds.count > 1 else { return reason }
      return
        "\(reason) in \(PriceWords.places(some.map(\.key.country), atMost: Self.mostPriced))"
    }
    let why = withReasons ? " (\(reasons.joined(separator: ", ")))" : ""
    return """
      \(product), \(places): \(Self.prices(own)) \
      \(PriceWords.days(own.map(\.change.date))), \
      \(counted(Self.charges(own), "charge")) of existing subscriptions at the new price\(source)\(why)
      """
  }

  /// Returns the old and the new price that most storefronts have, and how many others there are.
  private static func prices(_ rises: [PriceRise]) -> String {
    let prices = Dictionary(grouping: rises) { rise -> String in
      let currency = rise.key.currency
      let amounts = [rise.change.oldPrice, rise.change.newPrice].map {
        $0.map { NumberStyle.amount(milliunits: Int128($0), currency: currency) } ?? "?"
      }
      return "\(amounts.joined(separator: " → ")) \(currency)"
    }
    let ordered = prices.sorted {
      ($1.value.count, charges($1.value), $0.key) < ($0.value.count, charges($0.value), $1.key)
    }
    let more = ordered.count - 1
    let currencies = Set(rises.map(\.key.currency)).count
    let kind = currencies == ordered.count ? ("currency", "currencies") : ("price", "prices")
    let rest = more < 1 ? "" : " and \(more) more \(more == 1 ? kind.0 : kind.1)"
    return MarkdownText.escaped(ordered.first?.key ?? "") + rest
  }

  /// Returns the rises of each class, the surest class first.
  private static func kinds(_ rises: [PriceRise]) -> [(kind: PriceChange.Kind, rises: [PriceRise])]
  {
    PriceChange.Kind.risesBySureness.compactMap { kind in
      let own = rises.filter { $0.change.kind == kind }
      return own.isEmpty ? nil : (kind, own)
    }
  }

  /// Returns why a rise is no certain increase of the page.
  private static func reason(_ kind: PriceChange.Kind, _ rises: [PriceRise]) -> String {
    switch kind {
    case .increase: "an increase in \(PriceWords.sources(rises.map(\.source))) alone"
    case .overlap: "new customers pay both prices"
    case .atDataEdge: "the data have the old price for less than 28 days"
    case .newCustomersOnly: "existing subscribers keep the old price"
    default: "too few renewals or days"
    }
  }
}

/// Names, places and days in sentences about prices.
enum PriceWords {
  static func name(_ value: String) -> String {
    value.isEmpty ? "unknown" : MarkdownText.escaped(value)
  }

  /// Returns storefronts, such as `US, DE and 4 more countries`.
  static func places(_ countries: [String], atMost limit: Int) -> String {
    let all = countries.unique.map(name)
    // The place of the last name is not spent on the number of a single one.
    var places = Array(all.prefix(all.count == limit + 1 ? all.count : limit))
    let more = all.count - places.count
    if more > 0 { places.append(PageText.counted(more, "more country", "more countries")) }
    let last = places.popLast() ?? ""
    return places.isEmpty ? last : "\(places.joined(separator: ", ")) and \(last)"
  }

  /// Returns the first and the last of some days, such as `from 9 May 2026`.
  static func days(_ days: [Day]) -> String {
    guard let first = days.min(), let last = days.max() else { return "" }
    return first == last
      ? "from \(PageText.shortDay(first))"
      : "between \(PageText.shortDay(first)) and \(PageText.shortDay(last))"
  }

  static func sources(_ sources: [Source]) -> String {
    sources.unique.sorted().map(ReportData.words).joined(separator: " and ")
  }
}
