import Rendering
import Scanning
import Storage
import SubscriptionModel
package import Tables

/// A question about `drivers`.
extension Question {
  /// What splits the change; `nil` for the whole.
  package var splitOfDrivers: DriverSplit? {
    value(of: "dimension").flatMap(DriverSplit.init(rawValue:))
  }

  /// Whether it names only numbers of the two months; other columns need both months.
  var isOfMonths: Bool { chosen?.allSatisfy(["before", "after"].contains) ?? false }

  /// Refuses conditions that name no number, or a value without its dimension.
  func refuseOtherDrivers() throws(QuestionError) {
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
    guard splitOfDrivers == nil else { return }
    if let name = value(of: "dimension"), !name.isEmpty {
      let advice = Nearest.advice(name, among: DriverSplit.names)
      throw QuestionError("--where dimension=\(name): no such dimension; \(advice)")
    }
    if let value = value(of: "value"), !value.isEmpty {
      throw QuestionError(
        "--where value=\(value): name its dimension too, such as --where dimension=country")
    }
  }

  /// Returns the asked row; throws when there is no such row, several, or the cell is empty.
  func driver(among rows: [Driver]) throws(QuestionError) -> Driver {
    let ofMeasure = rows.filter { row in
      row.split == splitOfDrivers && has(only: ["table", "measure"], row.text)
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
        "drivers has \(counted(found.count, "row")) for \(words); choose one with \(choice(found))"
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
  private func choice(_ rows: [Driver]) -> String {
    let sources = Set(rows.map(\.source)).sorted().map { "--source \($0.rawValue)" }
    let bySource = sources.count > 1 ? [sources.joined(separator: " or ")] : []
    let byValue = choice(of: rows, by: ["currency", "value"]) { $0.text($1) }
    return (bySource + [byValue].filter { !$0.isEmpty }).joined(separator: " and ")
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
