import AppStoreReports
import Crypto
import Metrics
import SubscriptionModel

/// From what a run has counted SUBSCRIBER reports, so that the next one need only fold the subscribers of whom
/// something has changed.
struct TallyRecord: Sendable {
  /// A report whose charges are in the tally.
  struct Extract: Sendable {
    /// The name of its entry of charges.
    var name: String
    /// The run's number of each of the file's terms.
    var terms: [UInt32]
  }

  /// The reports in the order of all files; no two are the same.
  var extracts: [Extract] = []
  var firstDay = Day(number: 0)
  var asOf = Day(number: 0)
  var missingDays: [Day] = []
  /// How many subscribers have rows.
  var subscriberCount = 0
  private var placeOfExtract: [String: Int] = [:]

  init() {}

  init(
    _ extracts: [ChargeExtract], _ days: Completeness, _ folded: PartitionFold.Result
  ) {
    self.extracts = extracts.map { Extract(name: $0.name, terms: $0.terms) }
    firstDay = days.firstDay
    asOf = days.asOf
    missingDays = days.missingDays
    subscriberCount = folded.subscriberCount
  }

  /// Returns the place of the report whose entry of charges has a name; `nil` when it is not in the tally.
  func place(of name: String) -> Int? { placeOfExtract[name] }

  /// Returns the report whose entry of charges has a name; `nil` when it is not in the tally.
  func extract(named name: String) -> Extract? { place(of: name).map { extracts[$0] } }

  /// Codes all of it; reading begins with an empty record.
  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    coder.list(&extracts, blank: Extract(name: "", terms: [])) { $1.text(&$0.name) }
    codeTerms(with: &coder)
    placeOfExtract = Dictionary(
      extracts.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { $1 })
    if placeOfExtract.count != extracts.count { return coder.fail() }
    coder.day(&firstDay)
    coder.day(&asOf)
    coder.list(&missingDays, blank: asOf) { $1.day(&$0) }
    coder.integer(&subscriberCount)
  }

  /// Codes the terms of all reports: what a number stands for is said once, and then come the numbers of each
  /// report as they lie in memory.
  private mutating func codeTerms(with coder: inout some ExtractCoder) {
    var numbers = LocalNumbers()
    var columns = extracts.map { $0.terms.map { numbers.number(of: $0).number } }
    var distinct = numbers.inOrder
    coder.list(&distinct, blank: 0) { $1.terms(&$0, of: ChargeTerms.self) }
    for index in columns.indices {
      coder.column(&columns[index])
      guard coder.isReading else { continue }
      guard columns[index].allSatisfy({ $0 < distinct.count }) else { return coder.fail() }
      extracts[index].terms = columns[index].map { distinct[Int($0)] }
    }
  }

  /// The name of the record of runs that count the same.
  static func name(_ context: ReadContext) -> String {
    var plan = context.plan
    plan.asOf = nil
    var words = [RunRecord.name(plan), "\(plan.prices != nil)"]
    words += plan.views.map { $0.map(\.rawValue).joined(separator: ",") }
    return hexadecimal(SHA256.hash(data: Array(words.joined(separator: "\n").utf8))) + "-tally"
  }
}
