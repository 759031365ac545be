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
  /// Why the effect of the increases that were found is not known; the end of a sentence.
  private let missing: String
  /// Whether a source has standard prices.
  private let hasPrices: Bool
  private let sources: Set<Source>
  /// The number of changes of prices that are not increases.
  private let others: Int
  /// The number of paid charges in receipts without a price.
  private let withoutPrice: Int

  /// Creates the reason.
  ///
  /// - Parameter result: A run with ``RunPlan/prices``.
  init(_ result: RunResult) {
    sources = Set(result.sources.map(\.source))
    hasPrices = result.sources.contains { $0.tally.prices?.products.isEmpty == false }
    let changes = result.prices.flatMap(\.changes).filter(\.isAdmitted)
    let increases = changes.count { $0.kind == .increase }
    others = changes.count - increases
    found = increases > 0 ? FoundIncreases(result.priceTableMaker.changesTable()) : nil
    withoutPrice = result.receiptChargesWithoutPrice
    missing =
      sources.contains(where: \.isOfChains)
      ? "who left because of it is not in the Subscriber reports or receipts of that time."
      : "who left because of it needs Subscriber reports or receipts."
  }

  /// The reason in sentences, in Markdown.
  package var text: String {
    if let found {
      return "\(found.text); \(missing) Every change of a price: `price_changes.csv`."
    }
    guard hasPrices else { return "\(unseen.capitalizedFirst)." }
    let unpriced =
      withoutPrice == 0
      ? ""
      : " Increases among \(counted(withoutPrice, "charge")) of receipts without a price cannot be seen."
    let end =
      others == 0 ? "" : " \(counted(others, "other change")) of prices: `price_changes.csv`."
    return "No price increase was found in the data.\(unpriced)\(end)"
  }

  /// The reason as a note on the terminal, where a note of its own lists the other changes.
  var note: String { hasPrices ? "no price increase was found" : unseen }

  /// Why increases cannot be seen, in a sentence without a capital and a period.
  private var unseen: String {
    let why =
      if !sources.isDisjoint(with: [.subscribers, .sales]) {
        "no charge in these files is known to be at a standard price"
      } else if sources.contains(.receipts) {
        "these receipts carry no prices; add Subscriber reports, or transactions of the App Store Server API, which have `price`"
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

  /// Creates the words.
  ///
  /// - Parameter table: `price_changes.csv`.
  init(_ table: ReportTable) {
    rows = table.namedRows.filter { $0.text("class") == "increase" }
  }

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
    let countries = own.map { Self.name($0.text("country")) }.unique
    var places = Array(countries.prefix(Self.mostCountries))
    let more = countries.count - places.count
    if more > 0 { places.append(counted(more, "more storefront")) }
    let last = places.popLast() ?? ""
    let named = places.isEmpty ? last : "\(places.joined(separator: ", ")) and \(last)"
    // Dates sort as texts.
    let days = own.map { $0.text("date") }.unique.sorted()
    let first = days.first ?? ""
    let when = days.count > 1 ? "between \(first) and \(days.last ?? first)" : "from \(first)"
    return "\(Self.name(product)) rose in \(named) \(when)"
  }

  private static func name(_ value: String) -> String {
    value.isEmpty ? "unknown" : MarkdownText.escaped(value)
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

  /// Why there is no row about a price increase, in a few words for a terminal.
  package var noIncreaseNote: String { NoIncrease(self).note }
}
