import Storage
package import SubscriptionModel
import Tables

/// METRICS.md 10.5, to compare with: every row asks its questions of every term again.
extension ReferenceMetrics {
  private typealias Counts = ReferenceCommitmentCounts

  /// The rows of `commitments`.
  var commitments: [[ReportTable.Cell]] {
    let chains = charges.filter(\.isFirst).map(\.chainCharges)
    let terms = chains.flatMap { self.terms(of: $0) }
    let instalments = charges.filter(\.isInstalment)
    let currencies = Set(instalments.map(\.terms.proceeds.currency))
    var rows: [[ReportTable.Cell]] = []
    for cohort in cohorts {
      for currency in currencies {
        let isOfRow = { (index: Int) in
          self.charges[index].cohort == cohort
            && self.charges[index].terms.proceeds.currency == currency
        }
        for month in monthsToAsOf {
          var counts = Counts()
          counts.remainingProceeds = 0
          for term in terms {
            addStocks(of: term, month, currency, &counts, isOfRow)
            addFlows(of: term, month, &counts, isOfRow)
          }
          guard !counts.isEmpty else { continue }
          let keys = ["subscribers", written(month)] + cohort + [symbols[Int(currency)]]
          rows.append(
            keys.map { .text($0) }
              + known(counts.cells(state: state(month, isUndecided: counts.isPending)), month))
        }
      }
    }
    return sortedRows(rows, keys: 3 + dimensions.count)
  }

  /// Returns the instalments that the cells of a row of `commitments` are made of.
  ///
  /// - Parameters:
  ///   - month: The row's month.
  ///   - cohort: The row's values of the dimensions.
  ///   - currency: The row's currency.
  /// - Returns: By column, texts such as `2026-05-05 to 2026-06-05: 1`, sorted.
  package func instalments(
    month: Month, cohort: [String], currency: String
  ) -> [String: [String]] {
    let terms = charges.filter(\.isFirst).flatMap { self.terms(of: $0.chainCharges) }
    var found: [String: [String]] = [:]
    for index in charges.indices where charges[index].isInstalment {
      guard let symbol = symbols.firstIndex(of: currency).map({ Symbol($0) }),
        charges[index].cohort == cohort, charges[index].terms.proceeds.currency == symbol
      else { continue }
      var counts = Counts()
      counts.remainingProceeds = 0
      for term in terms {
        addStocks(of: term, month, symbol, &counts) { $0 == index }
        addFlows(of: term, month, &counts) { $0 == index }
      }
      let period = charges[index].period
      for (column, number) in counts.numbers where number != 0 {
        found[column, default: []].append("\(period.start) to \(period.end): \(number)")
      }
    }
    return found.mapValues { $0.sorted() }
  }

  // MARK: Stocks

  /// Adds what runs at the end of the month's last day, in as-of's own month at as-of.
  private func addStocks(
    of term: ReferenceTerm, _ month: Month, _ currency: Symbol, _ counts: inout Counts,
    _ isOfRow: (Int) -> Bool
  ) {
    // METRICS.md 2.6: rows dated after as-of count in as-of's own month.
    let moment = monthSystem.lastDay(of: month)
    let begun = term.instalments.filter { charges[$0].period.start <= moment }
    // The dimensions are those of the newest instalment begun by then.
    guard let newest = begun.last, isOfRow(newest) else { return }
    if let end = term.end?.day, end <= moment { return }
    counts.running += 1
    guard term.isKnown, let number = charges[newest].period.instalment?.number else {
      counts.positionUnknown += 1
      return
    }
    let period = charges[newest].period
    if number < 12, charges[newest].isLapse, period.end <= moment { counts.suspended += 1 }
    // Money at the last charge by then, the last standard one where the term began with an offer.
    var last = charges[newest]
    if charges[term.first].terms.kind != .standard {
      last = begun.map { charges[$0] }.last { $0.terms.kind == .standard } ?? last
    }
    counts.remaining += 12 - number
    counts.remainingPrice += Int128(12 - number) * Int128(last.terms.price.milliunits)
    counts.remainingProceeds? += Int128(12 - number) * Int128(last.terms.proceeds.milliunits)
    if last.terms.price.currency != currency { counts.hasForeignPrice = true }
  }

  // MARK: Flows

  private func addFlows(
    of term: ReferenceTerm, _ month: Month, _ counts: inout Counts, _ isOfRow: (Int) -> Bool
  ) {
    let first = charges[term.first]
    if first.period.instalment?.number == 1, first.startMonth == month, isOfRow(term.first) {
      counts.started += 1
    }
    for (place, index) in term.instalments.enumerated() {
      let next = place + 1 < term.instalments.count ? term.instalments[place + 1] : nil
      guard charges[index].endMonth == month, isOfRow(index),
        let payment = payment(after: index, next: next, of: term)
      else { continue }
      counts.payments.append(payment)
    }
    guard let end = term.end, term.isKnown, isOfRow(term.last),
      monthSystem.month(of: end.day) == month
    else { return }
    counts.ended += 1
    if end.how == .complete, charges[term.last].period.fate == .continued { counts.renewed += 1 }
  }

  /// Returns what became of the instalment that was due at the end of another; `nil` when none was.
  private func payment(after index: Int, next: Int?, of term: ReferenceTerm) -> Counts.Payment? {
    let charge = charges[index]
    // Instalments 2 to 12 are due, at or before as-of.
    guard term.isKnown, let number = charge.period.instalment?.number, number < 12,
      charge.period.end <= asOf
    else { return nil }
    if next != nil { return charge.period.fate == .continued ? .paid : .recovered }
    // Unless the one before was refunded while current, or cut by a change.
    if charge.period.ending == .refunded || term.end?.how == .changed { return nil }
    // No next charge, and less than 90 days.
    if charge.period.nextStart == nil, asOf - charge.period.end < 90 { return .pending }
    return .defaulted
  }
}
