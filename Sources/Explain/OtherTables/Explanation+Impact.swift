import AppStoreReports
import Counting
import Files
package import Pipeline
package import PriceImpact
import Rendering
import Scanning
import Storage
import SubscriptionModel
import Tables

extension Explanation {
  /// Explains a row of price increases: the renewals that its cells count.
  ///
  /// The run has looked for price changes and kept its charges, or its receipts.
  ///
  /// - Throws: ``QuestionError`` without such a row, ``KeptCharges/LineError`` for a file that cannot be read again.
  package init(_ question: Question, _ result: RunResult, _ listing: Listing = Listing()) throws {
    if question.source == .receipts {
      try self.init(question, result, of: result.keptReceipts, listing)
    } else {
      try self.init(question, result, of: result.keptCharges, listing)
    }
  }

  private init(
    _ question: Question, _ result: RunResult, of source: some ExplainedSource, _ listing: Listing
  ) throws {
    let asked = try AskedImpact(question, result)
    let changes = result.prices.first { $0.source == question.source }?.changes ?? []
    let found = source.renewals(
      asked.row, asked.empty(listing), changes, named: listing.naming != nil,
      leavingOut: listing.leavingOut, jobs: result.plan.jobs)
    let maker = RenewalTable(
      names: result.names, source: source, naming: listing.naming, oldPrice: asked.row.oldPrice,
      jobs: result.plan.jobs)
    let sums = found.lists.map { list in
      let measure: Measure = list.part.isMoney ? .proceeds : .count
      return Sum(
        column: list.column.name, count: list.count, sum: list.sum.rounded(asked.row.oldPrice),
        expected: measure.number(asked.cells.cell(list.column.name)), measure: measure)
    }
    let oldProceeds = sums.first { $0.column == ImpactColumn.oldProceeds.name }?.sum ?? 0
    let formulas = ImpactFormulas(
      asked, found.sums, oldProceeds: oldProceeds, result.priceTableMaker)
    self.init(
      ListedRows(try maker.table(found.shown)), sums, asked.formulas.compactMap(formulas.formula),
      leftOut: found.leftOut?.map(\.count), fileName: asked.fileName)
  }
}

/// The row of `price_impact.csv` that a question is about, with the columns to explain.
struct AskedImpact {
  let row: ExplainedImpact
  /// The same row of the table.
  let cells: ReportTable.NamedRow
  let view: ImpactView
  /// The asked column, or all that have a number.
  let columns: [ImpactColumn]
  /// The file that `report` writes the table to.
  let fileName: String

  /// The columns of every view whose values choose a row, besides the source.
  static let keys = [
    "product", "country", "currency", "plan", "effective", "effective_existing", "old_price",
    "new_price",
  ]

  /// Finds the row in a run that has looked for price changes.
  ///
  /// - Throws: ``QuestionError`` when there is no such row, several, or the cell is empty.
  init(_ question: Question, _ result: RunResult) throws(QuestionError) {
    view = question.view
    let (source, name) = (question.source, question.about.name)
    let table = result.priceTableMaker.impactTable(view: view)
    fileName = table.fileStem + ".csv"
    let rows = table.namedRows.filter { $0.source == source.rawValue }
    guard !rows.isEmpty else {
      throw QuestionError(
        "\(name) has no row of \(source == .receipts ? "receipts" : "Subscriber reports")")
    }
    let text = { (row: ReportTable.NamedRow, key: String) in row.value(key) ?? "" }
    let found = try question.row(
      among: rows, of: name, question.forRow(), text: text,
      choice: { rows in
        let values = rows.map { row in Self.keys.map { text(row, $0) } }
        let telling = Nearest.keysTellingApart(values).map { Self.keys[$0] }
        return question.choice(of: rows, by: telling, text)
      })
    guard let cells = found else {
      throw QuestionError("\(name) has no row\(question.forRow())")
    }
    let inOrder = table.columns.map { cells.cell($0.name) }
    let explained = result.priceTableMaker.explainedRows(view: view, of: source)
    guard let row = explained.first(where: { $0.cells == inOrder }) else {
      preconditionFailure("each row of the table can be explained")
    }
    (self.row, self.cells) = (row, cells)
    let asked = ImpactColumn.columns(of: source).filter { question.asks(for: $0.name) }
    columns = asked.filter { cells.cell($0.name) != .missing }
    if columns.isEmpty {
      let names = asked.map { "\(name).\($0.name)" }.joined(separator: " and ")
      throw QuestionError(
        "\(names) \(asked.count == 1 ? "is" : "are") empty in this row: not known, so there is nothing to explain"
      )
    }
  }

  /// Returns an empty list for each column whose contributions are listed, in the order of the table.
  func empty<Source: ExplainedSource>(_ listing: Listing) -> [RenewalList<Source>] {
    let wanted = Set(columns.flatMap(\.inputs))
    return (ImpactColumn.all + [.oldProceeds]).compactMap { column in
      guard let part = column.part, wanted.contains(column.name) else { return nil }
      return RenewalList(column, part, limit: listing.limit, listing.order, row.oldPrice)
    }
  }

  /// The formulas to show, each once.
  var formulas: [ImpactFormula] {
    let shown = Set(columns.flatMap(\.inputs))
    return ImpactFormula.allCases.filter { shown.contains($0.rawValue) }
  }
}

/// A question about `price_impact`.
extension Question {
  package var view: ImpactView { views.first ?? .whole }

  var views: [ImpactView] { conditions.compactMap { ImpactView(rawValue: $0.key) } }
}

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
  /// The effect of another share has more digits than an amount: each row has the growth of the rounded sum.
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
  /// Returns the renewals that a row of price increases counts, given the price changes of the run.
  ///
  /// `empty` has an empty list for each column. With `leavingOut`, the renewals that the columns leave out are listed too.
  func renewals(
    _ row: ExplainedImpact, _ empty: [RenewalList<Self>], _ changes: [PriceChange], named: Bool,
    leavingOut: Bool, jobs: Int
  ) -> FoundRenewals<Self> {
    let empty = FoundRenewals(lists: empty, leftOut: leavingOut ? empty : nil)
    let impact = ImpactFold(changes: changes, completeness: completeness, lastDay: nil)
    return fold(
      emptyRow, [], named: named, jobs: jobs, into: (impact: impact, found: empty),
      prepare: { $0.skip(notConcernedBy: impact) }
    ) { state, customers in
      for own in customers.pricedSubscriptions {
        for heard in state.impact.hear(own.chain, own.terms) {
          for addition in row.additions(of: heard) {
            state.found.add(customers.renewal(addition, own))
          }
        }
      }
    }.reduce(into: empty) { $0.merge($1.found) }
  }
}

/// Makes the table that lists the renewals of a row of `price_impact.csv`: the columns of all explanations.
struct RenewalTable<Source: ExplainedSource> {
  let names: Names
  let source: Source
  /// How subscriptions are named; `nil` for the place of their first row.
  let naming: CustomerTable.Naming?
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
    return ExplanationTable.row(
      [.text(list.column.name), isCounted ? Self.cell(list.part, value) : .missing, .text(name)]
        + names.cells(renewal.own.attributes, renewal.key)
        + [.text(source.text(of: renewal.start)), .text(end)],
      fact: isCounted ? reason.factName : "left out",
      because: isCounted ? reason.sentence : reason.whyLeftOut,
      rows: source.places(renewal.evidence(of: list.part), lines).joined(separator: "; "), of: names
    )
  }
}

/// The fact and the sentence of a renewal that a row of `price_impact.csv` counts.
///
/// Example: `9.99 USD until 2026-06-12; the new price of 12.99 USD holds from 2026-06-01; no charge within 60 days`.
struct ImpactReason<Source: ExplainedSource> {
  let renewal: Renewal<Source>
  let part: ImpactPart
  let names: Names

  private var addition: ImpactAddition { renewal.addition }
  private var charge: PricedCharge { renewal.charge }
  private var own: ChargeTerms { renewal.own }

  /// The name of the fact: the outcome as the table's columns name it, or what followed a compared period.
  var factName: String {
    if addition.group == .notDue { return "not due" }
    let outcome = addition.outcome.flatMap { fact in
      ImpactColumn.all.first { $0.part == .facts([fact]) }
    }
    return outcome.map { String($0.name.map { $0 == "_" ? " " : $0 }) } ?? charge.fate.name
  }

  var sentence: String {
    switch addition.group {
    case .exposed: exposed + money + consent
    case .notDue: "\(price(own)) until \(charge.end); no renewal was due: \(whyNotDue)"
    case .baseline, .controlBefore:
      "paid until \(charge.end), in the 90 days before \(addition.dates.effective); \(whatFollowed)"
    case .controlAfter:
      "paid until \(charge.end), its first end since \(addition.dates.existing); \(whatFollowed)"
    }
  }

  /// Why a column leaves the renewal out, though it belongs to the row.
  var whyLeftOut: String {
    switch addition.group {
    case .exposed: "\(factName): \(sentence)"
    case .notDue: sentence
    case .baseline, .controlBefore, .controlAfter:
      "another group has no renewal of this age, so it is not compared; \(sentence)"
    }
  }

  private var whyNotDue: String {
    switch charge.ending {
    case .refunded: "a full refund ended it"
    case .boughtAgainSameDay: "it was bought again on the same day, so it has no length"
    case .transferred: Period.movedAway
    case .changedProduct, .fullEnd, .oldBillingDay: "a change of product cut it"
    }
  }

  // MARK: Those who met the increase

  private var exposed: String {
    let newPrice =
      addition.change?.newPrice.map { " of \(priceText($0, currency: currency))" } ?? ""
    let lead =
      "\(price(own)) until \(charge.end); the new price\(newPrice) holds from \(addition.dates.existing)"
    return "\(lead); \(outcome)\(refund)"
  }

  private var currency: String { names.text(own.price.currency) }

  private var outcome: String {
    switch addition.outcome {
    case .notReached:
      charge.end > renewal.asOf
        ? "not due yet; \(endOfData)"
        : "not decided yet: ended at most \(ChainBuilder.toleranceDays) days before \(endOfData)"
    case .preserved:
      "\(charged) with preserved pricing, so it keeps the old price"
    default: whatFollowed
    }
  }

  private var refund: String {
    guard part == .refunded, let day = renewal.refundDay else { return "" }
    return "; the whole price was given back on \(day)"
  }

  /// The proceeds that a column of money adds up.
  private var money: String {
    let (old, new) = addition.proceeds
    let text = { (amount: Int128) in NumberStyle.money(milliunits: amount) }
    return switch part {
    case .facts, .periods, .unmatched: ""
    case .actual: "; proceeds of \(text(new))"
    case .oldProceeds: "; proceeds of \(text(old)) before"
    case .priceEffect, .mixEffect, .shareEffect:
      "; proceeds of \(text(old)) before and \(text(new)) after"
    }
  }

  // MARK: Receipts

  /// The reason of a lapse for the price; in columns of consent, Apple's question and the answer.
  private var consent: String {
    guard let receipts = renewal.consent else { return "" }
    let reason =
      addition.has(.lapsedPriceReason)
      ? "; the renewal info says that the customer did not accept the price" : ""
    guard part.isOfConsent else { return reason }
    guard let asked = receipts.asked, let latest = receipts.latest else {
      return reason + "; no record around this renewal asks the customer for consent"
    }
    let question = "\(reason); the record of \(asked) asks for consent"
    if receipts.isGiven {
      return "\(question); that of \(latest), the latest, says agreed or not needed"
    }
    return asked == latest
      ? "\(question), and no later one answers"
      : "\(question); that of \(latest), the latest, has no answer"
  }

  // MARK: What followed

  private var whatFollowed: String {
    let days = own.retryDays
    switch charge.fate {
    case .continued:
      guard renewal.next != nil else { return "continued by an overlapping period" }
      return charged
    case .recovered: return "\(charged), within \(days) days"
    case .reactivated: return "\(charged), more than \(days) days later"
    case .openFinal: return "no charge within \(days) days; \(endOfData)"
    case .openProvisional: return "no charge so far, less than \(days) days before \(endOfData)"
    case .running:
      // Receipts compare seconds, and allow retries before a period counts as lapsed.
      return renewal.consent == nil
        ? "no charge so far, at most \(ChainBuilder.toleranceDays) days before \(endOfData)"
        : "no charge so far; \(endOfData)"
    }
  }

  /// Such as `charged 12.99 USD on 2026-06-12`, with the product if it is another one.
  private var charged: String {
    guard let next = renewal.next, let new = renewal.new else { return "charged again" }
    let what =
      new.attributes.product != own.attributes.product
      ? " for \(names.product(new.attributes.product))"
      : new.plan != own.plan ? " for another billing plan" : ""
    return "charged \(price(new))\(what) on \(next.start)"
  }

  private func price(_ terms: ChargeTerms) -> String {
    priceText(terms.price.milliunits, currency: names.text(terms.price.currency))
  }

  private var endOfData: String {
    "the data \(renewal.consent == nil ? "" : "of the subscription ")end on \(renewal.asOf)"
  }
}
