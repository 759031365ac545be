import AppStoreReports
import Counting
import Files
import Pipeline
import PriceImpact
import Rendering
import Storage
import SubscriptionModel
import Tables

/// A renewal that a row of `price_impact.csv` counts, with the rows that it rests on.
struct Renewal<Source: ExplainedSource>: Sendable {
  typealias Row = Source.Row

  /// The rows that it may rest on.
  struct Rows: Sendable {
    /// The first row of the chain.
    var first: Row
    var own: [Row]
    /// The last instalment of a term that began with ``own``.
    var last: [Row] = []
    var next: [Row] = []
    var refund: Row?
    /// The renewal info with the reason of the lapse.
    var reason: Row?
    /// The records that ask for consent and answer.
    var consent: [Row] = []
  }

  let addition: ImpactAddition
  let key: ChainKey
  let customer: Source.Customer
  /// The period that ended, and the charge that followed it.
  let charge: PricedCharge
  let next: PricedCharge?
  /// Their terms, because each thread numbers terms in its own way.
  let own: ChargeTerms
  let new: ChargeTerms?
  /// The period; for days of reports at midnight.
  let start: Instant
  let end: Instant
  /// The day up to which the data of the subscription are complete.
  let asOf: Day
  /// The day on which the next charge was refunded in full.
  var refundDay: Day?
  /// Apple's question for consent; `nil` in reports.
  var consent: Consent?
  var rows: Rows

  /// The rows that it rests on, in the order of time, each once.
  func evidence(of part: ImpactPart) -> [Row] {
    let refund = part == .refunded ? rows.refund : nil
    return
      (rows.own + rows.last + (part.isOfConsent ? rows.consent : [])
      + [rows.reason].compactMap(\.self) + rows.next + [refund].compactMap(\.self)).unique
  }

  /// Returns whether a renewal is listed before another: by the first row of the chain, then by time.
  static func precedes(_ left: Self, _ right: Self) -> Bool {
    let begin = { (one: Self) in (one.rows.first, one.start) }
    if begin(left) != begin(right) { return begin(left) < begin(right) }
    if left.rows.own != right.rows.own {
      return left.rows.own.lexicographicallyPrecedes(right.rows.own)
    }
    let rest = { (one: Self) in
      (one.end, one.addition.dates.effective, one.addition.dates.existing)
    }
    return rest(left) < rest(right)
  }

  /// Returns whether a renewal is listed before another: by file and line of the first row it rests on.
  static func precedesByEvidence(_ left: Self, _ right: Self) -> Bool {
    let (own, other) = (left.firstEvidence, right.firstEvidence)
    return own == other ? precedes(left, right) : own < other
  }

  private var firstEvidence: Row { (rows.own + rows.last + rows.next).min() ?? rows.first }
}

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

/// Apple's question for consent to an increase, and the answer.
struct Consent: Sendable {
  /// The day of the first record that asks; `nil` if the customer was not asked.
  var asked: Day?
  /// The day of the latest record, and whether it says that the customer agreed.
  var latest: Day?
  var isGiven = false
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
struct FoundRenewals<Source: ExplainedSource>: Sendable {
  var lists: [RenewalList<Source>]
  /// The renewals that each column leaves out; `nil` if they are not listed.
  var leftOut: [RenewalList<Source>]?
  private(set) var sums = ImpactSums()

  /// The lists to print.
  var shown: [RenewalList<Source>] { leftOut ?? lists }

  mutating func add(_ renewal: Renewal<Source>) {
    sums.add(renewal.addition, isRenewed: renewal.charge.isContinued)
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
struct RenewalList<Source: ExplainedSource>: Sendable {
  let column: ImpactColumn
  let part: ImpactPart
  private(set) var count = 0
  private(set) var sum = ImpactValue.zero
  private var first: FirstElements<Renewal<Source>>

  /// Creates an empty list; `oldPrice` is that of the row in milliunits, `nil` in rows without money.
  init(
    _ column: ImpactColumn, _ part: ImpactPart, limit: Int?, _ order: ContributionOrder,
    _ oldPrice: Int64?
  ) {
    (self.column, self.part) = (column, part)
    let size = { @Sendable (one: Renewal<Source>) in
      part.value(of: one.addition)?.rounded(oldPrice).magnitude ?? 0
    }
    first = FirstElements(limit: limit) { left, right in
      if order == .value {
        let (own, other) = (size(left), size(right))
        if own != other { return own > other }
      }
      return order == .evidence
        ? Renewal.precedesByEvidence(left, right) : Renewal.precedes(left, right)
    }
  }

  /// Adds a renewal, if it adds something to the column.
  mutating func add(_ renewal: Renewal<Source>) {
    guard let value = part.value(of: renewal.addition) else { return }
    count += 1
    sum += value
    first.add(renewal)
  }

  /// Adds a renewal that belongs to the row and adds nothing to the column.
  mutating func addLeftOut(_ renewal: Renewal<Source>) {
    guard part.considers(renewal.addition), part.value(of: renewal.addition) == nil else { return }
    count += 1
    first.add(renewal)
  }

  mutating func merge(_ other: Self) {
    count += other.count
    sum += other.sum
    first.merge(other.first)
  }

  /// The renewals to print, in order, and the number that each adds.
  ///
  /// The effect of another share has more digits than an amount. Each row has what the rounded sum grows by, so that
  /// the rows add up.
  func printed(_ oldPrice: Int64?) -> [(renewal: Renewal<Source>, value: Int128)] {
    var sum = ImpactValue.zero
    var before: Int128 = 0
    return first.inOrder.map { renewal in
      sum += part.value(of: renewal.addition) ?? .zero
      let now = sum.rounded(oldPrice)
      defer { before = now }
      return (renewal, now - before)
    }
  }
}

extension ExplainedSource {
  /// Returns the customers, for a row that counts nothing.
  private func customers(named: Bool) -> Customers {
    let row = CountedRow(month: completeness.firstMonth, dimensions: [], filter: filter) { _ in
      false
    }
    return customers(row, [], named: named)
  }

  /// Returns the renewals that a row of price increases counts, given the price changes of the run.
  ///
  /// `empty` has an empty list for each column. With `leavingOut`, the renewals that the columns leave out are listed too.
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

/// Makes the table that lists the renewals of a row of `price_impact.csv`: the columns of all explanations.
struct RenewalTable<Source: ExplainedSource> {
  let names: Names
  let source: Source
  /// How subscriptions are named; `nil` for the place of their first row.
  let naming: CustomerTable.Naming?
  /// The old price of the explained row.
  let oldPrice: Int64?
  let jobs: Int

  /// Returns the table of some columns' renewals: a row for each one that is printed, and one for the rest of each list.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func table(_ lists: [RenewalList<Source>]) throws -> ReportTable {
    let parts = lists.map { list in
      let shown = list.printed(oldPrice)
      return ExplanationTable.Part(list.column.name, shown, of: list.count) {
        let isLeftOut = shown.first.map { list.part.value(of: $0.renewal.addition) == nil }
        let sum = list.sum.rounded(oldPrice) - shown.reduce(0) { $0 + $1.value }
        return isLeftOut == true ? .missing : Self.cell(list.part, sum)
      }
    }
    let wanted = zip(lists, parts).flatMap { list, part in
      part.shown.flatMap { renewal, _ in
        renewal.evidence(of: list.part)
          + source.rows(of: renewal.customer, first: renewal.rows.first, naming)
      }
    }
    let lines = try source.lines(of: wanted, jobs: jobs)
    let columns = ExplanationTable.columns(hasMoney: lists.contains(where: \.part.isMoney))
    return ExplanationTable.table(parts, columns) { number, place in
      let (renewal, value) = parts[number].shown[place]
      return cells(lists[number], renewal, value, lines)
    }.table
  }

  /// Returns the cell of a number of a list.
  private static func cell(_ part: ImpactPart, _ number: Int128) -> ReportTable.Cell {
    part.isMoney ? .money(milliunits: number) : .count(Int(number))
  }

  private func cells(
    _ list: RenewalList<Source>, _ renewal: Renewal<Source>, _ value: Int128,
    _ lines: Source.Lines
  ) -> [ReportTable.Cell] {
    let reason = ImpactReason(renewal: renewal, part: list.part, names: names)
    let isCounted = list.part.value(of: renewal.addition) != nil
    let name = source.name(of: renewal.customer, first: renewal.rows.first, lines, naming)
    // The end of a running term is that of its last instalment, which has not been paid yet.
    let end =
      renewal.charge.isRunningTerm
      ? renewal.charge.end.description : source.text(of: renewal.end)
    return [
      .text(list.column.name), isCounted ? Self.cell(list.part, value) : .missing, .text(name),
    ] + names.cells(renewal.own.attributes, renewal.key) + [
      .text(source.text(of: renewal.start)), .text(end),
      .text(isCounted ? reason.factName : "left out"),
      .text(isCounted ? reason.sentence : reason.whyLeftOut),
      .text(source.places(renewal.evidence(of: list.part), lines).joined(separator: "; ")),
    ]
  }
}
