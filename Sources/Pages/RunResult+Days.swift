import Counting
package import Pipeline
package import SubscriptionModel

extension RunResult {
  /// Returns whether days of a month are missing in a source, so that its numbers are a part of the month.
  ///
  /// - Parameters:
  ///   - source: The source's name.
  ///   - month: The month.
  /// - Returns: Whether days are missing; `false` for a source that the run does not have.
  package func lacksDays(_ source: String, _ month: Month) -> Bool {
    sources.first { $0.source.rawValue == source }?.completeness.isPartial(month) ?? false
  }
}
