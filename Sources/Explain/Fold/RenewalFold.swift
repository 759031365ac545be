import Counting
import Pipeline
import PriceImpact
import SubscriptionModel
import Threads

/// A chain with the prices of its charges.
struct PricedSubscription {
  /// The index of the chain in the history.
  let number: Int
  let chain: PricedChain
  /// The terms that charges refer to by index.
  let terms: [ChargeTerms]
  /// The periods of each charge: in receipts all of a term of instalments, in reports the first.
  let periods: [ClosedRange<Int>]

  /// The index of a charge in the chain, and the charge after it.
  func place(_ addition: ImpactAddition) -> (index: Int, next: PricedCharge?) {
    let index = addition.charge - chain.charges.startIndex
    return (index, index + 1 < periods.count ? chain.charges[addition.charge + 1] : nil)
  }
}

extension ExplainedSource {
  /// Returns the customers of which nothing is counted.
  private func customers(named: Bool) -> Customers {
    let row = CountedRow(month: completeness.firstMonth, dimensions: [], filter: filter) { _ in
      false
    }
    return customers(row, [], named: named)
  }

  /// Returns the renewals that a row of price increases counts.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - empty: An empty list for each column.
  ///   - changes: The price changes of the run.
  ///   - named: Whether renewals keep the name of their customer.
  ///   - leavingOut: Whether the renewals that the columns leave out are listed too.
  ///   - jobs: The number of threads.
  /// - Returns: The lists and the sums.
  func renewals(
    _ row: ExplainedImpact, _ empty: [RenewalList<Self>], _ changes: [PriceChange], named: Bool,
    leavingOut: Bool, jobs: Int
  ) -> FoundRenewals<Self> {
    let empty = FoundRenewals(lists: empty, leftOut: leavingOut ? empty : nil)
    let parts = Workers.run(
      count: partCount, jobs: jobs,
      makeState: {
        let fold = ImpactFold(changes: changes, completeness: completeness, lastDay: nil)
        let customers = customers(named: named)
        customers.skip(notConcernedBy: fold)
        return (customers: customers, fold: fold, found: empty)
      },
      work: { state, part in
        state.customers.load(part: part, only: nil)
        while state.customers.next() {
          for own in state.customers.pricedSubscriptions {
            for heard in state.fold.hear(own.chain, own.terms) {
              for addition in row.additions(of: heard) {
                state.found.add(state.customers.renewal(addition, own))
              }
            }
          }
        }
      }, finish: { $0.found })
    return parts.reduce(into: empty) { $0.merge($1) }
  }
}
