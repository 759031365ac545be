import SubreportTestSupport
import Tables
import Testing

/// Random worlds are only worth comparing when everything happens in them.
@Suite("Random worlds")
struct TableCoverageTests {
  @Test(arguments: TableKind.allCases.filter { $0 != .commitments })
  func `fill every column, and every state, of every table`(kind: TableKind) throws {
    var filled: Set<String> = []
    var states: Set<String> = []
    for seed in allSeeds(40) {
      var maker = RandomWorld(seed: seed)
      let world = maker.world(subscribers: 8...20)
      let table = try world.tables(missing: maker.missingDays(of: world)).table(kind, view: 0)
      for row in table.rows {
        for (column, cell) in zip(table.columns, row) {
          if cell != .missing, cell != .count(0) { filled.insert(column.name) }
          if column.name == "state", case .text(let state) = cell { states.insert(state) }
        }
      }
    }
    let unknown = ["voluntary", "billing", "price", "removed", "other"].map { "churned_\($0)" }
    // Rows of reports do not say who waits for a payment, and these worlds have no instalments.
    let waiting = ["grace", "billing_retry", "suspended", "unresolved"]
    let columns = Definition.definition(of: kind).columns(for: []).map(\.name)
    #expect(filled == Set(columns).subtracting(unknown + waiting + ["unexplained"]))
    let hasState = columns.contains("state")
    // Refunds count by their date, so nothing of lifetime value changes later.
    let all: Set = kind == .lifetime ? ["partial", "final"] : ["partial", "provisional", "final"]
    // Rows of definitions say what the data lack, too.
    #expect((kind == .definitions ? states.intersection(all) : states) == (hasState ? all : []))
  }
}
