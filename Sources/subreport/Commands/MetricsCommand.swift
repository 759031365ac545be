import ArgumentParser
import Pages
import PriceImpact
import Rendering
import Scanning
import Settlement
import Tables

struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Print what the numbers mean.",
    discussion: discussion(
      "Without a name all tables.",
      HelpExample("What does churn count?", "metrics churn"),
      HelpExample("All definitions, for a program:", "metrics -f json")))

  /// The tables that the command can print.
  private static let names =
    TableKind.allCases.map(\.rawValue) + PriceTable.allCases.map(\.rawValue)
    + HeadlineTable.allCases.map(\.rawValue) + ["reconcile"]
    + SupportingTable.allCases.map(\.rawValue)

  @Argument(
    help: ArgumentHelp("A table, such as churn.", valueName: "name"), completion: .list(names))
  var name: String?

  @Option(name: [.short, .long], help: "How to print it.")
  var format: MetricsFormat = .table

  @Option(.logFormat) var logFormat: LogFormat?

  enum MetricsFormat: String, ExpressibleByArgument, CaseIterable {
    case table, md, json
  }

  /// Returns the end of a message about a name that no table and no column has.
  private static func advice(_ name: String) -> String {
    if CommandName.customers.contains(where: { $0.rawValue == name }) {
      return "\(name) has a row for each customer; docs/receipts.md says what its columns mean"
    }
    if let answer = OtherWords.answer(name) { return answer }
    if let meant = OtherWords.meaning(name, among: names) { return "did you mean \"\(meant)\"?" }
    let column = name.lowercased().split(separator: " ").joined(separator: "_")
    let columns = Definition.all.flatMap { table in table.columns.map(\.column.name) }
    if Nearest.words(to: name, among: names).isEmpty,
      !Nearest.words(to: column, among: columns).isEmpty
    {
      return Nearest.advice(column, among: columns)
    }
    return Nearest.advice(name, among: names)
  }

  func run() throws {
    let isWhole = name == nil
    var definitions = Definition.all
    if let name {
      // Other tables than those of metrics have no definition in the catalogue, only columns.
      let others = TableKind(rawValue: name) == nil ? ColumnMeanings.columns(of: name) : nil
      let columnTable =
        name == "reconcile" ? Bridge.columnTable : others.map { .columns($0, of: name) }
      if let columnTable {
        // For people, what a row is stands first; a program reads the columns.
        let sentence = format == .json ? "" : ColumnMeanings.meaning(ofTable: name) + "\n\n"
        return try Console.standard.data(
          Array(sentence.utf8)
            + TableRenderer(OutputFormat(rawValue: format.rawValue) ?? .table).bytes(
              of: columnTable))
      }
      guard let kind = TableKind(rawValue: name) else {
        // Such as churn_rate, which is a column of churn.
        let owners = Definition.all.filter { $0.columns.contains { $0.column.name == name } }
          .map(\.table.rawValue)
        let isLine = Bridge.Line.allCases.contains { $0.name == name }
        let advice =
          owners.isEmpty
          ? isLine
            ? "it is a line of reconcile; subreport metrics reconcile says what it means"
            : Self.advice(name)
          : "it is a column of \(joined(owners, by: "and")); subreport metrics \(owners[0]) says what it means"
        throw ValidationError("no table \"\(name)\"; \(advice)")
      }
      definitions = [Definition.definition(of: kind)]
    }
    let text =
      switch format {
      case .table: CataloguePage.plain(definitions, isWhole: isWhole)
      case .md where isWhole: CataloguePage.markdown()
      case .md: definitions.map { CataloguePage.markdown($0) }.joined()
      case .json: CataloguePage.json(definitions)
      }
    try Console.standard.data(Array(text.utf8))
  }
}
