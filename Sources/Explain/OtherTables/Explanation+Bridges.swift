import AppStoreReports
package import Counting
import Files
package import Pipeline
import Rendering
package import Settlement
import Storage
package import SubscriptionModel
import Tables

extension Explanation {
  /// Explains a row of `reconcile.csv` or `reconcile-by-product.csv`: the rows behind a line of a bridge.
  ///
  /// What the other lines of the bridge count is left out.
  ///
  /// - Throws: ``QuestionError`` without such a row, ``KeptCharges/LineError`` for a file that cannot be read again.
  package init(
    _ question: Question, period: FiscalPeriod, _ reconciliation: Reconciliation,
    _ result: RunResult, _ context: ReadContext, _ listing: Listing = Listing()
  ) throws {
    let asked = try AskedBridgeLine(question, reconciliation, period, result.names)
    let evidence = reconciliation.evidence(of: asked.bridge)
    let lists = asked.columns.map { evidence.contributions(to: $0.name, of: asked.entry) }
    let others = listing.leavingOut ? asked.others : []
    let otherLists = others.map { evidence.contributions(to: $0) }
    let sales = Set((lists + otherLists).joined().flatMap { $0.sold.map(\.sale) })
    let sold = try SoldRows(sales, result, context)
    let rows = lists.map { BridgeListRow.all($0, sold) }
    let columns = zip(asked.columns, rows).map { column, rows in
      BridgeList(
        column.name, column.measure, asked.bridge, asked.entry,
        rows.filter { $0.isListed(column.measure) }.map { (asked.entry, $0) })
    }
    let sums = zip(asked.columns, columns).map { column, list in
      Sum(
        column: column.name, count: list.rows.count, sum: list.sum(from: 0),
        expected: column.expected, measure: column.measure)
    }
    let units = sold.difference(from: result.finance?.sales ?? [:], sales).map { units in
      Sum(
        column: "units of SALES rows", count: columns.reduce(0) { $0 + $1.rows.count },
        sum: Int128(units.found), expected: Int128(units.expected), measure: .count)
    }
    var shown = listing.order == .value ? columns.map(\.largestFirst) : columns
    if listing.leavingOut, let first = asked.columns.first {
      let own = rows[0].filter { !$0.isListed(first.measure) }.map { (asked.entry, $0) }
      let others = zip(others, otherLists).flatMap { entry, list in
        BridgeListRow.all(list, sold).map { (entry, $0) }
      }
      shown = [
        BridgeList(
          first.name, first.measure, asked.bridge, asked.entry, own + others, isLeftOut: true)
      ]
    }
    let hasMoney = listing.leavingOut || asked.columns.contains(where: \.measure.isMoney)
    let table = BridgeTable(result).table(
      shown, ExplanationTable.columns(hasMoney: hasMoney), limit: listing.limit)
    self.init(
      ListedRows(table.table), sums + [units].compactMap(\.self),
      leftOut: listing.leavingOut ? [shown[0].rows.count] : nil,
      notes: [asked.entry.note].compactMap(\.self), fileName: asked.fileName)
  }

  /// Explains all lines of some bridges in one list, with region, currency and line before each row.
  package init(_ evidence: PeriodEvidence, _ listing: Listing = Listing()) {
    let table = evidence.table(limit: listing.limit)
    self.init(
      ListedRows(table), evidence.sums.filter { !$0.holds }, notes: [evidence.sentence],
      fileName: "reconcile.csv")
  }
}

/// All lines of the bridges of a period, each with the rows behind it.
package struct PeriodEvidence: Sendable {
  private let lines: [BridgeList]
  private let period: FiscalPeriod
  private let bridgeCount: Int
  private let result: RunResult

  /// The columns before those of all explanations.
  static let keys: [ReportTable.Column] = ["region", "currency", "line"].map { .init($0, .key) }
  static let columns = keys + ExplanationTable.columns(hasMoney: true)

  /// Finds the rows behind the lines of the asked bridges of a period.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  package init(
    of period: FiscalPeriod, _ reconciliation: Reconciliation,
    where isAsked: (Bridge) -> Bool = { _ in true }, _ result: RunResult, _ context: ReadContext
  ) throws {
    let bridges = reconciliation.bridges.filter { $0.period == period && isAsked($0) }
    let lists = bridges.flatMap { bridge in
      let evidence = reconciliation.evidence(of: bridge)
      return bridge.entries.filter { $0.amount != nil }.map { entry in
        (bridge: bridge, entry: entry, list: evidence.contributions(to: entry))
      }
    }
    let sales = Set(lists.flatMap { $0.list.flatMap { $0.sold.map(\.sale) } })
    let sold = try SoldRows(sales, result, context)
    lines = lists.map { bridge, entry, list in
      let rows = BridgeListRow.all(list, sold).filter { $0.isListed(.proceeds) }
      return BridgeList(
        "amount", .proceeds, bridge, entry, rows.map { (entry, $0) },
        keys: [bridge.region, result.names.text(bridge.currency), entry.line.name])
    }
    (self.period, self.result) = (period, result)
    bridgeCount = bridges.count
  }

  /// The sum of each line, named such as `US USD sales_gross`.
  var sums: [Explanation.Sum] {
    lines.map { line in
      Explanation.Sum(
        column: line.keys.joined(separator: " "), count: line.rows.count, sum: line.sum(from: 0),
        expected: line.entry.amount, measure: .proceeds)
    }
  }

  /// How many rows add up to how many lines.
  package var sentence: String {
    let count = lines.reduce(0) { $0 + $1.rows.count }
    let agreeing = sums.count { $0.holds }
    return
      "\(counted(count, "contribution")) \(count == 1 ? "adds" : "add") up to \(agreeing) of \(counted(lines.count, "line")) of \(counted(bridgeCount, "bridge")) of \(period)"
  }

  /// Returns the list, line by line, with at most `limit` rows of each and one for the others.
  func table(limit: Int?) -> LongTable {
    BridgeTable(result).table(lines, Self.columns, limit: limit)
  }
}

extension AskedBridgeLine {
  /// The other rows of the bridge whose rows of reports could belong to the asked one.
  ///
  /// They are those up to the settlement, or those after it. The settlement and the amount owed are sums of all.
  fileprivate var others: [Bridge.Entry] {
    let sums: [Bridge.Line] = [.financeShare, .totalOwed]
    guard !sums.contains(entry.line) else { return [] }
    let isOfSales = entry.line.rawValue < Bridge.Line.financeShare.rawValue
    return bridge.entries.filter { other in
      other != entry && !sums.contains(other.line)
        && (other.line.rawValue < Bridge.Line.financeShare.rawValue) == isOfSales
    }
  }
}

extension Bridge.Entry {
  /// The range or the cause of the amount in the table; `nil` for an exact one without a cause.
  fileprivate var note: String? {
    // The cause of these two lines only tells their rows apart.
    let isName = [.shareDifference, .otherRegion].contains(line)
    let end = isName || cause.isEmpty ? "" : ": \(cause)"
    guard status == .estimate else { return end.isEmpty ? nil : "\(line.name)\(end)" }
    guard let low, let high else { return "\(line.name) is an estimate\(end)\(howEstimated)" }
    let range = [low, high].map { NumberStyle.money(milliunits: $0) }.joined(separator: " and ")
    return "\(line.name) is an estimate between \(range)\(end)\(howEstimated)"
  }

  /// How the amount of an estimate, or its range, is found, after a semicolon: METRICS.md section 7.
  private var howEstimated: String {
    let byLags: [Bridge.Line] = [.cutoffIn, .cutoffOut, .refundTiming]
    if byLags.contains(line), cause.hasPrefix("settlement lag") {
      return
        "; FINANCIAL has no days, so the amount is the mean of what the line would be at each lag from sale to settlement (\(evidence))"
    }
    switch line {
    case .unexplainedSales, .unexplainedPayment: return ""
    case .payment: return "; the amount is Apple's own estimate"
    case .missingDays:
      return "; the amount is what was settled of sales on days without a SALES report"
    default:
      // Missing days of SALES give no range: their rows may belong to any line.
      return low == high
        ? "; the amount counts the SALES rows that are there, and those of the missing days may change it"
        : "; the range depends on how many of the units that are not settled yet will be settled, and at which share"
    }
  }
}

/// The list of a column of a line, or of the rows that the column leaves out.
private struct BridgeList: Sendable {
  let column: String
  let measure: Measure
  let bridge: Bridge
  let entry: Bridge.Entry
  /// The rows, each with the line that counts it.
  let rows: [(entry: Bridge.Entry, row: BridgeListRow)]
  let isLeftOut: Bool
  /// The texts of the first cells of each row.
  let keys: [String]

  init(
    _ column: String, _ measure: Measure, _ bridge: Bridge, _ entry: Bridge.Entry,
    _ rows: [(entry: Bridge.Entry, row: BridgeListRow)], isLeftOut: Bool = false,
    keys: [String] = []
  ) {
    (self.column, self.measure, self.bridge, self.entry) = (column, measure, bridge, entry)
    (self.rows, self.isLeftOut, self.keys) = (rows, isLeftOut, keys)
  }

  /// The list with the rows by the size of their amounts.
  var largestFirst: BridgeList {
    let sorted = rows.enumerated().sorted { left, right in
      let own = left.element.row.value(measure).magnitude
      let other = right.element.row.value(measure).magnitude
      return own == other ? left.offset < right.offset : own > other
    }
    return BridgeList(column, measure, bridge, entry, sorted.map(\.element))
  }

  /// Returns the sum of the rows from one on.
  func sum(from first: Int) -> Int128 { rows[first...].reduce(0) { $0 + $1.row.value(measure) } }

  /// Returns the cell of a number of the column.
  func cell(_ number: Int128) -> ReportTable.Cell { isLeftOut ? .missing : measure.cell(number) }
}

extension BridgeEvidence {
  /// Returns what adds up to a column of a row.
  fileprivate func contributions(
    to column: String, of entry: Bridge.Entry
  ) -> [BridgeContribution] {
    switch column {
    case "low": contributions(to: .low, of: entry)
    case "high": contributions(to: .high, of: entry)
    default: contributions(to: entry)
    }
  }
}

/// Makes the table that lists what a line of a bridge is made of; it has the columns of all explanations.
private struct BridgeTable: Sendable {
  private let result: RunResult
  /// The app of each product, by their printed names.
  private let apps: [ExactText: String]

  init(_ result: RunResult) {
    self.result = result
    apps = result.names.appsOfProducts
  }

  /// Returns the table of some lists, with at most `limit` rows of each and one for the others, made row by row.
  func table(_ lists: [BridgeList], _ columns: [ReportTable.Column], limit: Int?) -> LongTable {
    let parts = lists.map { list in
      let shown = list.rows.prefix(limit ?? list.rows.count)
      return ExplanationTable.Part(list.column, shown, of: list.rows.count) {
        list.cell(list.sum(from: shown.count))
      }
    }
    return ExplanationTable.table(parts, columns, keys: { lists[$0].keys.map { .text($0) } }) {
      cells(lists[$0], parts[$0].shown[$1])
    }
  }

  private func cells(
    _ list: BridgeList, _ shown: (entry: Bridge.Entry, row: BridgeListRow)
  ) -> [ReportTable.Cell] {
    let (entry, row) = shown
    let (names, contribution) = (result.names, row.contribution)
    let reason = BridgeReason(row: row, bridge: list.bridge, entry: entry, names: names)
    let product = contribution.product.map { names.product($0) }
    let app = product.flatMap { apps[$0] }
    let places = row.places.map { place in
      "\(result.files[place.fileIndex].file.relativePath):\(place.line)"
    }
    let cause = entry.cause.isEmpty ? "" : " (\(entry.cause))"
    let why =
      entry == list.entry
      ? "it adds nothing to \(list.column)" : "it is in \(entry.line.name)\(cause)"
    return ExplanationTable.row(
      [
        .text(list.column), list.cell(row.value(list.measure)), .missing, text(app), .missing,
        text(product), text(contribution.country.map { names.text($0) }),
      ], fact: list.isLeftOut ? "left out" : reason.factName,
      because: list.isLeftOut ? "\(why): \(reason.sentence)" : reason.sentence,
      rows: places.joined(separator: "; "), of: names)
  }

  private func text(_ text: String?) -> ReportTable.Cell { text.map { .text($0) } ?? .missing }
}

extension BridgeListRow {
  /// Returns what the row adds to a column.
  fileprivate func value(_ measure: Measure) -> Int128 { measure.isMoney ? amount : Int128(count) }

  /// Returns whether a column lists the row: it adds something, or is a cell of a payments CSV.
  fileprivate func isListed(_ measure: Measure) -> Bool {
    value(measure) != 0 || measure.isMoney && contribution.payment != nil
  }
}

/// A row of the list of what a line of a bridge is made of.
struct BridgeListRow {
  let contribution: BridgeContribution
  let amount: Int128
  let count: Int
  /// The rows behind it, by file and line: the settled row first, then those of SALES.
  let places: [BridgeContribution.Place]
  /// The units in the SALES rows of each key, without a sign; more than the contribution's if some belong elsewhere.
  let unitsOfRows: [Int]

  /// Makes the list, in the order of the rows behind each contribution; those without any keep their order.
  static func all(_ contributions: [BridgeContribution], _ sold: SoldRows) -> [BridgeListRow] {
    let rows = contributions.flatMap { contribution -> [BridgeListRow] in
      guard contribution.reason == .sold else { return [BridgeListRow(contribution, sold)] }
      // All units of the rows count, so that each row stands by itself.
      return contribution.sold.flatMap { units in
        sold[units.sale].map { BridgeListRow(contribution, units.sale, $0) }
      }
    }
    return rows.enumerated().sorted { left, right in
      let (own, other) = (left.element, right.element)
      if own.places != other.places { return own.places.lexicographicallyPrecedes(other.places) }
      // Without rows the order is that of the lines or the products.
      guard !own.places.isEmpty else { return left.offset < right.offset }
      return (own.amount, left.offset) < (other.amount, right.offset)
    }.map(\.element)
  }

  private init(_ contribution: BridgeContribution, _ sold: SoldRows) {
    self.contribution = contribution
    (amount, count) = (contribution.amount, contribution.count)
    let rows = contribution.sold.map { sold[$0.sale] }
    unitsOfRows = rows.map { own in abs(own.reduce(0) { $0 + $1.units }) }
    let others = [contribution.settled?.place, contribution.payment].compactMap(\.self)
    places = others + rows.joined().map { BridgeContribution.Place($0) }.sorted()
  }

  private init(_ contribution: BridgeContribution, _ sale: SaleKey, _ row: SoldRows.Row) {
    self.contribution = contribution
    amount = Int128(sale.proceeds) * Int128(row.units)
    count = row.units
    unitsOfRows = [abs(row.units)]
    places = [BridgeContribution.Place(row)]
  }
}

extension BridgeContribution.Place {
  fileprivate init(_ row: SoldRows.Row) { self.init(fileIndex: row.file, line: row.line) }
}

extension Question {
  /// Whether the question is about one line, or lines by product; else all lines of bridges are explained.
  package var asksForLine: Bool {
    chosen != nil || conditions.contains { $0.key != "region" && $0.key != "currency" }
  }

  /// Returns whether the conditions choose a bridge.
  package func isAbout(_ bridge: Bridge, _ names: Names) -> Bool {
    (value(of: "region").map { $0.isSame(as: bridge.region) } ?? true)
      && (value(of: "currency").map { $0.isSame(as: names.text(bridge.currency)) } ?? true)
  }
}

/// The row of a bridge that a question is about.
struct AskedBridgeLine {
  let bridge: Bridge
  let entry: Bridge.Entry
  let columns: [AskedRow.Column]
  /// The file that `report` writes the table to.
  let fileName: String

  /// Finds the row among the bridges of a fiscal period.
  ///
  /// - Throws: ``QuestionError`` when there is no such row, several, or its amount is not known.
  init(
    _ question: Question, _ reconciliation: Reconciliation, _ period: FiscalPeriod, _ names: Names
  ) throws(QuestionError) {
    let isByProduct = question.value(of: "product") != nil
    let all = isByProduct ? reconciliation.productBridges : reconciliation.bridges
    let bridges = all.filter { $0.period == period }
    let table = Reconciliation.table(bridges, dimensions: isByProduct ? ["product"] : [], names)
    let rows = table.namedRows
    fileName = table.fileStem + ".csv"
    let text = { (place: Int, key: String) in rows[place].value(key) }
    let words = question.forRow(period.description)
    let found = try question.row(
      among: Array(rows.indices), of: table.name, words, text: text,
      choice: { found in
        // The causes of other lines choose nothing: they follow from the line.
        let isOneLine = Set(found.map { text($0, "line") }).count == 1
        let causes = isOneLine ? Set(found.compactMap { text($0, "cause") }).count : 0
        let keys = ["region", "currency", "product", "line"] + (causes > 1 ? ["cause"] : [])
        return question.choice(of: found, by: keys, text)
      })
    guard let found else { throw QuestionError("\(table.name) has no row\(words)") }
    (bridge, entry) = bridges.flatMap { bridge in bridge.entries.map { (bridge, $0) } }[found]
    columns = try Self.columns(
      question, entry, "\(period) \(bridge.region) \(names.text(bridge.currency))")
  }

  private static func columns(
    _ question: Question, _ entry: Bridge.Entry, _ bridge: String
  ) throws(QuestionError) -> [AskedRow.Column] {
    let cells: [(name: String, measure: Measure, number: Int128?)] = [
      ("amount", .proceeds, entry.amount), ("count", .count, entry.count.map { Int128($0) }),
      ("low", .proceeds, entry.low), ("high", .proceeds, entry.high),
    ]
    let asked = cells.filter { question.asks(for: $0.name) }
    let columns = asked.compactMap { name, measure, number in
      number.map { AskedRow.Column(name: name, measure: measure, expected: $0) }
    }
    guard columns.isEmpty else { return columns }
    let name = "\(entry.line.name) of \(bridge)"
    switch question.column {
    case "count" where entry.amount != nil:
      throw QuestionError("count is empty in this row: \(entry.line.name) has no units")
    case "low" where entry.status == .exact, "high" where entry.status == .exact:
      throw QuestionError("\(name) is exact: it has no range")
    default:
      let cause = entry.cause.isEmpty ? "" : ": \(entry.cause)"
      throw QuestionError("\(name) is not known\(cause); there is nothing to explain")
    }
  }
}

/// The rows of daily SALES reports by the key of their units, found by reading the reports once more.
struct SoldRows {
  /// The units of one row.
  struct Row: Sendable {
    /// The index of the report among the run's files.
    let file: Int
    let line: Int
    /// With the sign of their money.
    let units: Int
  }

  /// The rows of each key, by file and line.
  private var rows: [SaleKey: [Row]] = [:]

  subscript(_ sale: SaleKey) -> [Row] { rows[sale] ?? [] }

  /// Finds the rows of some keys.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  init(_ wanted: Set<SaleKey>, _ result: RunResult, _ context: ReadContext) throws {
    let files = Self.files(of: Set(wanted.map(\.day)), result, context)
    let parts = try KeptCharges.LineError.reread(
      files, jobs: result.plan.jobs, makeState: { Search(reader: RowRereader(context)) },
      work: { search, file throws(KeptCharges.LineError) in
        for row in try search.reader.soldRows(ofFileAt: file, result.files[file])
        where wanted.contains(row.sale) {
          search.rows[row.sale, default: []].append(
            Row(file: file, line: row.line, units: row.units))
        }
      }, finish: { $0.rows })
    for part in parts { rows.merge(part, uniquingKeysWith: +) }
    rows = rows.mapValues { own in own.sorted { ($0.file, $0.line) < ($1.file, $1.line) } }
  }

  /// Returns the units of the first key whose rows have other units than the run counted; `nil` if none has.
  func difference(
    from sales: [SaleKey: Int], _ wanted: Set<SaleKey>
  ) -> (found: Int, expected: Int)? {
    wanted.lazy.map { sale in
      (found: self[sale].reduce(0) { $0 + $1.units }, expected: sales[sale] ?? 0)
    }.first { $0.found != $0.expected }
  }

  /// Returns the daily SALES reports that may have rows of some days.
  private static func files(
    of days: Set<Day>, _ result: RunResult, _ context: ReadContext
  ) -> [Int] {
    result.files.indices.filter { place in
      let (report, file) = (result.files[place], context.survey.files[place])
      guard report.isUsed, report.kind == .sales, report.frequency == .daily else { return false }
      return days.contains { file.mayHaveRows(in: $0...$0) }
    }
  }

  /// One thread's search.
  private struct Search: ~Copyable {
    var reader: RowRereader
    var rows: [SaleKey: [Row]] = [:]
  }
}
