import AppStoreReports
import Counting
import Rendering
import Scanning
import Storage
package import SubscriptionModel

/// The apps, groups, products, countries and vendors in a run's used rows: the values a filter can select.
struct InputValues: Sendable {
  private var ids: [Dimension: Set<ExactText>] = [:]
  /// The displayed names of apps and products, beside their ids.
  private var names: [Dimension: Set<ExactText>] = [:]
  private let vendors: Set<String>
  /// Whether at least one row passes all filters by row.
  private let hasAdmittedRow: Bool

  private static let dimensions: [Dimension] = [.app, .group, .product, .country]

  /// Creates the values from the attributes of used rows, and the vendors of all files of the run.
  init(
    _ attributes: Set<Attributes>, _ files: [RecognizedFile], _ names: Names, _ filter: Filter
  ) {
    hasAdmittedRow = attributes.contains(where: filter.admits)
    vendors = Set(
      files.filter { $0.source != nil || $0.kind.isFinance }.map(\.vendor).filter { !$0.isEmpty })
    for dimension in Self.dimensions {
      let symbols = Set(attributes.compactMap { $0.value(of: dimension) }).subtracting([.blank])
      ids[dimension] = Set<ExactText>(of: symbols.map(names.text))
      self.names[dimension] = Set<ExactText>(
        of: symbols.map { symbol in
          switch dimension {
          case .app: names.app(symbol)
          case .product: names.product(symbol)
          default: names.text(symbol)
          }
        })
    }
  }

  /// Returns the filter values that no used row has; in the filters names have been replaced by ids.
  ///
  /// Values of filters by row are not checked when no row of a report or receipt is used: finance files are
  /// reconciled as a whole.
  func unmatched(_ filters: RunPlan.Filters) -> [UnmatchedFilter] {
    let vendors = vendors.sorted()
    let unmatched = filters.vendors.filter { !vendors.contains($0) }
      .map { UnmatchedFilter(name: "vendor", value: $0, candidates: vendors, listed: vendors) }
    guard ids.values.contains(where: { !$0.isEmpty }) else { return unmatched }
    let byRow = filters.byRow.filter { Self.dimensions.contains($0.dimension) }
    return unmatched
      + byRow.flatMap { dimension, name, values in
        let ids = ids[dimension] ?? []
        let names = names[dimension] ?? []
        let isCountry = dimension == .country
        return values.filter { !ids.contains(isCountry ? $0.uppercased() : $0) }.map { value in
          UnmatchedFilter(
            name: name, value: value, candidates: ids.union(names).inOrder, listed: names.inOrder)
        }
      }
  }
}

extension InputValues {
  /// Returns a message when each filter by row matches rows, but no row matches all of them; `nil` otherwise.
  ///
  /// Such as `no row has both product "Plus" and country "US"`. `given` are the filters as the user wrote them.
  func emptyCombination(_ filters: RunPlan.Filters, _ given: RunPlan.Filters) -> String? {
    let parts = given.byRow.map { filter in
      "\(filter.name) \(filter.values.map { "\"\($0)\"" }.joined(separator: " or "))"
    }
    guard !hasAdmittedRow, parts.count > 1, unmatched(filters).isEmpty,
      ids.values.contains(where: { !$0.isEmpty })
    else { return nil }
    let all = parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
    return "no row has \(parts.count == 2 ? "both " : "")\(all)"
  }
}

/// A filter value that no used row of the input has.
package struct UnmatchedFilter: Equatable, Sendable {
  /// The kind of filter: `app`, `group`, `product`, `country` or `vendor`.
  package let name: String
  package let value: String
  /// The names and ids that the data have, to find a similar one.
  let candidates: [String]
  /// The values that a message may list.
  let listed: [String]

  private var plural: String { name == "country" ? "countries" : name + "s" }

  /// How many values a message lists.
  private static let shown = 20

  /// Returns a sentence that the value was not found, with suggestions: `no product "Pro Montly"; did you mean "Pro
  /// Monthly"?`.
  package var sentence: String {
    let sentence = "no \(name) \"\(value)\""
    if candidates.isEmpty { return "\(sentence); the data name no \(name)" }
    let parts = value.split(separator: ",").map { String($0.drop(while: \.isWhitespace)) }
    if parts.count > 1, parts.allSatisfy(candidates.contains) {
      let options = parts.map { "--\(name) \($0.contains(" ") ? "'\($0)'" : $0)" }
      return "\(sentence); repeat the option: \(options.joined(separator: " "))"
    }
    let list = Nearest.advice(value, among: listed, listedAfter: "the data have", limit: Self.shown)
    let have = list.isEmpty ? "the data have \(listed.count) \(plural)" : list
    if name == "country", let code = Nearest.country(value, among: candidates) {
      return candidates.contains(code)
        ? "\(sentence); did you mean \"\(code)\"?" : "\(sentence) (\(code)); \(have)"
    }
    let isNear = !Nearest.words(to: value, among: candidates).isEmpty
    return "\(sentence); \(isNear ? Nearest.advice(value, among: candidates) : have)"
  }
}

extension Nearest {
  /// Returns the code of the country that a text names, such as `DE` for `Germany`, `Deutschland`, `DEU` and
  /// `germny`.
  ///
  /// Only names of countries that the data have may have mistakes. `nil` for a code of two letters and for another
  /// text.
  package static func country(_ text: String, among codes: [String]) -> String? {
    if let code = countryCode(named: text) { return code }
    let code = countryCode(text)
    if code != text.uppercased() { return code }
    let named = countryNames.filter { codes.contains($0.code) }
    guard text.utf8.count > 3, let near = words(to: text, among: named.map(\.name)).first else {
      return nil
    }
    return named.first { $0.name == near }?.code
  }

  /// Returns the end of a message about a value that no row of a table has in a column.
  ///
  /// Such as `; did you mean "DE"?`, or `; use DE or US`; empty when nothing is near and a list would be too long.
  package static func advice(_ value: String, of key: String, among values: [String]) -> String {
    let sorted = Set<ExactText>(of: values).inOrder
    if key == "country", let code = country(value, among: sorted), values.contains(code) {
      return "; did you mean \"\(code)\"?"
    }
    let advice = advice(value, among: sorted, limit: 20)
    return advice.isEmpty ? "" : "; \(advice)"
  }
}

extension RunPlan {
  /// The filters and options that narrow the numbers, in words; `nil` without any.
  ///
  /// Such as `only product Pro Monthly, country DE or US; as of 2026-06-30`.
  var narrowing: String? {
    let filters = givenFilters ?? filters
    var kept = filters.byRow.map { "\($0.name) \($0.values.joined(separator: " or "))" }
    if !filters.vendors.isEmpty {
      kept.append("vendor \(filters.vendors.joined(separator: " or "))")
    }
    var parts: [String] = []
    if !kept.isEmpty { parts.append("only \(kept.joined(separator: ", "))") }
    if let asOf { parts.append("as of \(asOf)") }
    if monthSystem == .fiscal { parts.append("Apple's fiscal periods") }
    switch receipts.environment {
    case .production: break
    case .sandbox: parts.append("sandbox receipts")
    case .all: parts.append("receipts of production and sandbox")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// The sources that are read, if not all, and ``narrowing``; blank without any.
  var limits: String {
    let names = Source.allCases.filter(sources.contains).map(\.rawValue)
    let isWhole = names.count == Source.allCases.count
    let parts = (isWhole ? [] : ["source \(names.joined(separator: ", "))"]) + [narrowing ?? ""]
    return parts.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// The end of a page's title: ``limits`` in parentheses, in Markdown; blank without any.
  var titleEnd: String { limits.isEmpty ? "" : " (\(MarkdownText.escaped(limits)))" }
}

extension RunResult {
  /// The filters and options that narrow the numbers, in words; `nil` without any.
  package var narrowing: String? { effectivePlan.narrowing }

  /// The end of a page's title: ``narrowing`` in parentheses; blank without any.
  package var titleEnd: String { effectivePlan.titleEnd }

  /// Returns what the numbers of a table are limited to, in words, such as `source events; only country DE`; blank
  /// for nothing.
  ///
  /// `source` is the one source of the table; `nil` for all sources of the run.
  package func limits(from source: Source? = nil) -> String {
    var plan = effectivePlan
    if let source { plan.sources = [source] }
    return plan.limits
  }

  /// The end of a settlement's title: only vendor and as-of, as it is by fiscal period and without receipts.
  package var settlementTitleEnd: String { settlementPlan.titleEnd }

  /// What settlements are limited to, in words; blank for nothing.
  package var settlementLimits: String { settlementPlan.limits }

  private var settlementPlan: RunPlan {
    var shown = RunPlan(inputs: [], views: [])
    shown.filters.vendors = plan.filters.vendors
    shown.asOf = effectivePlan.asOf
    return shown
  }

  /// The plan with as-of limited to the end of the data.
  private var effectivePlan: RunPlan {
    var plan = plan
    var ends = sources.map(\.completeness.asOf)
    ends += (finance?.statements ?? []).map(\.period.lastDay)
    ends += (finance?.payments ?? []).map(\.period.lastDay)
    ends += finance?.salesDays ?? []
    if let asOf = plan.asOf, let end = ends.max() { plan.asOf = min(asOf, end) }
    return plan
  }
}
