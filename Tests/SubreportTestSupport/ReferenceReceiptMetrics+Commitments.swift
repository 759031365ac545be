import SubscriptionModel
import Tables

/// METRICS.md 10.5 for receipts, to compare with: every row asks its questions of every term again.
extension ReferenceReceiptMetrics {
  private typealias Counts = ReferenceCommitmentCounts

  /// The rows of `commitments`.
  var commitments: [[ReportTable.Cell]] {
    let terms = allTerms
    let currencies = Set(charges.filter { $0.instalment != nil }.map(\.currency))
    var rows: [[ReportTable.Cell]] = []
    for cohort in cohorts {
      for currency in currencies {
        let isOfRow = { (index: Int) in
          charges[index].cohort == cohort && charges[index].currency == currency
        }
        for month in months {
          var counts = Counts()
          for term in terms {
            addStocks(of: term, month, &counts, isOfRow)
            addFlows(of: term, month, &counts, isOfRow)
          }
          guard !counts.isEmpty else { continue }
          let keys = ["receipts", "\(month)"] + cohort + [symbols[Int(currency)]]
          let state = state(month, isUndecided: counts.isPending)
          rows.append(keys.map { .text($0) } + counts.cells(state: state))
        }
      }
    }
    return sortedRows(rows, keys: 3 + dimensions.count)
  }

  // MARK: Stocks

  /// Adds what runs at the end of the month's last day, in as-of's own month at as-of.
  private func addStocks(
    of term: [Int], _ month: Month, _ counts: inout Counts, _ isOfRow: (Int) -> Bool
  ) {
    let moment = min(lastSecond(of: month), runAsOf)
    let begun = term.filter { charges[$0].start <= moment }
    // The dimensions are those of the newest instalment begun by then.
    guard let newest = begun.last, isOfRow(newest) else { return }
    if let end = end(of: term)?.instant, end <= moment { return }
    let charge = charges[newest]
    // A chain not seen since leaves: at the end of a period that ran then, or of a suspension.
    let leave = charge.end > charge.asOf ? charge.end : charge.end + 7_776_000
    if moment > charge.asOf, leave <= moment { return }
    counts.running += 1
    guard let place = charge.instalment, let number = place.number else {
      counts.positionUnknown += 1
      return
    }
    if !place.isLast, charge.isLapse, charge.end <= moment { counts.suspended += 1 }
    // Money at the last charge by then, the last standard one where the term began with an offer.
    var last = charge
    if charges[term[0]].kind != "standard" {
      last = begun.map { charges[$0] }.last { $0.kind == "standard" } ?? last
    }
    let toCome = max(0, place.total - number)
    counts.remaining += toCome
    counts.remainingPrice += Int128(toCome) * Int128(last.price ?? 0)
    if last.price == nil || last.currency != charge.currency { counts.hasForeignPrice = true }
  }

  // MARK: Flows

  private func addFlows(
    of term: [Int], _ month: Month, _ counts: inout Counts, _ isOfRow: (Int) -> Bool
  ) {
    let first = charges[term[0]]
    if first.instalment?.number == 1, first.start.month == month, isOfRow(term[0]) {
      counts.started += 1
    }
    for (place, index) in term.enumerated()
    where charges[index].end.month == month && isOfRow(index) {
      let isFollowed = place + 1 < term.count
      if let payment = payment(after: index, isFollowed: isFollowed, of: term) {
        counts.payments.append(payment)
      }
    }
    let last = term[term.count - 1]
    guard let end = end(of: term), charges[last].instalment?.number != nil, isOfRow(last),
      end.instant.month == month
    else { return }
    counts.ended += 1
    let isContinued = ["renewed", "upgraded"].contains(charges[last].fate)
    if end.how == .complete, isContinued { counts.renewed += 1 }
  }

  /// Returns what became of the instalment that was due at the end of another; `nil` when none was.
  private func payment(after index: Int, isFollowed: Bool, of term: [Int]) -> Counts.Payment? {
    let charge = charges[index]
    // Instalments 2 to 12 are due, at or before as-of.
    guard let place = charge.instalment, place.number != nil, !place.isLast,
      charge.end <= charge.asOf
    else { return nil }
    if isFollowed { return charge.fate == "renewed" ? .paid : .recovered }
    // Unless the one before was refunded while current, or cut by a change.
    if charge.isEndedByRefund || end(of: term)?.how == .changed { return nil }
    // No next charge, and less than 90 days.
    if next(index) == nil, charge.asOf - charge.end < 7_776_000 { return .pending }
    return .defaulted
  }
}
