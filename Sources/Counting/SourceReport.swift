package import Storage
package import SubscriptionModel

/// The results of one source in a finished run.
package struct SourceReport: Sendable {
  /// The counts, settled on as-of.
  package let tally: Tally
  /// The days that the data cover.
  package let completeness: Completeness
  /// The days on which prices can be seen; `nil` for none.
  package var priceDays: ClosedRange<Day>?
  /// Whether the source is `events` without event reports: only snapshots, which say how many there are.
  package var hasOnlySnapshots = false
  /// Whether the snapshots of `events` end although other reports go on: METRICS.md section 8, *A feed that stopped*.
  package var hasStoppedSnapshots = false
  /// The charges that count as instalments; `nil` for sources whose prices are not used to decide it.
  package let plans: BillingPlans?
  /// The products that are sold in monthly instalments, by the source's data.
  package let soldInInstalments: Set<Symbol>

  /// Creates the report of a source; `commitmentProducts` are those that records describe as sold in instalments.
  package init(
    tally: Tally, completeness: Completeness, plans: BillingPlans? = nil,
    commitmentProducts: Set<Symbol> = []
  ) {
    self.tally = tally.settled(on: completeness.asOf)
    self.completeness = completeness
    priceDays =
      completeness.firstDay <= completeness.asOf ? completeness.firstDay...completeness.asOf : nil
    self.plans = plans
    soldInInstalments = commitmentProducts.union(plans?.soldInInstalments ?? [])
  }

  package var source: Source { tally.source }

  /// Products that may be sold in instalments, but whose data do not suffice to decide.
  ///
  /// Their charges count as their dates and prices suggest.
  package var doubtfulProducts: Set<Symbol> { tally.lengths.doubtful.union(plans?.doubtful ?? []) }

  /// The whole population's churn by month from periods that were not due: instalments before the last of a term.
  package var churnedInTerm: [Month: Int] {
    guard let whole = tally.views.first(where: \.index.dimensions.isEmpty),
      let months = whole.facts.usedMonths
    else { return [:] }
    return (0...(months.upperBound - months.lowerBound)).reduce(into: [:]) { churned, offset in
      let month = months.lowerBound + offset
      churned[month] = whole.index.cohorts.indices.reduce(0) {
        $0 + whole.facts.count(.churnedInTerm, cohort: $1, month: month)
      }
    }
  }

  /// Terms of known position first seen after their first instalment, less those without later records, by month.
  package var termsSeen: [Month: Int] {
    let whole = tally.views.first(where: \.index.dimensions.isEmpty)
    return (whole?.commitments.counts ?? [:]).reduce(into: [:]) { seen, entry in
      seen[entry.key.month, default: 0] += entry.value.termsSeen
    }
  }

  /// Returns whether no file covers a day of the month before, so that who was active at a month's beginning is not known.
  ///
  /// The month before the first file counts only if rows are dated into it.
  package func isAfterMonthWithoutFiles(_ month: Month) -> Bool {
    let first = completeness.firstMonth
    return completeness.isWithoutFiles(month - 1)
      && month > min(tally.firstPaidMonth ?? first, first)
  }

  /// Returns a month as the `month` column writes it.
  package func name(_ month: Month) -> String { completeness.monthSystem.name(month) }

  /// The values of the `state` column, from the worst to the best.
  package enum State: String, CaseIterable, Comparable {
    case partial, provisional, final

    package static func < (left: State, right: State) -> Bool {
      allCases.prefix { $0 != right }.contains(left)
    }
  }

  /// Returns the state of a month's row: the first that holds, METRICS.md section 5.
  ///
  /// A row is undecided with pending or provisional counts. It is at an edge if it lacks chains that are older than the
  /// data, or are of an app that moved to another account.
  package func state(of month: Month, isUndecided: Bool, isAtEdge: Bool = false) -> State {
    if completeness.isPartial(month) || tally.isDoubtful(month) || isAtEdge { return .partial }
    return isUndecided || !completeness.isOver(month) ? .provisional : .final
  }

  /// Returns the state of numbers of a snapshot, the last one of its month: METRICS.md 11.2.
  ///
  /// One of an earlier day than the month's last is `partial` where the reports have stopped.
  package func stateOfSnapshot(of day: Day) -> State {
    let days = completeness.monthSystem
    if days.lastDay(of: days.month(of: day)) == day { return .final }
    return hasStoppedSnapshots ? .partial : .provisional
  }

  /// Returns whether new ids may hide a return or a refund of a cohort's month, because an app of the cohort moved to
  /// another account: METRICS.md 2.13.
  package func isNearTransfer(_ month: Month, cohort: Int, _ tally: ViewTally) -> Bool {
    tally.transfers(cohort: cohort).contains {
      completeness.months(around: $0.day).contains(month)
    }
  }

  /// Returns whether chains that are active in a cohort at the beginning of a month may be missing from the data,
  /// because of the left edge or of a transfer.
  package func isChurnAtEdge(_ month: Month, cohort: Int, _ tally: ViewTally) -> Bool {
    let firstDay = completeness.monthSystem.firstDay(of: month)
    if let edge = tally.edge(cohort: cohort), firstDay < edge { return true }
    return tally.transfers(cohort: cohort).contains { transfer in
      let months = completeness.months(around: transfer.day)
      return months.contains(month) || month > months.upperBound && firstDay < transfer.edge
    }
  }
}
