import AppStoreReports
import Counting
package import Pipeline
package import SubscriptionModel
import Tables

extension Explanation {
  /// Explains a row of `definitions`: our number first, then what the tool's steps take in or out.
  ///
  /// The run has kept its charges, its receipts or its context, and counts what other tools do.
  ///
  /// - Throws: ``QuestionError`` without such a number, ``KeptCharges/LineError`` for a file that cannot be read again.
  package init(
    ofDefinition question: Question, month: Month, _ result: RunResult,
    _ listing: Listing = Listing()
  ) throws {
    let asked = try AskedDefinition(question, result, month)
    let fold = CellFold(source: question.source, result: result, listing: listing)
    let sides = asked.sides.filter { side in
      ["value", "change", side.name].contains(where: question.asks)
    }
    typealias Part = (rows: [[ReportTable.Cell]], count: Int, sum: Int128)
    var found = sides.map { $0.terms.map { _ in Part([], 0, 0) } }
    for places in AskedDefinition.passes(of: sides) {
      let terms = places.map { sides[$0.side].terms[$0.term] }
      let columns = zip(places, terms).map { place, term in
        AskedRow.Column(
          name: sides[place.side].name, counted: term.counted, measure: term.measure, expected: 0)
      }
      let first = terms[0]
      let month = first.isOfMonthBefore ? month - 1 : month
      let own = try fold.contributions(to: columns, in: month) { result, filter, registries in
        var row = CountedRow(month, [], filter, of: question.source, result)
        row.currency = asked.currency.map { registries.symbol(of: $0) }
        row.isDatedBySale = first.isDatedBySale
        row.worth = { first.worth.monthly($0, $1) }
        return row
      }
      var rows = own.table.table.rows[...]
      for ((place, term), sum) in zip(zip(places, terms), own.sums) {
        let count = listing.limit.map { min(sum.count, $0 + (sum.count > $0 ? 1 : 0)) } ?? sum.count
        found[place.side][place.term] = (
          rows.prefix(count).map { term.isSubtracted ? $0.negated : $0 }, sum.count,
          term.isSubtracted ? -sum.sum : sum.sum
        )
        rows = rows.dropFirst(count)
      }
    }
    let isOfMoney = sides.contains { $0.terms.contains(where: \.measure.isMoney) }
    var table = ReportTable(
      name: "explain", dimensions: [], columns: ExplanationTable.columns(hasMoney: isOfMoney),
      rows: [])
    table.rows = found.flatMap { $0.flatMap(\.rows) }
    var sums: [Sum] = []
    var formulas: [Formula] = []
    for (side, found) in zip(sides, found) {
      let terms = zip(side.terms, found).enumerated().filter { place, own in
        place == 0 || own.1.count > 0
      }.map(\.element)
      sums += terms.map { term, own in
        Sum(
          column: "\(side.name): \(term.name)", count: own.count, sum: own.sum, expected: nil,
          measure: term.measure)
      }
      formulas.append(side.formula(terms.map { ($0, $1.sum) }))
    }
    self.init(
      ListedRows(table), sums, formulas + asked.formulas(question),
      fileName: AskedDefinition.fileName)
  }
}

extension [ReportTable.Cell] {
  /// A row of a list whose contribution is taken away.
  fileprivate var negated: Self {
    map { cell in
      switch cell {
      case .count(let count): .count(-count)
      case .money(let milliunits): .money(milliunits: -milliunits)
      default: cell
      }
    }
  }
}

/// The row of `definitions` that a question is about.
struct AskedDefinition {
  static let fileName = "\(TableKind.definitions.rawValue).csv"

  /// A numerator or a denominator with its parts.
  struct Side {
    let name: String
    let terms: [OtherTerm]
    let cell: ReportTable.Cell

    /// Returns such as `numerator = 40 + 1 - 3 = 38, as definitions.csv says`.
    func formula(_ sums: [(term: OtherTerm, sum: Int128)]) -> Formula {
      let measure = terms[0].measure
      let words = sums.enumerated().map { place, own in
        let text = measure.text(Int128(own.sum.magnitude))
        return place == 0 ? measure.text(own.sum) : "\(own.sum < 0 ? "-" : "+") \(text)"
      }
      let total = sums.reduce(Int128(0)) { $0 + $1.sum }
      return Formula(
        name, words.joined(separator: " "), measure.cell(total), cell, in: AskedDefinition.fileName)
    }
  }

  let sides: [Side]
  /// The currency of the row, blank if it is unknown; `nil` for a row of all currencies.
  let currency: String?
  private let row: ReportTable.NamedRow
  /// The value of the last row with one; of `theirs` that of `ours`.
  private let before: ReportTable.Cell

  private typealias Row = ReportTable.NamedRow

  init(_ question: Question, _ result: RunResult, _ month: Month) throws {
    let table = try result.table(.definitions)
    let name = result.plan.monthSystem.name(month)
    let own = table.namedRows.filter {
      [question.source.rawValue, question.source.name(in: .definitions)].contains($0.source)
    }
    let text = { (row: Row, key: String) in row.value(key) ?? "" }
    let keys = ["measure", "tool", "currency", "axis"]
    let found = try question.row(
      among: own, of: table.name, question.forRow(name), where: { $0.text("month") == name },
      text: text, choice: { question.choice(of: $0, by: keys, text) })
    guard let row = found,
      let measure = OtherMeasure(rawValue: row.text("measure")),
      let tool = OtherTool(rawValue: row.text("tool")),
      let axis = OtherAxis(rawValue: row.text("axis"))
    else { throw QuestionError("\(table.name) has no row\(question.forRow(name))") }
    let state = row.text("state")
    let column = question.chosen?.first { row.cell($0) == .missing }
    if state.hasPrefix(OtherNeed.start) || question.chosen != nil && column != nil {
      let why = state.hasPrefix(OtherNeed.start) ? state : "not known"
      throw QuestionError(
        "\(table.name).\(column ?? question.about.names[0]) is empty in this row: \(why), so there is nothing to explain"
      )
    }
    let all = own.filter { other in
      (["month"] + keys.dropLast()).allSatisfy { other.text($0) == row.text($0) }
    }
    let lacking = all.filter { $0.text("state").hasPrefix(OtherNeed.start) }
    let hasPrices = !lacking.contains { $0.text("state") == OtherNeed.prices.state }
    let missing = Set(lacking.compactMap { OtherAxis(rawValue: $0.text("axis")) })
    guard
      let figure = OtherNumber(measure, tool, hasPrices: hasPrices).figure(axis, missing: missing)
    else { preconditionFailure("the row has numbers") }
    sides = [("numerator", figure.above), ("denominator", figure.below)].compactMap { name, terms in
      let cell = row.cell(name)
      return cell == .missing || terms.isEmpty ? nil : Side(name: name, terms: terms, cell: cell)
    }
    self.row = row
    currency = measure.hasCurrencies(tool) ? row.text("currency") : nil
    let earlier =
      axis == .theirs
      ? all.prefix(1) : all.prefix { $0.text("axis") != row.text("axis") }
    before = earlier.last { $0.cell("value") != .missing }?.cell("value") ?? .missing
  }

  /// Returns the places of terms that one fold finds together.
  static func passes(of sides: [Side]) -> [[(side: Int, term: Int)]] {
    var passes: [[(side: Int, term: Int)]] = []
    for (side, own) in sides.enumerated() {
      for (term, one) in own.terms.enumerated() {
        let place = passes.firstIndex { pass in
          let first = sides[pass[0].side].terms[pass[0].term]
          return first.isOfMonthBefore == one.isOfMonthBefore && first.worth == one.worth
            && first.isDatedBySale == one.isDatedBySale
        }
        if let place { passes[place].append((side, term)) } else { passes.append([(side, term)]) }
      }
    }
    return passes
  }

  /// The formulas of the value of a rate, and of its change.
  func formulas(_ question: Question) -> [Formula] {
    let value = row.cell("value")
    var formulas: [Formula] = []
    if question.asks(for: "value"), sides.count == 2, value != .missing {
      let words = sides.map { Formula.text($0.cell) }.joined(separator: "/")
      formulas.append(Formula("value", words, value, value, in: Self.fileName))
    }
    if question.asks(for: "change"), row.cell("change") != .missing {
      let words = "\(Formula.text(value)) - \(Formula.text(before))"
      formulas.append(
        Formula("change", words, row.cell("change"), row.cell("change"), in: Self.fileName))
    }
    return formulas
  }
}
