import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel

/// Subscriber reports of a random world; days without rows have no file.
struct ChaoticReports {
  private let world: WorldBuilder
  /// The bytes of each report by its name.
  private(set) var files: [String: [UInt8]] = [:]

  init(_ world: WorldBuilder) {
    self.world = world
    var rows: [Day: [[String: String]]] = [world.firstFileDay: [], world.asOf: []]
    for (subscriber, records) in world.subscribers.enumerated() {
      for record in records {
        let file = max(world.firstFileDay, min(world.asOf, Day(number: record.day)))
        rows[file, default: []].append(row(of: record, id: 90_001 + subscriber))
      }
    }
    for (day, own) in rows {
      var report = ReportText.subscriber
      report.rows = own
      let digits = day.description.replacing("-", with: "")
      files["Subscriber_80012345_\(digits)_V1_3.txt"] = report.bytes
    }
  }

  private func row(of record: ChargeRecord, id: Int) -> [String: String] {
    let terms = world.terms[Int(record.terms)]
    let text = { (symbol: Int) in world.symbols[symbol] }
    let purchase = record.purchaseDay
    return [
      "Event Date": Day(number: record.day).description, "Subscriber ID": String(id),
      "Subscription Name": text(Int(terms.attributes.product)),
      "Subscription Apple ID": String(1_460_000_000 + Int(terms.attributes.product)),
      "Subscription Group ID": String(20_450_000 + Int(terms.attributes.group)),
      "Standard Subscription Duration": terms.standardTerm.name,
      "Promotional Offer ID": terms.kind == .offer ? "return" : "",
      "Subscription Offer Type": offerType(terms.offerMode),
      "Subscription Offer Duration": terms.offerTerm?.name ?? "",
      "Marketing Opt-In Duration": terms.optInTerm?.name ?? "",
      "Customer Price": amount(terms.price.milliunits, record.isRefund),
      "Customer Currency": text(Int(terms.price.currency)),
      "Developer Proceeds": amount(terms.proceeds.milliunits, record.isRefund),
      "Proceeds Currency": text(Int(terms.proceeds.currency)),
      "Country": text(Int(terms.attributes.country)),
      "Subscriber ID Reset": record.isIDReset ? "Yes" : "",
      "Refund": record.isRefund ? "Yes" : "",
      "Purchase Date": purchase == ChargeRecord.noDay ? "" : Day(number: purchase).description,
      "Units": String(record.units),
    ]
  }

  private func offerType(_ mode: OfferMode) -> String {
    switch mode {
    case .none: ""
    case .freeTrial: "Free Trial"
    case .payUpFront: "Pay Up Front"
    case .payAsYouGo: "Pay As You Go"
    }
  }

  private func amount(_ milliunits: Int64, _ isRefund: Bool) -> String {
    let decimals = String(milliunits % 1_000 + 1_000).dropFirst()
    return "\(isRefund ? "-" : "")\(milliunits / 1_000).\(decimals)"
  }
}

/// The rows of reports, found by the obvious version of splitting: line by line, cell by cell.
struct NamedRows {
  private let files: [String: [[String: String]]]

  init(_ files: [String: [UInt8]]) {
    self.files = files.mapValues { bytes in
      let lines = ReferenceSplitter.lines(bytes).map { line in
        ReferenceSplitter.fields(line.bytes).map { String(decoding: $0, as: UTF8.self) }
      }
      guard let header = lines.first else { return [] }
      return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
    }
  }

  /// Returns the cells of a place such as `Subscriber_….txt:12`; `nil` if it is no row of a report.
  func row(_ place: String) -> [String: String]? {
    let parts = place.split(separator: ":").map(String.init)
    guard parts.count == 2, let rows = files[parts[0]], let line = Int(parts[1]),
      rows.indices.contains(line - 2)
    else { return nil }
    return rows[line - 2]
  }
}
