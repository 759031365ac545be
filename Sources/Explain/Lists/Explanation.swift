import AppStoreReports
import Counting
import Files
package import Pipeline
import Rendering
package import SubscriptionModel
package import Tables

/// The contributions to the cells of a row, and whether they add up to them.
package struct Explanation: Sendable {
  /// The sum of a column.
  package struct Sum: Equatable, Sendable {
    package let column: String
    package let count: Int
    /// Their sum, an amount in milliunits; for a rank the value at it.
    package let sum: Int128
    /// The number in the table; `nil` for an input of formulas that the table does not have.
    package let expected: Int128?
    let measure: Measure
    /// Whether the numbers are hundredths, as the gaps of receipts are.
    var isInHundredths = false
    /// The name of a contribution.
    var unit = "contribution"
    /// Where the expected number is from, such as `the rows up to 2026-08-09 say`; `nil` for the explained table.
    var whatSays: String?
    /// Sentences about the sum.
    var details: [Formula] = []

    package var holds: Bool { expected.map { $0 == sum } ?? true }

    /// Returns such as `19 contributions add up to 19, as churn.csv says`, and the details.
    fileprivate func sentences(_ fileName: String, isNamed: Bool) -> [Formula] {
      let start = isNamed ? "\(column): " : ""
      let end = expected.map {
        ", \(Formula.end(holds, whatSays ?? "\(fileName) says", text($0)))"
      }
      return [Formula("\(start)\(words)\(end ?? "")", holds: holds)]
        + details.map { Formula("\(start)\($0)", holds: $0.holds) }
    }

    /// Such as `19 contributions add up to 19`, or `number 2 of 3 values in order is 13`.
    private var words: String {
      if let percent = measure.percent {
        let place = Statistics.rank(percent: percent, of: count)
        return "number \(place) of \(counted(count, "value")) in order is \(text(sum))"
      }
      return "\(counted(count, unit)) \(count == 1 ? "adds" : "add") up to \(text(sum))"
    }

    private func text(_ number: Int128) -> String {
      isInHundredths ? NumberStyle.hundredths(Int(number)) : measure.text(number)
    }
  }

  /// One row for each contribution.
  package var table: ReportTable { rows.table }
  /// The rows, if they are too many to be kept as texts; otherwise `nil`.
  package var longTable: LongTable? { rows.long }
  let rows: ListedRows
  package let sums: [Sum]
  /// How many periods or refunds of the row each column leaves out; `nil` if they are not listed.
  package let leftOut: [Int]?
  /// The computed numbers of the question, with the columns that they are computed from; none for sums.
  var computed: [Formula] = []
  /// The formulas of numbers that are computed from the sums.
  let formulas: [Formula]
  /// The state of the row, such as `final`; `nil` in tables without states.
  package private(set) var state: String?
  /// What else the reader must know.
  package var notes: [String] = []
  /// The file that `report` writes the explained table to, such as `churn.csv`.
  package let fileName: String

  init(
    _ rows: ListedRows, _ sums: [Sum], _ formulas: [Formula] = [], leftOut: [Int]? = nil,
    notes: [String] = [], fileName: String
  ) {
    (self.rows, self.sums, self.formulas) = (rows, sums, formulas)
    (self.leftOut, self.notes, self.fileName) = (leftOut, notes, fileName)
  }

  /// Explains a row of a run's tables.
  ///
  /// The run has the view of the question's dimensions, and has kept its charges, its receipts, or for events and sales
  /// its context. `ignored` is a run of the receipts that this one ignores because of their environment, whose
  /// contributions are left out of this one's. More than `mostKept` rows are made one after another.
  ///
  /// - Throws: ``QuestionError`` without such a row, ``KeptCharges/LineError`` for a file that cannot be read again.
  package init(
    _ question: Question, month: Month, _ result: RunResult, _ listing: Listing = Listing(),
    ignored: RunResult? = nil, mostKept: Int = ListedRows.mostKept
  ) throws {
    let asked = try AskedRow(question, result, month: month)
    try asked.refuseEmptyNumber()
    try asked.refuseLargestOfRank(listing.order)
    let fold = CellFold(source: question.source, result: result, listing: listing)
    let found = try fold.contributions(to: asked.columns, in: month, ignored: ignored) {
      asked.countedRow(question, month: month, $0, $1, $2)
    }
    sums = zip(asked.columns, found.sums).map { column, found in
      Sum(
        column: column.name, count: found.count, sum: found.sum, expected: column.expected,
        measure: column.measure,
        isInHundredths: question.source == .receipts && column.measure.percent != nil)
    }
    leftOut = found.leftOut
    (rows, fileName) = (ListedRows(found.table, mostKept: mostKept), asked.fileName)
    (computed, formulas, state) = (asked.computed, asked.formulas, asked.state)
  }

  /// A line for each computed number, sum and formula, such as `19 contributions add up to 19, as churn.csv says`.
  package var lines: [String] { sentences.map(\.description) }

  /// The lines whose number the table does not have.
  package var failures: [String] { sentences.filter { !$0.holds }.map(\.description) }

  private var sentences: [Formula] {
    let hasNames = sums.count > 1
    let ofLeftOut = zip(sums, leftOut ?? []).map { sum, count in
      Formula(leftOut: count, of: hasNames ? sum.column : nil)
    }
    return computed + sums.flatMap { $0.sentences(fileName, isNamed: hasNames) } + formulas
      + ofLeftOut
  }

  /// Whether all columns add up.
  package var holds: Bool { failures.isEmpty }
}

extension RunResult {
  var keptCharges: KeptCharges {
    guard let charges else { preconditionFailure("the run has kept its charges") }
    return charges
  }

  var keptReceipts: KeptReceipts {
    guard let receipts else { preconditionFailure("the run has kept its receipts") }
    return receipts
  }

  /// Returns a table of the whole population, or by some dimensions; the run has such a view.
  func table(_ kind: TableKind, by dimensions: [Dimension] = []) throws -> ReportTable {
    guard let view = plan.views.firstIndex(of: dimensions) else {
      preconditionFailure("the run has the view")
    }
    return try tableMaker().table(kind, view: view)
  }

  var keptContext: ReadContext {
    guard let context else { preconditionFailure("the run has kept its context") }
    return context
  }
}

/// The columns of every list of contributions, and its rows.
package enum ExplanationTable {
  /// The columns; amounts are in the currency of the explained row.
  package static func columns(hasMoney: Bool) -> [ReportTable.Column] {
    [.init("column", .key), .init("value", hasMoney ? .money : .count)] + others
  }

  private static let others: [ReportTable.Column] = [
    .init("subscription", .text), .init("app", .text), .init("group", .text),
    .init("product", .text), .init("country", .text),
    .init("offer", .text), .init("start_month", .text), .init("period_start", .text),
    .init("period_end", .text), .init("fact", .text), .init("because", .text),
    .init("rows", .text), .productID,
  ]

  /// The place of the fact; the reason, the rows and the id of the product follow.
  private static let placeOfFact = 2 + others.count - 4
  private static let placeOfProduct = 5

  /// The printed list of a column, and its last row about the rest; `nil` if all is printed.
  struct Part<Elements: RandomAccessCollection & Sendable>: Sendable where Elements.Index == Int {
    let shown: Elements
    let rest: [ReportTable.Cell]?

    /// Creates a list of so many elements, given the sum of those that are not printed.
    init(_ column: String, _ shown: Elements, of count: Int, rest sum: () -> ReportTable.Cell) {
      self.shown = shown
      let more = count - shown.count
      let because = "\(counted(more, "more contribution")), not listed"
      rest = more > 0 ? ExplanationTable.row([.text(column), sum()], because: because) : nil
    }

    fileprivate var rowCount: Int { shown.count + (rest == nil ? 0 : 1) }
  }

  /// Returns a table whose rows are made one by one, given the index of the list and that of the element.
  ///
  /// `keys` gives the first cells of each row of a list; none in the list of a single row of a table.
  static func table<Elements>(
    _ parts: [Part<Elements>], _ columns: [ReportTable.Column],
    keys: @escaping @Sendable (_ part: Int) -> [ReportTable.Cell] = { _ in [] },
    _ cells: @escaping @Sendable (_ part: Int, _ place: Int) -> [ReportTable.Cell]
  ) -> LongTable {
    let count = parts.reduce(0) { $0 + $1.rowCount }
    return LongTable(name: "explain", columns: columns, count: count) { index in
      var place = index
      for (number, part) in parts.enumerated() {
        if place < part.shown.count { return keys(number) + cells(number, place) }
        if place < part.rowCount, let rest = part.rest { return keys(number) + rest }
        place -= part.rowCount
      }
      preconditionFailure("the table has \(count) rows")
    }
  }

  /// Returns a row with some first cells and a few others; `names` have the id of its product.
  static func row(
    _ first: [ReportTable.Cell], fact: String? = nil, because: String, rows: String? = nil,
    of names: Names? = nil
  ) -> [ReportTable.Cell] {
    let missing = repeatElement(ReportTable.Cell.missing, count: 2 + others.count - first.count)
    var cells = setting(first + missing, fact: fact, because: because, rows: rows)
    if let names, case .text(let product) = cells[placeOfProduct], !product.isEmpty {
      cells[cells.count - 1] = .text(names.productID(ofPrinted: product))
    }
    return cells
  }

  static func fact(of cells: [ReportTable.Cell]) -> String { text(cells[placeOfFact]) }

  /// Why a row counts, or why it does not.
  static func because(of cells: [ReportTable.Cell]) -> String { text(cells[placeOfFact + 1]) }

  private static func text(_ cell: ReportTable.Cell) -> String {
    if case .text(let text) = cell { text } else { "" }
  }

  /// Returns a row with some of its last cells replaced.
  static func setting(
    _ cells: [ReportTable.Cell], value: ReportTable.Cell? = nil, fact: String? = nil,
    because: String? = nil, rows: String? = nil
  ) -> [ReportTable.Cell] {
    var cells = cells
    if let value { cells[1] = value }
    for (place, text) in [fact, because, rows].enumerated() {
      if let text { cells[placeOfFact + place] = .text(text) }
    }
    return cells
  }
}

extension Names {
  /// Returns the cells of a subscription: its app, group, product and country, and the offer and month of its start.
  func cells(_ attributes: Attributes, _ key: ChainKey?) -> [ReportTable.Cell] {
    let start = [Dimension.offer, .startMonth].map { dimension -> ReportTable.Cell in
      guard let key else { return .missing }
      return .text(key.value(of: dimension).map { $0.text(self) } ?? "")
    }
    return [
      .text(app(attributes.app)), .text(text(attributes.group)),
      .text(product(attributes.product)), .text(text(attributes.country)),
    ] + start
  }
}

extension ExplanationTable.Part {
  /// Creates the part of a list; the rest of values in order, and of what the column leaves out, has no sum.
  init<Element>(
    _ column: String, _ list: ContributionList<Element>
  ) where Elements == OrderedElements<Element> {
    let (shown, measure) = (list.printed, list.measure)
    self.init(column, shown, of: list.count) {
      let isSum = measure.percent == nil && shown.first?.isLeftOut != true
      return isSum ? measure.cell(list.sum - shown.reduce(0) { $0 + $1.value(measure) }) : .missing
    }
  }
}

/// Makes the table that lists contributions of a source.
struct ContributionTable<Source: ExplainedSource>: Sendable {
  typealias Found = Contribution<Source>

  private let names: Names
  private let source: Source
  /// How subscriptions are named; `nil` for the place of their first row.
  private let naming: CustomerTable.Naming?
  private let month: Month
  private let jobs: Int
  /// The explained row, for what its charges are worth.
  var row: CountedRow?

  init(
    _ names: Names, _ source: Source, _ naming: CustomerTable.Naming?, _ month: Month,
    of row: CountedRow? = nil, jobs: Int
  ) {
    (self.names, self.source, self.naming, self.row) = (names, source, naming, row)
    (self.month, self.jobs) = (month, jobs)
  }

  /// Returns the table of some columns' contributions, whose texts are made row by row.
  ///
  /// `others` makes the rows of those that another environment has; its run has the same files.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func table(
    _ lists: [(column: String, list: ContributionList<Found>)], others: Self? = nil
  ) throws -> LongTable {
    let parts = lists.map { ExplanationTable.Part($0, $1) }
    let shown = parts.lazy.flatMap(\.shown.inAnyOrder)
    let lines = try lines(of: shown.filter { others == nil || !$0.isOfOtherEnvironment })
    let otherLines = try others?.lines(of: shown.filter(\.isOfOtherEnvironment))
    var columns = ExplanationTable.columns(hasMoney: lists.contains(where: \.list.measure.isMoney))
    if Source.isOfReceipts, lists.contains(where: { $0.list.measure.percent != nil }) {
      columns[1] = .init("value", .number)
    }
    return ExplanationTable.table(parts, columns) { number, place in
      let (column, list) = lists[number]
      let one = parts[number].shown[place]
      let chosen = list.chosen == place + 1 ? (place + 1, list.count) : nil
      if let others, let otherLines, one.isOfOtherEnvironment {
        return others.cells(column, list.measure, one, otherLines, chosen: chosen)
      }
      return cells(column, list.measure, one, lines, chosen: chosen)
    }
  }

  /// Returns the lines of the rows that the table names.
  func lines(of shown: some Sequence<Found>) throws -> Source.Lines {
    try source.lines(of: shown.lazy.flatMap { source.namedRows($0, naming) }, jobs: jobs)
  }

  /// Returns the row of a contribution to a column.
  ///
  /// If the cell has the value of the contribution, `chosen` is its place in the order of all, and their number.
  func cells(
    _ column: String, _ measure: Measure, _ contribution: Found, _ lines: Source.Lines,
    chosen: (place: Int, count: Int)? = nil
  ) -> [ReportTable.Cell] {
    let value = contribution.value(measure)
    let isInHundredths = Source.isOfReceipts && measure.percent != nil
    let cell = isInHundredths ? .hundredths(Int(value)) : measure.cell(value)
    let reason = reason(contribution)
    let text = { (instant: Instant?) -> ReportTable.Cell in
      instant.map { .text(source.text(of: $0)) } ?? .missing
    }
    let prefix = chosen.map { "chosen, number \($0.place) of \($0.count) in order; " } ?? ""
    let name = source.name(of: contribution.customer, first: contribution.rows.first, lines, naming)
    return ExplanationTable.row(
      [.text(column), contribution.isLeftOut ? .missing : cell, .text(name)]
        + names.cells(source.attributes(of: contribution), contribution.key)
        + [text(reason.period?.start), text(reason.period?.end)],
      fact: contribution.isLeftOut ? "left out" : reason.factName,
      because: prefix + because(contribution, reason),
      rows: source.places(contribution.evidence, lines).joined(separator: "; "), of: names)
  }

  func reason(_ contribution: Found) -> Reason {
    var reason = source.reason(of: contribution, names, month)
    if let row { reason.monthly = { row.monthly($0) } }
    return reason
  }

  /// Returns why the cell counts a contribution, or why it leaves it out.
  func because(_ contribution: Found) -> String { because(contribution, reason(contribution)) }

  private func because(_ contribution: Found, _ reason: Reason) -> String {
    contribution.leftOut.map { reason.sentence($0) } ?? reason.sentence
  }
}
