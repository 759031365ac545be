import Rendering
import Scanning
import Storage
package import SubscriptionModel
import Tables

extension ExplainedTable {
  /// What a product, country, offer or start month adds to a change.
  package static let drivers = ExplainedTable(
    HeadlineTable.drivers.rawValue, columns: { _ in Driver.columns },
    refusal: { column, _ in
      "explain drivers.\(column): drivers has no such number; \(Nearest.advice(column, among: Driver.columns))"
    },
    keys: ["table", "measure", "currency", "dimension", "value"], example: "table=…",
    check: { question throws(QuestionError) in try question.refuseOtherDrivers() })
}

/// A question about `drivers`.
extension Question {
  /// The dimension that splits the change; `nil` for the whole.
  package var dimensionOfDrivers: Dimension? {
    value(of: "dimension").flatMap(Dimension.init(rawValue:))
  }

  /// Whether it names only numbers of the two months; other columns need both months.
  var isOfMonths: Bool { chosen?.allSatisfy(["before", "after"].contains) ?? false }

  fileprivate func refuseOtherDrivers() throws(QuestionError) {
    let measures = Headline.driven.map(\.rawValue)
    guard let measure = value(of: "measure") else {
      throw QuestionError(
        "explain \(cell): name the number that changed with \(Nearest.condition("measure", measures))"
      )
    }
    if !measures.contains(measure) {
      throw QuestionError(
        "--where measure=\(measure): no such number; \(Nearest.advice(measure, among: measures))")
    }
    guard dimensionOfDrivers == nil else { return }
    if let name = value(of: "dimension"), !name.isEmpty {
      let advice = Nearest.advice(name, among: Dimension.allCases.map(\.rawValue))
      throw QuestionError("--where dimension=\(name): no such dimension; \(advice)")
    }
    if let value = value(of: "value"), !value.isEmpty {
      throw QuestionError(
        "--where value=\(value): name its dimension too, such as --where dimension=country")
    }
  }

  /// Returns the asked row.
  ///
  /// - Throws: ``QuestionError`` when there is no such row, several, or the cell is empty.
  func driver(among rows: [Driver]) throws(QuestionError) -> Driver {
    let ofMeasure = rows.filter { row in
      row.dimension == dimensionOfDrivers && has(only: ["table", "measure"], row.text)
    }
    let found = ofMeasure.filter { has(only: ["currency", "value"], $0.text) }
    let words = conditions.filter { $0.key != "dimension" || !$0.value.isEmpty }.words
    guard let row = found.first else {
      let values = Set<ExactText>(of: ofMeasure.map(\.value).filter { !$0.isEmpty }).inOrder
      let advice = value(of: "value").map { Nearest.advice($0, among: values, limit: 20) } ?? ""
      throw QuestionError(
        "drivers has no row for \(words)\(advice.isEmpty ? "" : "; ")\(advice)")
    }
    guard found.count == 1 else {
      throw QuestionError(
        "drivers has \(counted(found.count, "row")) for \(words); choose one with \(Self.choice(found))"
      )
    }
    if let chosen, chosen.allSatisfy({ row.cell($0) == .missing }) {
      let names = chosen.map { "drivers.\($0)" }.joined(separator: " and ")
      throw QuestionError(
        "\(names) \(chosen.count == 1 ? "is" : "are") empty in this row, so there is nothing to explain"
      )
    }
    return row
  }

  /// Returns the options that choose one of several rows, such as `--where value=… (DE, US)`.
  private static func choice(_ rows: [Driver]) -> String {
    let sources = Set(rows.map(\.source)).sorted().map { "--source \($0.rawValue)" }
    let bySource = sources.count > 1 ? [sources.joined(separator: " or ")] : []
    let byValue = ["currency", "value"].compactMap { key in
      let values = Set<ExactText>(of: rows.compactMap { $0.text(key) }).inOrder
      return values.count > 1 ? Nearest.condition(key, values) : nil
    }
    return (bySource + byValue).joined(separator: " and ")
  }
}

extension Driver {
  /// Returns the text of a column that chooses a row.
  fileprivate func text(_ key: String) -> String? {
    switch key {
    case "table": headline.table.rawValue
    case "measure": headline.rawValue
    case "currency": currency
    case "value": value
    default: nil
    }
  }
}
