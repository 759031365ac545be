import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel

/// Random Subscriber reports of a monthly subscription that rises from 9.99 to 12.99 USD in the US on 3 May 2026 and
/// stays at 9.99 EUR in Germany.
struct IncreaseWorld {
  /// The reports by their names, one for each month.
  private(set) var files: [String: [UInt8]] = [:]
  private var rows: [String: [[String: String]]] = [:]
  private var random: SeededGenerator

  private static let rise = day("2026-05-03")
  private static let lastDays = [
    "2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30",
    "2026-07-31", "2026-08-31",
  ]

  /// Makes reports; the same seed makes the same ones.
  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for number in 0..<220 { addSubscriber(number, isUS: number % 2 == 0) }
    for last in Self.lastDays {
      var report = ReportText.subscriber
      report.rows = rows[String(last.prefix(7))] ?? []
      files["Subscriber_80012345_\(last.filter { $0 != "-" })_V1_3.txt"] = report.bytes
    }
  }

  /// The cells of a place such as `Subscriber_….txt:12`, by their columns.
  func row(_ place: String) -> [String: String] {
    let parts = place.split(separator: ":").map(String.init)
    let lines = String(decoding: files[parts[0]] ?? [], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[1]), lines.indices.contains(number - 1) else {
      return [:]
    }
    let cells = { (line: Substring) in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    return Dictionary(uniqueKeysWithValues: zip(cells(lines[0]), cells(lines[number - 1])))
  }

  private mutating func isLikely(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func add(_ row: [String: String], on day: Day) {
    var row = row
    row["Event Date"] = day.description
    rows[String(day.description.prefix(7)), default: []].append(row)
  }

  private mutating func addSubscriber(_ number: Int, isUS: Bool) {
    let currency = isUS ? "USD" : "EUR"
    var usual = [
      "Subscriber ID": "\(700_000_000_000_000 + number)", "Country": isUS ? "US" : "DE",
      "Customer Currency": currency, "Proceeds Currency": currency,
    ]
    var next = day("2026-01-01") + Int.random(in: 0...55, using: &random)
    if isLikely(30) {
      let trial = usual.merging([
        "Subscription Offer Type": "Free Trial", "Subscription Offer Duration": "7 Days",
        "Customer Price": "0.00", "Developer Proceeds": "0.00",
      ]) { $1 }
      add(trial, on: next)
      next = next + 7
    }
    if isLikely(10) { usual["Units"] = "2" }
    var hasMet = false
    while next <= day("2026-08-31") {
      let isMeeting = isUS && !hasMet && next >= Self.rise
      guard isMeeting ? meet(&usual, &next) : !isLikely(6) else { return }
      if isMeeting { hasMet = true }
      addCharge(usual, isRaised: isUS && next >= Self.rise, isMeeting: isMeeting, on: next)
      next = ReferenceCalendar.end(of: Term(months: 1), from: next)
    }
  }

  /// Decides what a subscriber does who meets the new price.
  ///
  /// - Returns: Whether a charge follows.
  private mutating func meet(_ usual: inout [String: String], _ next: inout Day) -> Bool {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<14: return false
    case ..<20: next = next + Int.random(in: 3...70, using: &random)
    case ..<28:
      usual["Subscription Name"] = "Plus"
      usual["Subscription Apple ID"] = "1460000002"
      usual["Customer Price"] = "14.99"
    case ..<32:
      usual["Preserved Pricing"] = "Yes"
      usual["Customer Price"] = "9.99"
    default: break
    }
    return true
  }

  private mutating func addCharge(
    _ usual: [String: String], isRaised: Bool, isMeeting: Bool, on day: Day
  ) {
    let price = usual["Customer Price"] ?? (isRaised ? "12.99" : "9.99")
    let isReduced = isMeeting && isLikely(25)
    let proceeds = [
      "9.99": ["6.99", "8.49"], "12.99": ["9.09", "11.04"], "14.99": ["10.49", "12.74"],
    ]
    var row = usual
    row["Customer Price"] = price
    row["Developer Proceeds"] = proceeds[price]?[isReduced ? 1 : 0]
    row["Proceeds Reason"] = isReduced ? "Rate After One Year" : ""
    add(row, on: day)
    guard isMeeting, isLikely(8) else { return }
    let refund = row.merging([
      "Refund": "Yes", "Purchase Date": day.description, "Customer Price": "-\(price)",
      "Developer Proceeds": "-\(row["Developer Proceeds"] ?? "")",
    ]) { $1 }
    add(refund, on: day + 10)
  }
}
