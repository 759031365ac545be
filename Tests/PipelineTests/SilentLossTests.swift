import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import Testing

/// Damages one file of each kind, and looks for rows that are gone although nothing says so.
///
/// Each row has an id of its own. An id that is still whole in the damaged file belongs to a row that counts, or there is
/// something to read about the file: a rejected or an ignored row, an error, a remark.
@Suite("A damaged file loses no row in silence")
struct SilentLossTests {
  /// A kind of file: its name, its text with rows of their own ids, and what its reader acts on.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let name: String
    let text: String
    let ids: [String]
    let tokens: [String]

    /// A report in which each row has an id in one column.
    init(
      _ description: String, _ name: String, _ report: ReportText, _ column: String,
      end: String = ""
    ) {
      ids = (0..<6).map { "14600\(70_001 + 7_919 * $0)" }
      var report = report
      report.rows = ids.map { [column: $0] }
      (testDescription, self.name) = (description, name)
      text = report.text + end
      tokens = ["\t", "\t\t", "\r", "\r", "\r\n", "\n", "\n\r", "\"", "Total_Rows\t1\n"]
    }

    init(_ description: String, _ name: String, _ lines: [String], ids: [String]) {
      (testDescription, self.name, self.ids) = (description, name, ids)
      text = lines.map { $0 + "\n" }.joined()
      tokens = [",", "\r", "\r", "\r\n", "\n", "\n\r", "\"", "\"\"", ";"]
    }

    /// The number of ids that are whole cells of a text.
    func wholeIDs(in bytes: [UInt8]) -> Int {
      let ends = Set("\t,\"\r\n ".utf8)
      let cells = Set(bytes.split { ends.contains($0) }.map { Array($0) })
      return ids.count { cells.contains(Array($0.utf8)) }
    }
  }

  private static let amounts = ["13.98", "23.98", "33.98"]

  static let kinds = [
    Kind("SUBSCRIBER", "Subscriber_80012345_20260105_V1_3.txt", .subscriber, "Subscriber ID"),
    Kind(
      "SUBSCRIPTION_EVENT", "Subscription_Event_80012345_20260105_V1_3.txt", .event,
      "Subscription Apple ID"),
    Kind(
      "SUBSCRIPTION", "Subscription_80012345_20260105_V1_3.txt", .snapshot, "Subscription Apple ID"),
    Kind("SALES", "S_D_80012345_20260105.txt", .sales, "Apple Identifier"),
    Kind(
      "FINANCIAL", "80012345_0126_US.txt", .financial, "Apple Identifier", end: "Total_Rows\t6\n"),
    Kind("FINANCE_DETAIL", "80012345_0126_Z1.txt", .financeDetail, "Apple Identifier"),
    Kind(
      "payments", "financial_report.csv",
      payments(
        "Euro-Zone (EUR),13.98,0,0,0,13.98,1.10000,15.38,USD,",
        "Japan (JPY),23.98,0,0,0,23.98,1.10000,26.38,USD,",
        "Americas (USD),33.98,0,0,0,33.98,1.00000,33.98,USD,"
      ).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init),
      ids: amounts),
    Kind(
      "table of receipts", "transactions.csv",
      [
        "event_type,profile_id,event_datetime,store,product_id,transaction_id,original_transaction_id,"
          + "subscription_expires_at,environment"
      ]
        + (1...6).map {
          "subscription_renewed,a,2026-01-0\($0)T00:00:00Z,app_store,p,90000\($0)17,9000001,"
            + "2026-02-0\($0)T00:00:00Z,Production"
        }, ids: (1...6).map { "90000\($0)17" }),
  ]

  @Test(arguments: kinds, seeds(400))
  func `of any kind`(kind: Kind, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let mutation = Mutation(tokens: kind.tokens)
    let sandbox = try ReportSandbox()
    for _ in 0..<(TestTier.current == .soak ? 10 : 2) {
      let bytes = mutation.applied(to: Array(kind.text.utf8), using: &random)
      try sandbox.write(kind.name, bytes)
      let result = carryOut([sandbox.path], views: [[]], jobs: 1)
      let file = try #require(result.files.first)
      let isSaid =
        file.problem != nil || file.rows.rejected > 0 || file.rows.ignoredTotal > 0
        || !file.remarks.isEmpty || file.foreign != nil || !result.fileDiagnostics.isEmpty
      let whole = kind.wholeIDs(in: bytes)
      #expect(
        isSaid || file.rows.used >= whole,
        "\(file.rows.used) of \(whole) rows of seed \(seed): \(String(decoding: bytes, as: UTF8.self).debugDescription)"
      )
    }
  }

  @Test(arguments: seeds(400))
  func `that a user writes`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let ids = (1...6).map { "1000\($0)27" }
    let lines = ["customer,original_transaction_id"] + ids.map { "Ann \($0.dropFirst(4)),\($0)" }
    let kind = Kind("identities", "identities.csv", lines, ids: ids)
    let mutation = Mutation(tokens: kind.tokens)
    for _ in 0..<(TestTier.current == .soak ? 100 : 5) {
      let bytes = mutation.applied(to: Array(kind.text.utf8), using: &random)
      let text = String(decoding: bytes, as: UTF8.self)
      guard let found = try? IdentitiesFile.read(text, path: "identities.csv") else { continue }
      // A quoted cell may hold a line end, and so the text of other rows.
      let isQuoted = bytes.contains(UInt8(ascii: "\""))
      #expect(isQuoted || found.count >= kind.wholeIDs(in: bytes), "\(text.debugDescription)")
    }
  }
}
