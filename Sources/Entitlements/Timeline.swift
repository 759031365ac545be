import Counting
import SubscriptionModel
import Tables

extension ReceiptRows {
  /// Returns the rows of `timeline.csv` without the customer.
  func timelineRows(_ history: borrowing ReceiptHistory) -> [[ReportTable.Cell]] {
    let periods = history.periods
    return history.chains.flatMap { chain in
      periods[chain.periods].map { periodCells($0, chain) }
    }
  }

  private func periodCells(
    _ period: ReceiptPeriod, _ chain: ReceiptChain
  ) -> [ReportTable.Cell] {
    let event = period.event
    // Only a refund in the second of the purchase makes a period without length a lapse.
    let hasFate = !period.hasNoLength || period.isLapse
    return [
      cell(chain.app), cell(chain.group), cell(chain.ownership), cell(event.product),
      cell(period.start), cell(period.end), cell(event.expires),
      .text(chain.kind == .autoRenewable ? event.kind.name : chain.kind.rawValue),
      cell(event.isPaid), cell(period.cut?.rawValue), cell(period.refund?.rawValue),
      cell(period.refund == nil ? nil : event.cancellation),
      period.gapBefore.map { .count($0) } ?? .missing,
      period.activePeriod.map { .count($0) } ?? .missing,
      .text((hasFate ? period.fate : .none).rawValue), cell(period.reason?.name),
      event.price.map { .money(milliunits: Int128($0)) } ?? .missing, cell(event.currency),
      .text(period.plan.name), period.position?.number.map { .count($0) } ?? .missing,
      period.position.map { .count($0.total) } ?? .missing,
    ]
  }

  /// Returns the row of a chain in `chains.csv` without the customer.
  func chainCells(_ chain: ReceiptChain, _ all: [ReceiptPeriod]) -> [ReportTable.Cell] {
    let periods = all[chain.periods]
    let first = periods[periods.startIndex].start
    let ends = periods.compactMap(\.end)
    return [
      cell(chain.app), cell(chain.group), cell(chain.ownership), .text(chain.kind.rawValue),
      .text(chain.state.rawValue), cell(chain.reason?.name), cell(chain.asOf), cell(first),
      cell(ends.count == periods.count ? ends.max() : nil),
      .text(chain.isStartKnown ? first.month.description : "before \(first.month)"),
      .count(chain.activePeriodCount), .count(chain.coveredSeconds), .count(periods.count),
      .count(periods.count(where: \.event.isPaid)), .count(periods.count(where: \.isLapse)),
      .count(periods.count(where: \.isRefunded)),
    ]
  }
}

extension LapseReason {
  /// The reason's name in reports.
  var name: String {
    switch self {
    case .voluntary: "voluntary"
    case .billing: "billing"
    case .price: "price"
    case .refund: "refund"
    case .removed: "removed"
    case .other: "other"
    case .unknown: "unknown"
    }
  }
}
