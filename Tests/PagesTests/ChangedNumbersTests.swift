import Pages
import ReportFolder
import SubscriptionModel
import Tables
import Testing

@Suite("Changed numbers on the pages")
struct ChangedNumbersTests {
  private func numbers(
    _ before: ReportTable, _ after: ReportTable, lastMonth: String = "2026-08"
  ) throws -> ChangedNumbers {
    let changes = try ledgerChanges(before, after, from: "2026-09-29", to: "2026-09-30")
    return ChangedNumbers(changes, isFirst: false, lastMonth: lastMonth)
  }

  @Test
  func `are the main ones of months that were over`() throws {
    let numbers = try numbers(
      churnTable(
        ("subscribers", "2026-08", 100, 10, "provisional"),
        ("subscribers", "2026-09", 100, 1, "partial")),
      churnTable(
        ("subscribers", "2026-08", 100, 12, "final"),
        ("subscribers", "2026-09", 100, 3, "partial")))
    let table = try #require(numbers.table)
    #expect(
      lines(table) == [
        "churn.churn_rate,2026-08,subscribers,10.00%,12.00%,+2.00 points,new day 2026-09-30"
      ])
    #expect(
      numbers.sentence
        == "4 numbers of the whole population have changed since the last run. Shown are the main numbers of months that were over. All of them: `changes.csv`."
    )
  }

  @Test
  func `that are gone are not known, and no change has no table`() throws {
    let one = churnTable(("subscribers", "2026-08", 100, 10, "final"))
    let gone = try numbers(one, churnTable())
    #expect(gone.table?.rows.first?[4] == .text("not known"))
    let same = try numbers(one, one)
    #expect(same.table == nil)
    #expect(
      same.sentence == "No number of the whole population has changed since the last run.")
    let other = churnTable(("subscribers", "2026-08", 100, 9, "final"))
    let later = try numbers(one, other, lastMonth: "2026-07")
    #expect(later.table == nil)
    #expect(later.sentence.contains("None is a main number of a month that was over."))
    let first = ChangedNumbers(
      LedgerChanges.table(
        LedgerEntry(asOf: nil, sequence: 1, definitions: 3, version: ""), since: LedgerState(),
        order: []),
      isFirst: true, lastMonth: "")
    #expect(first.sentence == "This is the first run in the ledger: `changes.csv` is empty.")
  }
}
