import Counting
package import Pipeline
import PriceImpact
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Why no effect of a price increase is shown: the data have no prices, no increase, or not the customers who met one.
package struct NoIncrease {
  /// The increases that no source shows the effect of; `nil` without one.
  private let found: FoundIncreases?
  /// The rises that may be increases, beside those that a page shows.
  private let possible: PossibleIncreases
  /// Why the effect of the increases that were found is not known; the end of a sentence.
  private let missing: String
  /// Whether a source has standard prices.
  private let hasPrices: Bool
  private let sources: Set<Source>
  /// The changes of prices that cannot be increases, in a sentence; blank without any.
  private let others: String
  /// The number of paid charges in receipts without a price.
  private let withoutPrice: Int
  /// The subscriptions that ended because of a price increase, in a sentence; blank without any.
  private let refused: String

  /// Creates the reason from a run with ``RunPlan/prices`` and the increases whose effect the page shows.
  init(_ result: RunResult, impacts: [PriceImpact]) {
    sources = Set(result.sources.map(\.source))
    hasPrices = result.sources.contains { $0.tally.prices?.products.isEmpty == false }
    let maker = result.priceTableMaker
    let measured = Set(impacts.flatMap(\.changes).map { PriceRise.Key($0, result.names) })
    let increased = maker.increasedPrices
    found =
      impacts.isEmpty && !increased.isEmpty ? FoundIncreases(maker.changesTable()) : nil
    possible = PossibleIncreases(
      maker.possibleRises(besides: impacts.isEmpty ? increased : measured))
    others = OtherPriceChanges.sentence(result.prices)
    withoutPrice = impacts.isEmpty ? result.receiptChargesWithoutPrice : 0
    refused = result.refusedIncreases
    missing =
      sources.contains(where: \.isOfChains)
      ? "who left because of it is not in the Subscriber reports or receipts of that time."
      : "who left because of it needs Subscriber reports or receipts."
  }

  /// The reason in sentences, in Markdown.
  package var text: String {
    let sentences =
      if let found {
        [
          "\(found.text); \(missing)", besides,
        ]
      } else if !hasPrices {
        ["\(unseen.capitalizedFirst).", refused]
      } else if possible.isEmpty {
        [
          "No price increase was found in the \(refused.isEmpty ? "data" : "prices").", refused,
          unpriced, others,
        ]
      } else {
        [possible.text, refused, unpriced, others]
      }
    return sentences.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The reason in one sentence or two, without names, days and files: for the first line of a section.
  var lead: String {
    if let found {
      return "The price of \(counted(found.productCount, "product")) rose; \(missing)"
    }
    if !hasPrices { return "\(unseen.capitalizedFirst)." }
    let known = possible.isEmpty ? "No price increase was found in the data." : possible.lead
    return unpriced.isEmpty ? known : "\(known) \(unpriced)"
  }

  /// The number of rises beside those of the page that may be increases too, in a sentence; blank without any.
  var besidesLead: String { possible.alsoLead }

  /// The rises beside those of the page that may be increases too, and the subscriptions that ended because of an
  /// increase, in Markdown; blank without any.
  package var besides: String {
    [possible.also, refused].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The reason as a note on the terminal, where a note of its own lists the other changes.
  var note: String {
    guard hasPrices else { return unseen }
    return possible.isEmpty ? "no price increase was found" : "no price increase is certain"
  }

  /// The increases that receipts without prices may hide; blank without such receipts.
  private var unpriced: String {
    withoutPrice == 0
      ? ""
      : "Increases among \(counted(withoutPrice, "charge")) of receipts without a price cannot be seen."
  }

  /// Why increases cannot be seen, in a sentence without a capital and a period.
  private var unseen: String {
    let why =
      if !sources.isDisjoint(with: [.subscribers, .sales]) {
        "no charge in these files is known to be at a standard price"
      } else if sources.contains(.receipts) {
        "these receipts carry no prices; add Subscriber reports, or transactions of the App Store Server API, which have prices"
      } else {
        "Subscription Event reports carry no prices; add Subscriber reports, Sales reports or receipts with prices"
      }
    return "price increases cannot be seen: \(why)"
  }
}

/// The increases of `price_changes.csv` in words, for a page where no source says who met them.
private struct FoundIncreases {
  /// The rows of class `increase`.
  private let rows: [ReportTable.NamedRow]

  /// The products that are named.
  private static let mostProducts = 3
  /// The storefronts of a product that are named.
  private static let mostCountries = 3

  /// Creates the words from `price_changes.csv`.
  init(_ table: ReportTable) {
    rows = table.namedRows.filter { $0.text("class") == "increase" }
  }

  var productCount: Int { rows.map { $0.text("product") }.unique.count }

  /// The largest parts of the increases in Markdown, such as `Pro Monthly rose in US, DE and GB from 2026-05-21`.
  var text: String {
    let products = rows.map { $0.text("product") }.unique
    var parts = products.prefix(Self.mostProducts).map(rise)
    let more = products.count - parts.count
    if more > 0 { parts.append("\(counted(more, "more product")) rose too") }
    return parts.joined(separator: "; ")
  }

  private func rise(_ product: String) -> String {
    let own = rows.filter { $0.text("product") == product }
    let places = PriceWords.places(own.map { $0.text("country") }, atMost: Self.mostCountries)
    return
      "\(PriceWords.name(product)) rose in \(places) \(PriceWords.days(own.compactMap { Day($0.text("date")) }))"
  }
}

/// The changes of prices that cannot be increases, in words.
private enum OtherPriceChanges {
  /// Returns the number of changes of each kind in one source, the largest first; blank without any.
  static func sentence(_ reports: [PriceReport]) -> String {
    for source in PriceReport.sourcesByPreference {
      let changes = reports.filter { $0.source == source }.flatMap(\.changes)
        .filter { $0.isAdmitted && $0.kind != .increase && !$0.isRise }
      guard !changes.isEmpty else { continue }
      let counts = Dictionary(grouping: changes) { noun($0.kind) }.mapValues(\.count)
        .sorted { ($1.value, $0.key.one) < ($0.value, $1.key.one) }
      let words = counts.map { noun, count in
        "\(NumberStyle.grouped(count)) \(count == 1 ? noun.one : noun.many)"
      }
      return
        "Other changes of prices in \(ReportData.words(source)): \(words.joined(separator: ", "))."
    }
    return ""
  }

  private struct Noun: Hashable {
    let one: String
    let many: String
  }

  private static func noun(_ kind: PriceChange.Kind) -> Noun {
    switch kind {
    case .decrease: Noun(one: "decrease", many: "decreases")
    case .glitch:
      Noun(one: "price of a few charges or days", many: "prices of a few charges or days")
    case .currencyChange: Noun(one: "change of currency", many: "changes of currency")
    case .newStorefront:
      Noun(one: "first price of a country", many: "first prices of a country")
    case .newPlan:
      Noun(one: "first price of a billing plan", many: "first prices of a billing plan")
    case .parallel:
      Noun(one: "price that few pay beside another", many: "prices that few pay beside another")
    default:
      Noun(
        one: "price too near the start or end of the data",
        many: "prices too near the start or end of the data")
    }
  }
}

extension RunResult {
  /// The number of paid charges in receipts without a price; 0 in a run without the view of the whole population.
  fileprivate var receiptChargesWithoutPrice: Int {
    let maker = tableMaker()
    guard sources.contains(where: { $0.source == .receipts }), maker.allows(.refunds),
      let whole = plan.views.firstIndex(of: []),
      let table = try? maker.table(.refunds, view: whole)
    else { return 0 }
    let rows = table.namedRows.filter {
      $0.source == Source.receipts.rawValue && $0.text("dating") == "sale"
        && $0.text("currency").isEmpty
    }
    return rows.reduce(0) { $0 + ($1["charges"] ?? 0) }
  }

  /// The subscriptions lost to price increases that were not accepted, by the source that knows most; blank without
  /// any.
  fileprivate var refusedIncreases: String {
    let maker = tableMaker()
    guard maker.allows(.churn), let whole = plan.views.firstIndex(of: []),
      let table = try? maker.table(.churn, view: whole)
    else { return "" }
    let rows = table.namedRows.filter { ($0["churned_price"] ?? 0) > 0 }
    let counts = Dictionary(grouping: rows, by: \.source)
      .map { (source: $0, rows: $1, count: $1.reduce(0) { $0 + ($1["churned_price"] ?? 0) }) }
    guard let most = counts.max(by: { ($0.count, $1.source) < ($1.count, $0.source) }) else {
      return ""
    }
    let months = most.rows.compactMap { plan.monthSystem.month(named: $0.text("month")) }.unique
      .map { PageText.long($0, plan.monthSystem) }
    let first = months.first ?? ""
    let when = months.count > 1 ? "between \(first) and \(months.last ?? first)" : "in \(first)"
    return
      "\(counted(most.count, "subscription")) left \(when) because a price increase was not accepted, by \(Source(rawValue: most.source).map(ReportData.words) ?? most.source)."
  }

  /// Why there is no row about a price increase, in a few words for a terminal.
  package var noIncreaseNote: String {
    NoIncrease(self, impacts: priceTableMaker.impacts()).note
  }
}

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
