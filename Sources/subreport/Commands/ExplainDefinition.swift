import ArgumentParser
import Counting
import Explain
import Pipeline
import SubscriptionModel
import Tables

/// `subreport explain definitions`.
extension ExplainCommand {
  /// Prints what a row of `definitions` is made of.
  func printDefinition() throws {
    let question = try question(about: .definitions, from: sources(settings()))
    if asked.leftOut || asked.against != nil {
      throw UsageError(
        "\(asked.leftOut ? "--left-out" : "--against"): a step of \(question.about.name) is made of several numbers; ask for one of them, such as explain churn.churned"
      )
    }
    var month: Month?
    try answer { plan, _ in
      plan = self.plan([[]], question.source, plan)
      month = try asked.month(plan.monthSystem)
    } missing: { result, command in
      month = month ?? result.lastCompleteMonth(for: .definitions)
      guard !result.sources.contains(where: { $0.source == question.source }) || month == nil
      else { return false }
      noteNeeded(question.source, "explain", result, command)
      return true
    } explaining: { result, command in
      guard let month else { preconditionFailure("the run has a complete month") }
      noteSource(question, month, result, command)
      return try command.making {
        try Explanation(ofDefinition: question, month: month, result, listing(command))
      }
    }
  }
}
