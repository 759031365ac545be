import AppStoreReports
import Counting
import Storage
import SubscriptionModel

/// The last charge with each of a reader's terms in the current SUBSCRIBER report.
struct LastCharges: Sendable {
  /// The day's number by terms; ``ChargeRecord/noDay`` for terms without a charge.
  private var days: [Int32] = []
  private var touched: [UInt32] = []

  /// Notes a used row.
  @inline(__always)
  mutating func note(_ record: ChargeRecord) {
    let index = Int(record.terms)
    if index >= days.count {
      days.append(
        contentsOf: repeatElement(ChargeRecord.noDay, count: index + 1 - days.count))
    }
    guard record.day > days[index], !record.isRefund else { return }
    if days[index] == ChargeRecord.noDay { touched.append(record.terms) }
    days[index] = record.day
  }

  /// Returns the day of the last charge with some terms; `nil` without one.
  subscript(terms: UInt32) -> Day? {
    let index = Int(terms)
    guard index < days.count, days[index] != ChargeRecord.noDay else { return nil }
    return Day(number: days[index])
  }

  /// Prepares for the next file.
  mutating func removeAll() {
    for terms in touched { days[Int(terms)] = ChargeRecord.noDay }
    touched.removeAll(keepingCapacity: true)
  }
}

/// Notes the apps of the rows of a report, because apps may move from one account to another: METRICS.md 2.13.
extension FileReader {
  /// Notes the apps of the current file after its last row.
  mutating func noteApps(_ recognized: RecognizedFile) {
    guard recognized.isToBeUsed else { return }
    var apps: [Symbol: AppRows] = [:]
    let note = { (app: Symbol, lastCharge: Day?) in
      guard app != .blank else { return }
      let last = [apps[app]?.lastCharge, lastCharge].compactMap { $0 }.max()
      apps[app] = AppRows(app: app, lastCharge: last)
    }
    switch recognized.kind {
    case .subscriber:
      let terms = context.registries.chargeTerms
      for row in result.names.charges.lastRows {
        note(terms[Int(row.terms)].attributes.app, lastCharges[row.terms])
      }
    case .subscriptionEvent:
      let terms = context.registries.eventTerms
      for (key, _) in extract.events.entries { note(terms[Int(key.terms)].attributes.app, nil) }
    case .subscription:
      let terms = context.registries.snapshotTerms
      for (key, _) in extract.snapshot.entries { note(terms[Int(key.terms)].attributes.app, nil) }
    case .sales:
      let terms = context.registries.salesTerms
      for row in result.names.sales.lastRows {
        note(terms[Int(row.terms)].attributes.product, nil)
      }
      for product in rowReaders.sales?.leftAside ?? [] { note(product, nil) }
    default: break
    }
    // Sorted, because the order of a dictionary differs from run to run.
    let texts = apps.values.map { (text: context.registries.text(of: $0.app), rows: $0) }
    extract.apps = texts.sorted { $0.text.precedes($1.text) }.map(\.rows)
  }
}
