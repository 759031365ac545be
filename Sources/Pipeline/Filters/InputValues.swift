import AppStoreReports
import Metrics
import SubscriptionModel

/// The apps, groups, products, countries and vendors that a run's used rows have: what a filter can select.
struct InputValues: Sendable {
  private var ids: [Dimension: Set<String>] = [:]
  /// What people call apps and products, beside their ids.
  private var names: [Dimension: Set<String>] = [:]
  private let vendors: Set<String>
  /// Whether some row is one that all filters by row admit.
  private let hasAdmittedRow: Bool

  private static let dimensions: [Dimension] = [.app, .group, .product, .country]

  /// Collects the values of rows.
  ///
  /// - Parameters:
  ///   - attributes: What used rows say.
  ///   - files: All files of the run, for their vendors.
  ///   - names: The texts behind the symbols.
  ///   - filter: The filters by row.
  init(
    _ attributes: Set<Attributes>, _ files: [ScoutedFile], _ names: Names, _ filter: Filter
  ) {
    hasAdmittedRow = attributes.contains(where: filter.admits)
    vendors = Set(
      files.filter { $0.source != nil || $0.kind.isFinance }.map(\.vendor).filter { !$0.isEmpty })
    for dimension in Self.dimensions {
      let symbols = Set(attributes.compactMap { $0.value(of: dimension) }).subtracting([.blank])
      ids[dimension] = Set(symbols.map(names.text))
      self.names[dimension] = Set(
        symbols.map { symbol in
          switch dimension {
          case .app: names.app(symbol)
          case .product: names.product(symbol)
          default: names.text(symbol)
          }
        })
    }
  }

  /// Returns the filters that select nothing.
  ///
  /// Where no row of a report or receipt is used there is nothing to compare with: finance files are
  /// reconciled as a whole.
  ///
  /// - Parameter filters: The filters, in which names have become ids.
  /// - Returns: Each value that no used row has.
  func unmatched(_ filters: RunPlan.Filters) -> [UnmatchedFilter] {
    let vendors = vendors.sorted()
    let unmatched = filters.vendors.filter { !vendors.contains($0) }
      .map { UnmatchedFilter(name: "vendor", value: $0, known: vendors, listed: vendors) }
    guard ids.values.contains(where: { !$0.isEmpty }) else { return unmatched }
    let byRow: [(Dimension, [String])] = [
      (.app, filters.apps), (.group, filters.groups), (.product, filters.products),
      (.country, filters.countries.map { $0.uppercased() }),
    ]
    return unmatched
      + byRow.flatMap { dimension, values in
        let ids = ids[dimension] ?? []
        let names = names[dimension] ?? []
        return values.filter { !ids.contains($0) }.map { value in
          UnmatchedFilter(
            name: dimension.rawValue, value: value, known: ids.union(names).sorted(),
            listed: names.sorted())
        }
      }
  }
}

extension InputValues {
  /// Returns what is wrong with filters by row that each have rows, but none together; `nil` for others.
  ///
  /// - Parameters:
  ///   - filters: The filters, in which names have become ids.
  ///   - given: The filters as the user wrote them.
  /// - Returns: Such as `no row has both product "Plus" and country "US"`.
  func emptyCombination(_ filters: RunPlan.Filters, _ given: RunPlan.Filters) -> String? {
    let parts = [
      ("app", given.apps), ("group", given.groups), ("product", given.products),
      ("country", given.countries), ("billing plan", given.billingPlans),
      ("contingent", given.contingent),
    ].filter { !$0.1.isEmpty }
      .map { name, values in
        "\(name) \(values.map { "\"\($0)\"" }.joined(separator: " or "))"
      }
    guard !hasAdmittedRow, parts.count > 1, unmatched(filters).isEmpty,
      ids.values.contains(where: { !$0.isEmpty })
    else { return nil }
    let all = parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
    return "no row has \(parts.count == 2 ? "both " : "")\(all)"
  }
}

/// A filter value that no used row of the input has.
public struct UnmatchedFilter: Equatable, Sendable {
  /// What the filter is about: `app`, `group`, `product`, `country` or `vendor`.
  public let name: String
  /// The value.
  public let value: String
  /// What the data have instead: names and ids.
  let known: [String]
  /// What of it is worth a list.
  let listed: [String]

  private var plural: String { name == "country" ? "countries" : name + "s" }

  /// How many values a message lists.
  private static let shown = 20
  /// Countries that people call by another code than the App Store.
  private static let otherCodes = ["UK": "GB", "EL": "GR"]

  /// Says that the value is not there, and what is.
  ///
  /// - Parameter months: The first and the last month of the data.
  /// - Returns: `no product "Pro Montly"; did you mean "Pro Monthly"? The data cover 2026-01 to 2026-09`.
  public func sentence(months: String?) -> String {
    var sentence = "no \(name) \"\(value)\""
    let cover = months.map { "cover \($0)" }
    if known.isEmpty { return "\(sentence); the data name no \(name)" }
    if name == "country", let code = Self.otherCodes[value.uppercased()], known.contains(code) {
      return "\(sentence); did you mean \"\(code)\"?" + (cover.map { " The data \($0)" } ?? "")
    }
    if !Nearest.words(to: value, among: known).isEmpty {
      sentence += "; \(Nearest.advice(value, among: known))"
      return sentence + (cover.map { " The data \($0)" } ?? "")
    }
    let list = Nearest.advice(
      value, among: listed, listedAfter: "the data have", limit: Self.shown)
    let have = list.isEmpty ? "the data have \(listed.count) \(plural)" : list
    return "\(sentence); \(have)" + (cover.map { " and \($0)" } ?? "")
  }
}
