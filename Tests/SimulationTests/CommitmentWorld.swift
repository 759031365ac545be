import Simulation
import SubreportTestSupport
import Testing

/// Worlds with commitments, which several suites look at.
enum CommitmentWorld {
  /// A world of two years from before the first instalments were sold.
  static func options(
    _ seed: UInt64, share: String = "0.5", contingent: String = "0", columns: Bool = true,
    kinds: Set<WorldOptions.ReportKind> = [.subscriber, .sales], subscribers: Int = 2_000,
    notified: Int = 24
  ) throws -> WorldOptions {
    try WorldOptions(
      subscribers: subscribers, firstDay: "2026-01-01", lastDay: "2027-12-20", seed: seed,
      plantsFaults: false, kinds: kinds, notified: notified,
      plans: PlanOptions(
        commitments: Share(share, of: "--commitments"),
        contingent: Share(contingent, of: "--contingent"), hasPlanColumns: columns))
  }

  /// A world of receipts in which many customers have signed records.
  static func receipts() throws -> SimulatedFolder {
    try SimulatedFolder.shared(
      options(61, share: "1", kinds: [.receipts], subscribers: 3_000, notified: 600))
  }

  static func folder(_ seed: UInt64, share: String = "0.5") throws -> SimulatedFolder {
    try SimulatedFolder.shared(options(seed, share: share))
  }
}

/// A term as the rows of Subscriber reports show it.
struct SeenTerm: Hashable {
  let subscriber: String
  let product: String
  let start: String
  let price: String
  /// The days of its instalments, as text.
  var days: [String]

  /// Collects the terms of rows that have the columns of plans.
  static func terms(_ rows: [[String: String]]) -> [SeenTerm] {
    var terms: [SeenTerm] = []
    var places: [String: Int] = [:]
    let sorted = rows.filter { $0["Refund"] != "Yes" && $0["Billing Plan"] == "Monthly" }
      .sorted { ($0["Event Date"] ?? "") < ($1["Event Date"] ?? "") }
    for row in sorted {
      let (subscriber, product) = (row["Subscriber ID"] ?? "", row["Subscription Name"] ?? "")
      let day = row["Event Date"] ?? ""
      if row["Billing Period"] == "1st" {
        places[subscriber + product] = terms.count
        terms.append(
          SeenTerm(
            subscriber: subscriber, product: product, start: day,
            price: row["Customer Price"] ?? "", days: []))
      }
      guard let place = places[subscriber + product] else { continue }
      terms[place].days.append(day)
    }
    return terms
  }
}
