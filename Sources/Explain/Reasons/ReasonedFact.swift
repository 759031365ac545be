package import Counting
package import Pipeline
package import SubscriptionModel

/// A fact of a period or a refund, as stories tell it: its name, the sentence that says why, and the rows it rests on.
package struct ReasonedFact<Row: Sendable>: Sendable {
  /// The name of METRICS.md section 4, such as `lapse open provisional`.
  package let name: String
  /// Such as `no charge within 60 days of 2026-08-14; the data end on 2026-09-30`.
  package let because: String
  /// The rows, in the order of time.
  package let rows: [Row]
}

extension KeptCharges {
  /// Returns a fact of Subscriber reports with its reason and its rows.
  ///
  /// - Parameters:
  ///   - found: The period or refund with its fact.
  ///   - history: The chains of its subscriber.
  ///   - subscriber: The key of the subscriber.
  ///   - terms: The terms that periods refer to by index.
  ///   - names: The names of products and countries.
  /// - Returns: The fact.
  package func fact(
    _ found: CountedPeriod, _ history: borrowing ChainBuilder, subscriber: UInt64,
    terms: [ChargeTerms], _ names: Names
  ) -> ReasonedFact<UInt64> {
    let contribution = Contribution(found, history, subscriber: subscriber)
    let reason = Reason(
      contribution, terms: terms, names: names, completeness, month: completeness.firstMonth)
    return ReasonedFact(
      name: reason.factName, because: reason.sentence, rows: contribution.evidence)
  }
}

extension KeptReceipts {
  /// Returns a fact of receipts with its reason and its rows.
  ///
  /// - Parameters:
  ///   - found: The period with its fact.
  ///   - history: The chains of its customer.
  ///   - places: The rows of the customer's periods.
  ///   - names: The names of products and countries.
  /// - Returns: The fact.
  package func fact(
    _ found: CountedPeriod, _ history: borrowing ReceiptHistory, _ places: [PeriodPlaces],
    _ names: Names
  ) -> ReasonedFact<ReceiptPlace> {
    let contribution = ReceiptContribution(found, history, places)
    let reason = Reason(contribution, names: names, self, month: completeness.firstMonth)
    return ReasonedFact(
      name: reason.factName, because: reason.sentence, rows: contribution.evidence)
  }
}
