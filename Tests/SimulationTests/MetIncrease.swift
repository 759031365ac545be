/// What became of those whose price rose, counted from Subscriber rows in the most obvious way.
///
/// For increases of Plus Monthly, whose standard periods last a calendar month.
struct MetIncrease {
  /// The counts by the names of the columns of `truth/prices.csv`.
  private(set) var counts: [String: Int] = [:]

  private struct Charge {
    let day: Int
    let end: Int
    let product: String
    let isStandard: Bool
    let price: Int
    let order: Int
  }

  init(_ folder: SimulatedFolder, country: String, from day: String, lastDay: String) throws {
    let records = try folder.records("subscriber")
      .filter { $0["Country"] == country && $0["App Name"] == "Larkspur Weekly" }
    let (charges, refunds) = Self.chains(records)
    let first = dayNumber(day)
    let asOf = dayNumber(lastDay)
    for (id, chain) in charges {
      let last = chain.lastIndex {
        $0.day < first && $0.product == "Plus Monthly" && $0.isStandard
      }
      guard let last else { continue }
      let charge = chain[last]
      let next = chain.dropFirst(last + 1).first
      guard next.map({ $0.day >= first }) ?? true, charge.end >= first else { continue }
      var end = charge.end
      if let next, next.day < end - 2 {
        guard next.product == charge.product else { continue }
        end = next.day
      }
      let refund = refunds[id, default: []].first { $0.purchase == charge.day }
      if let refund, refund.day < end, next.map({ refund.day <= $0.day }) ?? true { continue }
      add(charge, next, end: end, asOf: asOf)
    }
  }

  private mutating func add(_ charge: Charge, _ next: Charge?, end: Int, asOf: Int) {
    counts["exposed", default: 0] += 1
    guard end < asOf - 2 else {
      counts["not_reached", default: 0] += 1
      return
    }
    counts["reached", default: 0] += 1
    guard let next, next.day - end <= 60 else {
      counts[next != nil || end + 60 <= asOf ? "lapsed" : "pending", default: 0] += 1
      return
    }
    if next.day - end > 2 {
      counts["recovered", default: 0] += 1
    } else if next.product != charge.product {
      counts["changed_product", default: 0] += 1
    } else if next.isStandard, next.price > charge.price {
      counts["renewed_new_price", default: 0] += 1
    } else {
      counts["renewed_other_price", default: 0] += 1
    }
  }

  private typealias Refund = (purchase: Int, day: Int)

  private static func chains(
    _ records: [[String: String]]
  ) -> (charges: [String: [Charge]], refunds: [String: [Refund]]) {
    var charges: [String: [Charge]] = [:]
    var refunds: [String: [Refund]] = [:]
    for (order, record) in records.enumerated() {
      let id = record["Subscriber ID", default: ""]
      let date = record["Event Date", default: ""]
      if record["Refund"] == "Yes" {
        guard record["Units"] == "1" else { continue }
        refunds[id, default: []].append(
          (dayNumber(record["Purchase Date", default: ""]), dayNumber(date)))
        continue
      }
      charges[id, default: []].append(
        Charge(
          day: dayNumber(date), end: monthLater(date),
          product: record["Subscription Name", default: ""],
          isStandard: record["Subscription Offer Type"] == "",
          price: hundredths(record["Customer Price"]), order: order))
    }
    for id in charges.keys {
      charges[id]?.sort { ($0.day, $0.order) < ($1.day, $1.order) }
    }
    return (charges, refunds)
  }

  /// Returns the number of the same day a month later, or of that month's last day.
  private static func monthLater(_ date: String) -> Int {
    let parts = date.split(separator: "-").compactMap { Int($0) }
    let (year, month) = parts[1] == 12 ? (parts[0] + 1, 1) : (parts[0], parts[1] + 1)
    func text(_ day: Int) -> String { "\(year)-\(month)-\(day)" }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    return dayNumber(text(min(parts[2], length)))
  }
}
