import Explain
import Pages
import Pipeline
import PipelineTestSupport
import SubscriptionModel
import Testing

/// A run of finance files with daily sales, whose rows can be read again.
struct FinanceRun {
  let result: RunResult
  let context: ReadContext
  let report: FinanceReport

  init(_ path: String, jobs: Int = 2, change: (inout RunPlan) -> Void = { _ in }) throws {
    result = carryOut([path], views: [[]], jobs: jobs) { plan in
      plan.sources = [.sales]
      plan.keepsContext = true
      change(&plan)
    }
    context = try #require(result.context)
    report = try #require(FinanceReport(result))
  }

  func explained(
    _ cell: String, _ conditions: [String], _ period: FiscalPeriod,
    order: ContributionOrder = .subscription, limit: Int? = nil, leavingOut: Bool = false
  ) throws -> Explanation {
    try Explanation(
      try Question(cell, about: .reconcile, where: conditions), period: period,
      report.reconciliation, result, context,
      Listing(order: order, limit: limit, leavingOut: leavingOut))
  }
}
