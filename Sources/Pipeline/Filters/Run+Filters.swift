import Metrics
import SubscriptionModel

/// Runs in which only some rows count.
extension Run {
  /// Carries out a plan with filters.
  ///
  /// Products and apps that go by name are looked up in the whole input first. A value that no row has is a mistake: the
  /// result says so, and nothing is counted for it.
  static func carryOutFiltered(_ plan: RunPlan, _ progress: RunProgress) -> RunResult {
    var plan = plan
    plan.collectsValues = true
    let inputs = RunInputs(plan)
    var learned: RunResult?
    if plan.filters.isByName {
      progress.expect(files: inputs.files.count, bytes: 0)
      progress.begin(.learning)
      let result = learn(plan, inputs)
      plan = withIDs(plan, result.names)
      learned = result
    }
    // A value that is nowhere in the input is a mistake: nothing is counted for it.
    if var learned, let unmatched = learned.values?.unmatched(plan.filters), !unmatched.isEmpty {
      learned.unmatchedFilters = unmatched
      return learned
    }
    var result = read(plan, inputs, progress)
    if learned == nil, result.values?.unmatched(plan.filters).isEmpty == false {
      // It may be in rows of a source that this run does not read.
      let isWhole = plan.sources.count == Source.allCases.count
      let values = isWhole ? result.values : learn(plan, inputs).values
      result.unmatchedFilters = values?.unmatched(plan.filters) ?? []
    }
    if result.unmatchedFilters.isEmpty {
      result.emptyCombination = emptyCombination(plan, inputs, result)
    }
    return result
  }

  /// Why filters that each have rows leave none together, also none of a source that this run does not read.
  private static func emptyCombination(
    _ plan: RunPlan, _ inputs: RunInputs, _ result: RunResult
  ) -> String? {
    let given = plan.givenFilters ?? plan.filters
    guard let sentence = result.values?.emptyCombination(plan.filters, given) else { return nil }
    if plan.sources.count == Source.allCases.count { return sentence }
    let whole = learn(plan, inputs, withoutNamed: false)
    return whole.values?.emptyCombination(plan.filters, given)
  }

  /// Reads the whole input to learn what values its rows have, and how products and apps are called: a name
  /// is what the last row of the whole input says.
  ///
  /// Products and apps select rows only once their names have become ids.
  private static func learn(
    _ plan: RunPlan, _ inputs: RunInputs, withoutNamed: Bool = true
  ) -> RunResult {
    var learning = plan
    learning.views = [[]]
    learning.prices = nil
    learning.sources = Set(Source.allCases)
    if withoutNamed {
      learning.filters.apps = []
      learning.filters.products = []
    }
    learning.readsFinance = false
    learning.receipts.customerTable = nil
    return read(learning, inputs, RunProgress())
  }

  /// Replaces names of products and apps by their ids.
  private static func withIDs(_ plan: RunPlan, _ names: Names) -> RunPlan {
    var plan = plan
    plan.givenFilters = plan.filters
    plan.filters.products = ids(plan.filters.products, names.productIDs)
    plan.filters.apps = ids(plan.filters.apps, names.appIDs)
    return plan
  }

  /// What goes by no name stays, and is found to match nothing.
  private static func ids(_ texts: [String], _ find: (String) -> [String]) -> [String] {
    texts.flatMap { text in
      let found = find(text)
      return found.isEmpty ? [text] : found
    }
  }
}
