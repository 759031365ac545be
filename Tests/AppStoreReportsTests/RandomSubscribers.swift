import AppStoreReports
import Scanning
import Storage
import SubreportTestSupport
import SubscriptionModel

/// Random SUBSCRIBER reports: columns of any version in any order, rows good and bad.
enum RandomSubscribers {
  static func report(using random: inout SeededGenerator) -> TestReport {
    let versions = [
      ReportColumns.subscriber11, ReportColumns.subscriber12, ReportColumns.subscriber13,
    ]
    var columns = versions[Int.random(in: 0..<3, using: &random)]
    if Bool.random(using: &random) { columns += ["Billing Code", "State"] }
    if Bool.random(using: &random) { columns.shuffle(using: &random) }
    var lines = [Array(columns.joined(separator: "\t").utf8)]
    for _ in 0..<60 { lines.append(row(columns, using: &random)) }
    return TestReport(lines: lines)
  }

  private static func row(_ columns: [String], using random: inout SeededGenerator) -> [UInt8] {
    var cells = columns.map { cell($0, using: &random) }
    switch Int.random(in: 0..<40, using: &random) {
    case 0: cells.removeLast()
    case 1: cells.append("x")
    case 2: cells.append(" ")
    default: break
    }
    var bytes = Array(cells.joined(separator: "\t").utf8)
    if Int.random(in: 0..<40, using: &random) == 0 {
      bytes.insert(0xFF, at: Int.random(in: 0...bytes.count, using: &random))
    }
    return bytes
  }

  private static func cell(_ column: String, using random: inout SeededGenerator) -> String {
    let isBad = Int.random(in: 0..<60, using: &random) == 0
    let pool = isBad ? bad : good[column] ?? ["", " ", "Yes", "yes", "x"]
    let text = pool[Int.random(in: 0..<pool.count, using: &random)]
    return Int.random(in: 0..<10, using: &random) == 0 ? " \(text)  " : text
  }

  private static let bad = [
    "", "x", "-1", "2026-13-01", "9,99", "1.2345", "99999999999999999999", "1 Eon", "2.5", "12000",
  ]

  private static let good: [String: [String]] = {
    var pools: [String: [String]] = [
      "Event Date": ["2026-10-05", "2026-02-28", "2024-02-29", "2008-01-01"],
      "Purchase Date": ["", "", " ", "2026-09-30"],
      "Subscription Group ID": ["3", "44"],
      "Subscriber ID": ["123456789012345", "1", "99", "u-7"],
      "Subscriber ID Reset": ["", "", "Yes"], "Refund": ["", "", " ", "Yes", "yes", "No", "Y"],
      "Units": ["1", "1", "", "2", "0", "-1", "1.00"],
      "Customer Price": ["9.99", "0.00", "67000", "-9.99", ".36", "5.1230"],
      "Developer Proceeds": ["6.99", "0", "37.8", "-1.5"],
      "Customer Currency": ["USD", "EUR", "RUB"], "Proceeds Currency": ["USD", "", " "],
      "Subscription Offer Name": ["", "", "", "Winter"],
      "Promotional Offer ID": ["", "", "", "w1"], "Marketing Opt-In Duration": ["", "", "1 Month"],
      "Proceeds Reason": ["", " ", "Rate After One Year", "rate after one year"],
      "Preserved Pricing": ["", " ", "Yes"], "Country": ["US", "de", "JP"],
      "App Name": ["App", "Приложение"], "App Apple ID": ["1"],
      "Subscription Name": ["Monthly, 9.99", "年"], "Subscription Apple ID": ["2", "5"],
    ]
    let durations = ["7 Days", "1 Week", "1 Month", "2 months", "3 Months", "6 Months", "1 Year"]
    let types = ["", "", "", "Free Trial", "Pay as you go", "Pay Up Front"]
    for (column, pool) in [
      ("Standard Subscription Duration", durations), ("Subscription Duration", durations),
      ("Subscription Offer Type", types), ("Introductory Price Type", types),
      ("Subscription Offer Duration", ["3 Days", "2 Weeks", "1 Month", ""]),
      ("Introductory Price Duration", ["3 Days", "2 Weeks", "1 Month", ""]),
      ("Promotional Offer Name", ["", "", "", "Winter"]),
    ] {
      pools[column] = pool
    }
    return pools
  }()

  /// Returns what the reader made of a row, as the reference writes it.
  static func facts(
    _ outcome: RowOutcome<ChargeRecord>, _ registries: Registries
  ) -> ReferenceSubscriber.Outcome {
    let record: ChargeRecord
    switch outcome {
    case .row(let row): record = row
    case .ignored: return .ignored
    case .rejected(let reject): return .code(reject.code.rawValue)
    }
    func text(_ symbol: Symbol) -> String { registries.text(of: symbol) }
    let terms = registries.chargeTerms[Int(record.terms)]
    let attributes = terms.attributes
    let mode =
      switch terms.offerMode {
      case .none: ""
      case .freeTrial: "free trial"
      case .payUpFront: "pay up front"
      case .payAsYouGo: "pay as you go"
      }
    let hasPurchaseDay = record.purchaseDay != ChargeRecord.noDay
    let facts: [String] = [
      record.subscriber & SubscriberKey.textBit == 0 ? "\(record.subscriber)" : "text",
      Day(number: record.day).description,
      hasPurchaseDay ? Day(number: record.purchaseDay).description : "-", "\(record.units)",
      "\(record.isRefund)", "\(record.isIDReset)", "\(terms.kind)", mode, terms.standardTerm.name,
      terms.offerTerm?.name ?? "-", terms.optInTerm?.name ?? "-", "\(terms.price.milliunits)",
      text(terms.price.currency), "\(terms.proceeds.milliunits)", text(terms.proceeds.currency),
      text(attributes.app), text(attributes.appName), text(attributes.group),
      text(attributes.product),
      text(attributes.productName), text(attributes.country), text(attributes.device),
      text(attributes.client), text(attributes.proceedsRate), text(attributes.preserved),
    ]
    return .facts(facts.joined(separator: "|"))
  }
}
