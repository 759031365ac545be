import Counting
import PriceImpact
import SubscriptionModel

/// A renewal that a row of `price_impact.csv` counts, and its place in the list that explains the row.
protocol ListedRenewal: Sendable, SendableMetatype {
  /// What the renewal adds to the row.
  var addition: ImpactAddition { get }

  /// Returns whether a renewal is listed before another: by the first row of the chain, then by time.
  static func precedes(_ left: Self, _ right: Self) -> Bool

  /// Returns whether a renewal is listed before another: by file and line of the first row it rests on.
  static func precedesByEvidence(_ left: Self, _ right: Self) -> Bool
}

/// The renewals of Subscriber reports that add to one column.
typealias ImpactContributionList = RenewalList<ImpactContribution>

/// A renewal of Subscriber reports that a row of `price_impact.csv` counts, with the rows that it rests on.
struct ImpactContribution: ListedRenewal {
  /// Places of rows in the run, as ``ChargeRecord/order`` has them; 0 for none.
  struct Rows: Sendable {
    /// The first row of the chain.
    var first: UInt64 = 0
    var own: UInt64 = 0
    /// The last instalment of a term that began with ``own``.
    var last: UInt64 = 0
    var next: UInt64 = 0
    var refund: UInt64 = 0
  }

  let addition: ImpactAddition
  let key: ChainKey
  let subscriber: UInt64
  /// The period that ended, and the charge that followed it.
  let charge: PricedCharge
  let next: PricedCharge?
  /// The day on which the next charge was refunded in full.
  var refundDay: Day?
  var rows = Rows()

  /// The rows that it rests on, in the order of time, each once.
  func evidence(of part: ImpactPart) -> [UInt64] {
    let all = [rows.own, rows.last, rows.next, part == .refunded ? rows.refund : 0]
    var seen: Set<UInt64> = [0]
    return all.filter { seen.insert($0).inserted }
  }

  /// Returns whether a contribution is listed before another: by the first row of the chain, then by time.
  static func precedes(_ left: ImpactContribution, _ right: ImpactContribution) -> Bool {
    let places = { (one: ImpactContribution) in
      (
        one.rows.first, one.charge.start, one.rows.own, one.charge.end,
        one.addition.dates.effective, one.addition.dates.existing
      )
    }
    return places(left) < places(right)
  }

  /// Returns whether a contribution is listed before another: by file and line of the first row it rests on.
  static func precedesByEvidence(_ left: ImpactContribution, _ right: ImpactContribution) -> Bool {
    let (own, other) = (left.firstEvidence, right.firstEvidence)
    return own == other ? precedes(left, right) : own < other
  }

  private var firstEvidence: UInt64 {
    [rows.own, rows.last, rows.next].filter { $0 != 0 }.min() ?? 0
  }
}

extension ImpactPart {
  /// Charges of the new price that were given back.
  static let refunded = ImpactPart.facts([.refunded])

  /// Whether only a source with reasons knows it.
  var isOfReasons: Bool { isOfConsent || self == .facts([.lapsedPriceReason]) }

  /// Whether it is about Apple's question for consent, and the answer.
  var isOfConsent: Bool {
    let facts: [ExposureFact] = [.consentAsked, .consentGiven, .consentPending, .notified]
    return facts.contains { self == .facts([$0]) }
  }
}

/// The renewals that a row counts: a list for each column, and the sums of all.
struct FoundRenewals<Element: ListedRenewal>: Sendable {
  private(set) var lists: [RenewalList<Element>]
  /// The renewals that each column leaves out; `nil` if they are not listed.
  private(set) var leftOut: [RenewalList<Element>]?
  private(set) var sums = ImpactSums()

  /// Creates empty lists.
  ///
  /// - Parameters:
  ///   - empty: An empty list for each column.
  ///   - leavingOut: Whether the renewals that the columns leave out are listed too.
  init(_ empty: [RenewalList<Element>], leavingOut: Bool) {
    lists = empty
    leftOut = leavingOut ? empty : nil
  }

  /// The lists to print.
  var shown: [RenewalList<Element>] { leftOut ?? lists }

  /// Adds a renewal.
  ///
  /// - Parameters:
  ///   - renewal: The renewal.
  ///   - isRenewed: Whether the next charge continued the period.
  mutating func add(_ renewal: Element, isRenewed: Bool) {
    sums.add(renewal.addition, isRenewed: isRenewed)
    for place in lists.indices {
      lists[place].add(renewal)
      leftOut?[place].addLeftOut(renewal)
    }
  }

  mutating func merge(_ other: Self) {
    for (place, list) in other.lists.enumerated() { lists[place].merge(list) }
    for (place, list) in (other.leftOut ?? []).enumerated() { leftOut?[place].merge(list) }
    sums.merge(other.sums)
  }
}

/// The renewals that add to one column: their number and sum, and those that are printed.
struct RenewalList<Element: ListedRenewal>: Sendable {
  let column: ImpactColumn
  let part: ImpactPart
  private(set) var count = 0
  private(set) var sum = ImpactValue.zero
  private var first: FirstElements<Element>

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - part: What it counts.
  ///   - limit: How many renewals are printed; `nil` for all.
  ///   - order: Their order.
  ///   - oldPrice: The old price of the row in milliunits; `nil` in rows without money.
  init(
    _ column: ImpactColumn, _ part: ImpactPart, limit: Int?, _ order: ContributionOrder,
    _ oldPrice: Int64?
  ) {
    (self.column, self.part) = (column, part)
    let size = { @Sendable (one: Element) in
      part.value(of: one.addition)?.rounded(oldPrice).magnitude ?? 0
    }
    first = FirstElements(limit: limit) { left, right in
      if order == .value {
        let (own, other) = (size(left), size(right))
        if own != other { return own > other }
      }
      return order == .evidence
        ? Element.precedesByEvidence(left, right) : Element.precedes(left, right)
    }
  }

  /// Adds a contribution, if it adds something to the column.
  mutating func add(_ contribution: Element) {
    guard let value = part.value(of: contribution.addition) else { return }
    count += 1
    sum += value
    first.add(contribution)
  }

  /// Adds a renewal that belongs to the row and adds nothing to the column.
  mutating func addLeftOut(_ renewal: Element) {
    guard part.considers(renewal.addition), part.value(of: renewal.addition) == nil else { return }
    count += 1
    first.add(renewal)
  }

  mutating func merge(_ other: Self) {
    count += other.count
    sum += other.sum
    first.merge(other.first)
  }

  /// The contributions to print, in order, and the number that each adds.
  ///
  /// The effect of another share has more digits than an amount. Each row has what the rounded sum grows by, so that
  /// the rows add up.
  ///
  /// - Parameter oldPrice: The old price of the row.
  /// - Returns: The contributions with their numbers.
  func printed(
    _ oldPrice: Int64?
  ) -> [(contribution: Element, value: Int128)] {
    var sum = ImpactValue.zero
    var before: Int128 = 0
    return first.inOrder.map { contribution in
      sum += part.value(of: contribution.addition) ?? .zero
      let now = sum.rounded(oldPrice)
      defer { before = now }
      return (contribution, now - before)
    }
  }
}
