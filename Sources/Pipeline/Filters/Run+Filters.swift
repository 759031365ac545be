import AppStoreReports
package import Counting
import Storage
import SubscriptionModel

extension RunResult {
  /// Notes which filters select nothing, for a run whose filters have ids only; returns whether that is certain.
  ///
  /// If not, a value may be in rows of a source that the run does not read.
  package mutating func checkFilters() -> Bool {
    guard let values, !plan.filters.isEmpty else { return true }
    unmatchedFilters = values.unmatched(plan.filters)
    if unmatchedFilters.isEmpty {
      emptyCombination = values.emptyCombination(plan.filters, plan.givenFilters ?? plan.filters)
    }
    let selectsAll = unmatchedFilters.isEmpty && emptyCombination == nil
    return selectsAll || plan.sources.count == Source.allCases.count
  }
}

extension RunPlan {
  /// Replaces names of products and apps in filters by ids.
  package mutating func filterByIDs(products: [String], apps: [String]) {
    givenFilters = filters
    filters.products = products
    filters.apps = apps
  }
}

/// Runs with filters.
extension Run {
  /// Carries out a plan with filters.
  ///
  /// First replaces names of products and apps by ids, which takes a pass over the whole input. A filter value
  /// that no row has is a mistake: the result reports it, and nothing is counted.
  static func carryOutFiltered(_ plan: RunPlan, _ progress: RunProgress) -> RunResult {
    var plan = plan
    plan.collectsValues = true
    let inputs = RunInputs(plan)
    var whole: RunResult?
    if plan.filters.isByName {
      progress.expect(files: inputs.files.count, bytes: 0)
      progress.begin(.readingNames)
      let result = readAllSources(plan, inputs)
      plan = withIDs(plan, result.names)
      whole = result
    }
    // Stop here: a filter value that the input does not have is a mistake.
    if var whole, let unmatched = whole.values?.unmatched(plan.filters), !unmatched.isEmpty {
      whole.unmatchedFilters = unmatched
      return whole
    }
    var result = read(plan, inputs, progress)
    if whole == nil, result.values?.unmatched(plan.filters).isEmpty == false {
      // The value may be in rows of a source that this run does not read.
      let isWhole = plan.sources.count == Source.allCases.count
      let values = isWhole ? result.values : readAllSources(plan, inputs).values
      result.unmatchedFilters = values?.unmatched(plan.filters) ?? []
    }
    if result.unmatchedFilters.isEmpty {
      result.emptyCombination = emptyCombination(plan, inputs, result)
    }
    return result
  }

  /// Returns a message when each filter matches rows, but no row of any source matches all of them.
  private static func emptyCombination(
    _ plan: RunPlan, _ inputs: RunInputs, _ result: RunResult
  ) -> String? {
    let given = plan.givenFilters ?? plan.filters
    guard let sentence = result.values?.emptyCombination(plan.filters, given) else { return nil }
    if plan.sources.count == Source.allCases.count { return sentence }
    let all = readAllSources(plan, inputs, withoutNamed: false)
    return all.values?.emptyCombination(plan.filters, given)
  }

  /// Reads the input for all sources, to find the values in its rows and the names of products and apps.
  ///
  /// The name of a product is the one in the last row of the whole input. Product and app filters are ignored
  /// unless `withoutNamed` is false, because their names have no ids yet.
  private static func readAllSources(
    _ plan: RunPlan, _ inputs: RunInputs, withoutNamed: Bool = true
  ) -> RunResult {
    var wholePlan = plan
    wholePlan.views = [[]]
    wholePlan.retentionViews = []
    wholePlan.prices = nil
    wholePlan.keepsCharges = false
    wholePlan.keepsContext = false
    wholePlan.keepsReceipts = false
    wholePlan.sources = Set(Source.allCases)
    if withoutNamed {
      wholePlan.filters.apps = []
      wholePlan.filters.products = []
    }
    wholePlan.readsFinance = false
    wholePlan.receipts.customerTable = nil
    return read(wholePlan, inputs, RunProgress())
  }

  /// Replaces names of products and apps by their ids.
  package static func withIDs(_ plan: RunPlan, _ names: Names) -> RunPlan {
    let filters = plan.filters
    var plan = plan
    plan.filterByIDs(
      products: ids(filters.products, names.productIDs), apps: ids(filters.apps, names.appIDs))
    return plan
  }

  /// Returns the ids for names; a text that is no name stays, and later matches nothing.
  private static func ids(_ texts: [String], _ find: (String) -> [String]) -> [String] {
    texts.flatMap { text in
      let found = find(text)
      return found.isEmpty ? [text] : found
    }
  }
}

extension Filter {
  /// Creates the filter of a plan, in which names have been replaced by ids.
  init(_ filters: RunPlan.Filters, _ registries: Registries) {
    var accepted: [Dimension: Set<ExactText>] = [:]
    for (dimension, _, values) in filters.byRow {
      accepted[dimension] = Set<ExactText>(
        of: dimension == .country ? values.map { $0.uppercased() } : values)
    }
    guard !accepted.isEmpty else {
      self.init()
      return
    }
    self.init(dimensions: Set(accepted.keys)) { [accepted] attributes in
      accepted.allSatisfy { dimension, texts in
        let symbol = attributes.value(of: dimension) ?? .blank
        return texts.contains(registries.text(of: symbol))
      }
    }
  }
}
