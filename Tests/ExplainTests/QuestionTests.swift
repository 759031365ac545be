import Explain
import SubscriptionModel
import Tables
import Testing

@Suite("A question")
struct QuestionTests {
  private func message(
    _ cell: String, _ conditions: [String] = [], from source: Source = .subscribers
  ) -> String? {
    do throws(QuestionError) {
      _ = try Question(cell, where: conditions, from: [source])
      return nil
    } catch {
      return error.message
    }
  }

  @Test
  func `is refused with what can be asked`() {
    #expect(message("churn") == nil && message("churn.churned", ["country=DE"]) == nil)
    #expect(message("commitments") == nil)
    #expect(message("helth")?.contains("did you mean \"health\"?") == true)
    #expect(message("chrun")?.contains("did you mean \"churn\"?") == true)
    #expect(message("churn.churnd")?.contains("did you mean \"churned\"?") == true)
    #expect(
      message("churn.state")?.hasPrefix("explain cannot explain churn.state yet; use ") == true)
    #expect(message("churn", ["country"])?.contains("such as country=DE") == true)
    #expect(message("churn", ["month=2026-01"])?.contains("use --month 2026-01") == true)
    #expect(message("retention", ["k=2"]) == nil)
    #expect(message("churn", ["k=2"])?.contains("no rows by k") == true)
    #expect(message("churn", ["dating=sale"])?.contains("no rows by dating") == true)
    #expect(message("churn", ["offer=trial", "offer=intro"])?.contains("given twice") == true)
  }

  @Test
  func `is about a source that has the number`() throws {
    let source = { (cell: String, sources: [Source]) in
      try Question(cell, where: [], from: sources).source
    }
    #expect(try source("churn.churned", [.subscribers, .events]) == .subscribers)
    #expect(try source("churn.churned_voluntary", [.subscribers, .events]) == .events)
    #expect(try source("proceeds.charges", [.events, .sales]) == .sales)
    #expect(
      message("churn.churned_voluntary")
        == "explain churn.churned_voluntary: not known from subscribers; use --source events")
    #expect(throws: QuestionError.self) { try source("churn", [.sales]) }
    #expect(
      message("lapses", from: .events)
        == "explain lapses: the table has no rows of events, only of receipts and subscribers")
    #expect(throws: QuestionError.self) { try source("proceeds", [.events]) }
  }

  @Test
  func `may be about a rate, which is its parts`() throws {
    #expect(ColumnMakeup.of("churn_rate", in: .churn) == .ratio("churned", of: "active_start"))
    #expect(ColumnMakeup.of("survival", in: .retention)?.parts == ["at_risk", "lost"])
    #expect(ColumnMakeup.of("state", in: .churn) == nil)
    let question = try Question("movement.unexplained", where: ["product=Pro", "country=DE"])
    #expect(question.dimensions == [.product, .country])
  }

  @Test
  func `can be asked about every column but the key and the state`() {
    for table in TableKind.allCases where table != .definitions {
      for column in Definition.definition(of: table).columns.map(\.column.name) {
        let isNone = ["k", "months", "state"].contains(column)
        #expect((ColumnMakeup.kind(of: column, in: table) == nil) == isNone, "\(table).\(column)")
      }
    }
  }

  @Test
  func `has an answer that depends on the kind of the column`() {
    let kinds = { (table: TableKind) in
      ColumnMakeup.kinds(in: table).map { kind, columns in
        "\(kind.rawValue): \(columns.joined(separator: ","))"
      }
    }
    #expect(kinds(.retention) == ["sum: at_risk,lost,kept", "model: survival,low,high"])
    #expect(
      kinds(.lapses) == [
        "sum: lapses,recovered,reactivated,open_final,open_provisional",
        "rank: gap_days_median,gap_days_p90",
      ])
    #expect(kinds(.churn).last == "of sums: churn_rate,low,high")
    #expect(
      ColumnKind.legend.split(separator: "\n").first
        == "churn.churned: sum, contributions that add up to the cell exactly.")
    // The examples are of their kinds.
    for (line, kind) in zip(ColumnKind.legend.split(separator: "\n"), ColumnKind.allCases) {
      let name = line.prefix { $0 != ":" }.split(separator: ".").map(String.init)
      let table = TableKind(rawValue: name[0])
      #expect(table.flatMap { ColumnMakeup.kind(of: name[1], in: $0) } == kind, "\(line)")
    }
  }
}
