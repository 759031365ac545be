/// A column of `status`: METRICS.md 11.4.
package enum StatusColumn: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
  case standard, introductory, offers
  case freeTrials, freeOffers
  case grace, billingRetry, suspended, unresolved
}
