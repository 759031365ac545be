import AppStoreReports
import Counting
import Scanning
import Storage
import SubscriptionModel

/// The apps, groups, products, countries and vendors in a run's used rows: the values a filter can select.
struct InputValues: Sendable {
  private var ids: [Dimension: Set<ExactText>] = [:]
  /// The displayed names of apps and products, beside their ids.
  private var names: [Dimension: Set<ExactText>] = [:]
  private let vendors: Set<String>
  /// Whether at least one row passes all filters by row.
  private let hasAdmittedRow: Bool

  private static let dimensions: [Dimension] = [.app, .group, .product, .country]

  /// Creates the values from rows and files.
  ///
  /// - Parameters:
  ///   - attributes: The attributes of used rows.
  ///   - files: All files of the run, for their vendors.
  ///   - names: The texts behind the symbols.
  ///   - filter: The filters by row.
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

  /// Returns the filter values that match nothing.
  ///
  /// Values of filters by row are not checked when no row of a report or receipt is used: finance files are
  /// reconciled as a whole.
  ///
  /// - Parameter filters: The filters, in which names have been replaced by ids.
  /// - Returns: Each value that no used row has.
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
  /// - Parameters:
  ///   - filters: The filters, in which names have been replaced by ids.
  ///   - given: The filters as the user wrote them.
  /// - Returns: Such as `no row has both product "Plus" and country "US"`.
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
  /// The value.
  package let value: String
  /// The names and ids that the data have, to find a similar one.
  let candidates: [String]
  /// The values that a message may list.
  let listed: [String]

  private var plural: String { name == "country" ? "countries" : name + "s" }

  /// How many values a message lists.
  private static let shown = 20

  /// Returns a sentence that the value was not found, with suggestions.
  ///
  /// - Returns: `no product "Pro Montly"; did you mean "Pro Monthly"?`.
  package var sentence: String {
    let sentence = "no \(name) \"\(value)\""
    if candidates.isEmpty { return "\(sentence); the data name no \(name)" }
    let parts = value.split(separator: ",").map { String($0.drop(while: \.isWhitespace)) }
    if parts.count > 1, parts.allSatisfy(candidates.contains) {
      let options = parts.map { "--\(name) \($0.contains(" ") ? "'\($0)'" : $0)" }
      return "\(sentence); repeat the option: \(options.joined(separator: " "))"
    }
    let list = Nearest.advice(
      value, among: listed, listedAfter: "the data have", limit: Self.shown)
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
  /// Returns the code of the country that a text names, such as `DE` for `Germany`, `Deutschland`, `DEU` and `germny`.
  ///
  /// - Parameters:
  ///   - text: A name of a country, or a code of three letters.
  ///   - codes: The codes that the data have; only their names may have mistakes.
  /// - Returns: The code, which the data need not have; `nil` for a code of two letters and for another text.
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

  /// Returns the end of a message about a value that no row of a table has.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: Its column.
  ///   - values: The values of the rows.
  /// - Returns: `; did you mean "DE"?`, or `; use DE or US`; empty when nothing is near and a list would be too long.
  package static func advice(_ value: String, of key: String, among values: [String]) -> String {
    let sorted = Set<ExactText>(of: values).inOrder
    if key == "country", let code = country(value, among: sorted), values.contains(code) {
      return "; did you mean \"\(code)\"?"
    }
    let advice = advice(value, among: sorted, limit: 20)
    return advice.isEmpty ? "" : "; \(advice)"
  }
}
