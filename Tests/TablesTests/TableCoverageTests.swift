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
    let columns = Definition.definition(of: kind).columns(for: []).map(\.name)
    #expect(filled == Set(columns).subtracting(unknown + ["unexplained"]))
    let hasState = columns.contains("state")
    #expect(states == (hasState ? ["partial", "provisional", "final"] : []))
  }
}
