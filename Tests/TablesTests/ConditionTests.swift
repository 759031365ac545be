import Tables
import Testing

@Suite("Conditions of --fail-if")
struct ConditionTests {
  @Test(arguments: [
    ("churn_rate>0.08", TableKind.churn, "churn_rate", nil as String?),
    ("churn.churn_rate@events >= 0.08", .churn, "churn_rate", "events"),
    ("churn_rate > 1.2 * previous", .churn, "churn_rate", nil),
    ("churn_rate>previous", .churn, "churn_rate", nil),
    ("recurring.mrr@snapshot < 0.9*previous", .recurring, "mrr", "snapshot"),
    ("renewal_rate@receipts unusual", .renewals, "renewal_rate", "receipts"),
  ])
  func `have a table, a column and a source`(
    text: String, table: TableKind, column: String, source: String?
  ) throws {
    let condition = try Condition(text)
    #expect(condition.table == table)
    #expect(condition.column == column)
    #expect(condition.source == source)
  }

  @Test(arguments: [
    ("recovered >= 2", nil as TableKind?, TableKind.renewals),
    ("recovered >= 2", .movement, .movement), ("churned > 0", .recurring, .recurring),
    ("paid > 0", .status, .status), ("churn_rate > 0", .status, .churn),
  ])
  func `are about the table that the command prints`(
    text: String, own: TableKind?, table: TableKind
  ) throws {
    #expect(try Condition(text, of: own).table == table)
  }

  @Test(arguments: [
    ("churn_rate", Condition.Fault.form), ("churn_rate >", .form),
    ("churn_rate > 2 previous", .form),
    ("churn_rate > * previous", .form), ("churn_rate unusual much", .form), ("> 3", .form),
    ("churn_rat > 3", .column("churn_rat")),
    ("churn.churn.churn_rate > 3", .column("churn.churn.churn_rate")),
    ("churn_rate@sales > 3", .source("sales", .churn)), ("churn_rate@ > 3", .source("", .churn)),
    (
      "churned unusual",
      .notUnusual(["churn_rate", "renewal_rate", "conversion_rate", "refund_rate"])
    ),
    ("retention.survival < previous", .noMonths(.retention)),
  ])
  func `are refused with the first fault`(text: String, fault: Condition.Fault) {
    #expect(throws: fault) { try Condition(text) }
  }
}
