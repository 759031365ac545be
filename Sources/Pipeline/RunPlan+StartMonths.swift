package import SubscriptionModel
import Tables

/// Retention of the subscriptions that began in some months.
extension RunPlan {
  /// Adds to each view a view of `retention` with the start month too, from which its rows of some start months are
  /// added up.
  package mutating func addStartMonths() {
    for view in views where !view.contains(.startMonth) {
      let wanted = [Dimension.startMonth] + view
      if !views.contains(where: { Set($0) == Set(wanted) }) { retentionViews.append(wanted) }
    }
  }
}

extension RunResult {
  /// Returns the last calendar months that are over in every source of `retention`.
  ///
  /// Start months are calendar months in fiscal runs too.
  ///
  /// - Parameter count: The number of months, at least 1.
  /// - Returns: The first and the last month; `nil` without a source.
  package func lastStartMonths(_ count: Int) -> ClosedRange<Month>? {
    lastCompleteMonth(for: .retention).map { month in
      let last = (plan.monthSystem.lastDay(of: month) + 1).month - 1
      return last - (count - 1)...last
    }
  }
}
