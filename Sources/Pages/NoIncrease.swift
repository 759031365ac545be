import Counting
package import Pipeline
import PriceImpact
import Rendering
import SubscriptionModel
import Tables

/// Why no effect of a price increase is shown: the data have no prices, no increase, or not the customers who met one.
package struct NoIncrease {
  /// Whether increases were found that no source shows the effect of.
  package let hasFound: Bool
  /// Why the effect of the increases that were found is not known; the end of a sentence.
  package let missing: String
  /// Whether a source has standard prices.
  private let hasPrices: Bool
  private let sources: Set<Source>
  private let increases: Int
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
    increases = changes.count { $0.kind == .increase }
    others = changes.count - increases
    hasFound = increases > 0
    withoutPrice = result.receiptChargesWithoutPrice
    missing =
      sources.contains(where: \.isOfChains)
      ? "who left because of it is not in the Subscriber reports or receipts of that time."
      : "who left because of it needs Subscriber reports or receipts."
  }

  /// The reason in sentences, in Markdown.
  package var text: String {
    if hasFound {
      return "\(counted(increases, "increase")) found, see `price_changes.csv`; \(missing)"
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
