import Counting
import Storage
import SubscriptionModel

extension Definition {
  /// `status`: METRICS.md 11.4.
  static func status(_ words: SourceWording) -> Definition {
    Definition(
      table: .status, title: "Status",
      sentence:
        "Status = how many subscriptions are paid, free, in a grace period, in billing retry or suspended at the end of the month.",
      caveat:
        words.text(
          "`paid` is what MRR adds up. A column that the source cannot know is empty: rows of SUBSCRIBER reports do not say who is in a grace period.",
          receipts:
            "In `receipts` a subscription that was not seen after its end is `unresolved`, and grace and retry are known as far as renewal infos were seen."
        ),
      // Those of `events` are rows of source `snapshot`.
      sources: [.events, .receipts, .subscribers], rowIs: "month × cohort",
      keys: (["source", "month"], []), sizes: ["paid"],
      columns: [
        .count(
          "paid", .counts([.status(.standard), .status(.introductory), .status(.offers)]),
          rank: 1,
          "Paid subscriptions at the end of the month: `standard + introductory + offers`."),
        status("standard", .standard, rank: 2, "At a standard price."),
        status("introductory", .introductory, rank: 3, "At a paid introductory price."),
        status(
          "offers", .offers, rank: 4, "With a paid promotional offer, offer code or win-back offer."
        ),
        status("free_trials", .freeTrials, rank: 5, "In a free introductory period."),
        status("free_offers", .freeOffers, "In any other free period."),
        status(
          "grace", .grace, from: [.events, .receipts], rank: 6,
          "In a grace period after a failed payment."),
        status(
          "billing_retry", .billingRetry, from: [.events, .receipts], rank: 7,
          "Apple retries a payment."),
        status(
          "suspended", .suspended,
          "An instalment before the last of its term failed, and Apple retries."),
        status(
          "unresolved", .unresolved, from: [.receipts],
          "The data do not say what became of them."),
        state(rank: 8),
      ])
  }

  private static func status(
    _ name: String, _ column: StatusColumn, from sources: [Source] = Source.allCases,
    rank: Int? = nil, _ meaning: String
  ) -> Column { .count(name, .counts([.status(column)]), from: sources, rank: rank, meaning) }
}

extension TableMaker {
  /// Makes the rows of `status`.
  func statusRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    guard let grid = tally.recurring else { return [] }
    let row = RowCells(.status, report.source)
    let last = report.completeness.lastMonth
    var changes = KeyCounts<StockChange>()
    func add(_ count: Int, _ column: StatusColumn, _ cohort: Int32, _ month: Month) {
      changes.add(count, of: StockChange(cohort: cohort, month: month, column: column))
    }
    for (key, count) in grid.entries where count != 0 {
      if key.leavesCohort { add(-count, grid.column(key.old), key.cohort, key.month) }
      if key.entersCohort { add(count, grid.column(key.new), key.cohort, key.month) }
    }
    let hasInstalments = report.tally.hasInstalments
    if report.source == .subscribers {
      for (key, counts) in tally.commitments.counts {
        add(counts.suspended, .suspended, key.cohort, key.month)
      }
    }
    let flows: [(Fact, StatusColumn, Int)] = [
      (.freeTrialBegan, .freeTrials, 1), (.freeTrialEnded, .freeTrials, -1),
      (.freeOfferBegan, .freeOffers, 1), (.freeOfferEnded, .freeOffers, -1),
    ]
    let states: [(Fact, StatusColumn)] = [
      (.inGrace, .grace), (.inBillingRetry, .billingRetry), (.isSuspended, .suspended),
      (.isUnresolved, .unresolved),
    ]
    if let months = tally.facts.usedMonths {
      for cohort in tally.index.cohorts.indices {
        for month in (months.lowerBound.number...months.upperBound.number).map(Month.init(number:))
        {
          for (fact, column, sign) in flows {
            let count = tally.facts.count(fact, cohort: cohort, month: month)
            if count != 0 { add(sign * count, column, Int32(cohort), month) }
          }
          for (fact, column) in states {
            let count = tally.facts.count(fact, cohort: cohort, month: month)
            guard count != 0 else { continue }
            add(count, column, Int32(cohort), month)
            add(-count, column, Int32(cohort), month + 1)
          }
        }
      }
    }
    return Dictionary(grouping: changes.entries, by: \.key.cohort).flatMap {
      cohort, changes -> [KeyedRow] in
      let cohort = Int(cohort)
      let changes = Dictionary(grouping: changes, by: \.key.month)
      guard var month = changes.keys.min() else { return [] }
      var stock: [StatusColumn: Int] = [:]
      var rows: [KeyedRow] = []
      while month <= last {
        defer { month = month + 1 }
        for (key, count) in changes[month] ?? [] { stock[key.column, default: 0] += count }
        guard stock.values.contains(where: { $0 != 0 }) else { continue }
        let state = churnState(of: month, cohort: cohort, report, tally)
        let cells = row.cells(state) { counted, _ -> Int128? in
          guard case .status(let column) = counted else { return nil }
          let isKnown = column != .suspended || report.source == .receipts || hasInstalments
          return isKnown ? Int128(stock[column] ?? 0) : nil
        }
        let keys: [KeyedRow.Key] = [.text(report.source.rawValue), .text(report.name(month))]
        rows.append(
          KeyedRow(keys: keys + cohortKeys(cohort, tally), cells: known(cells, in: month, report)))
      }
      return rows
    }
  }

  func churnState(
    of month: Month, cohort: Int, _ report: SourceReport, _ tally: ViewTally
  ) -> SourceReport.State {
    let isUndecided = [Fact.lapseOpenProvisional, .endedAtEdge].contains {
      tally.facts.count($0, cohort: cohort, month: month) > 0
    }
    return report.state(
      of: month, isUndecided: isUndecided,
      isAtEdge: report.isChurnAtEdge(month, cohort: cohort, tally))
  }
}

/// A change of the number of subscriptions in a state.
private struct StockChange: QuickHashable {
  var cohort: Int32
  var month: Month
  var column: StatusColumn

  var quickHash: UInt32 {
    let place = UInt64(UInt32(bitPattern: cohort)) << 32 | UInt64(UInt32(bitPattern: month.number))
    return (place ^ UInt64(column.rawValue) &* 0xD6E8_FEB8_6659_FD93).quickHash
  }
}

extension RecurringGrid {
  /// Returns the column of the charges of a value.
  fileprivate func column(_ value: Int32) -> StatusColumn {
    switch values[Int(value)].kind {
    case .standard: .standard
    case .trial, .intro: .introductory
    case .offer: .offers
    }
  }
}
