import Explain
import Pipeline
import PipelineTestSupport
import SubscriptionModel
import Testing

/// Explains a cell or a row of the reports in a folder.
func explanation(
  _ cell: String, where conditions: [String] = [], _ sandbox: ReportSandbox, month: String,
  jobs: Int = 2, naming: CustomerTable.Naming? = nil, order: ContributionOrder = .subscription,
  limit: Int? = nil, leavingOut: Bool = false,
  change: (inout RunPlan) -> Void = { _ in }, afterRun: () throws -> Void = {}
) throws -> Explanation {
  let question = try Question(cell, where: conditions)
  let result = carryOut([sandbox.path], views: [question.dimensions], jobs: jobs) { plan in
    plan.sources = [.subscribers]
    plan.keepsCharges = true
    change(&plan)
  }
  try afterRun()
  return try Explanation(
    question, month: try #require(Month(month)), result,
    Listing(naming: naming, order: order, limit: limit, leavingOut: leavingOut))
}
