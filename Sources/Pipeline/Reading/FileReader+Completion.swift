import AppStoreReports
import Counting
import Files
import Scanning
import Storage
import SubscriptionModel

/// Decides whether a read file counts, and folds its extract if so.
extension FileReader {
  /// Finishes a file after its last row.
  mutating func finishRows(_ recognized: RecognizedFile, _ index: Int) {
    report.hasBlankLines = extract.hasBlankLines
    report.eventDays = extract.eventDays
    switch recognized.role {
    case .use: break
    case .ignore(let reason):
      report.rows.ignoreAll(reason)
      report.isAfterAsOf = reason == .afterAsOf
      report.isOtherReport = reason == .otherReport
      return
    case .ignoreFor(let other, let reason):
      let path = context.survey.files[other].file.relativePath
      report.rows.ignoreAll(reason)
      report.replacement = FileReport.Replacement(file: other, reason: reason)
      report.remarks.append(reason == .restated ? "replaced by \(path)" : "same bytes as \(path)")
      return
    }
    guard report.isUsed else {
      report.rows.ignoreAll(.unusableFile)
      if recognized.problem == nil { report.reportUnrecognized(recognized) }
      return
    }
    report.refuseIfChanged(extract.severalPeriods)
    guard report.isUsed else { return result.names.dropFile() }
    if context.survey.hasSeveralVendors { report.apps = extract.apps }
    switch recognized.kind {
    case .subscriber:
      result.names.charges.keepFile(index)
      result.names.snapshots.keepFile(index)
    case .subscriptionEvent:
      finishEvents()
      result.names.events.keepFile(index)
    case .subscription:
      finishSnapshot(recognized)
      result.names.snapshots.keepFile(index)
    case .sales:
      finishSales(recognized, index)
      result.names.sales.keepFile(index)
    case .financial, .financeDetail, .payments:
      finishFinance(recognized)
    default: break
    }
  }

  private mutating func finishEvents() {
    let terms = context.registries.eventTerms
    var unknown: [Symbol: Int] = [:]
    for (key, quantity) in extract.events.entries {
      let terms = terms[Int(key.terms)]
      eventFold.add(key, quantity: quantity, terms: terms)
      if case .unknown = terms.eventClass { unknown[terms.name, default: 0] += quantity }
    }
    // Sort by the names' bytes: the order of a dictionary differs from run to run.
    let named = unknown.map { (name: context.registries.text(of: $0), quantity: $1) }
      .sorted { $0.name.precedes($1.name) }
    report.unknownEvents = named.map { "unknown event \"\($0.name)\": \($0.quantity)" }
  }

  private mutating func finishSnapshot(_ recognized: RecognizedFile) {
    report.unknownCounts = extract.unknownCounts
    let terms = context.registries.snapshotTerms
    if let day = recognized.day {
      eventFold.addSnapshot(of: day)
      for (key, count) in extract.snapshot.entries {
        let own = terms[Int(key.terms)]
        if key.column.isPaid {
          eventFold.addSnapshotRow(active: count, of: day, attributes: own.attributes)
        }
        eventFold.addSnapshotRow(count, key.column, of: day, own)
      }
    }
  }

  private mutating func finishSales(_ recognized: RecognizedFile, _ index: Int) {
    let terms = context.registries.salesTerms
    if context.survey.readsFinance, recognized.frequency == .daily, let day = recognized.day {
      if cutoff.map({ day <= $0 }) != false { result.finance.salesDays.insert(day) }
      for (key, count) in extract.dailySales.entries {
        key.add(count, terms[Int(key.terms)], to: &result.finance)
      }
      for row in extract.rejectedSales {
        var row = row
        row.day = day
        result.finance.rejectedSales.append((row, index))
        result.finance.fileNames[index] = recognized.file.relativePath
      }
    }
    for (key, count) in extract.sales.entries {
      salesFold.add(key, count: count, terms: terms[Int(key.terms)], recognized.salesUse)
    }
  }
}

/// Recalls extracts from earlier runs and keeps them for later ones.
extension FileReader {
  /// Recalls the extract of a report or finance file from an earlier run; returns whether there was one.
  mutating func recall(_ recognized: RecognizedFile, _ index: Int) -> Bool {
    guard let stored = memo?.recall(recognized, index, &extract, &result.charges) else {
      return false
    }
    context.progress.addBytes(stored.count)
    report.sha256 = stored.sha256
    report.rows = extract.rows
    report.rejects = extract.rejects
    report.isUsed = recognized.isToBeUsed
    if context.plan.collectsValues, !extract.chargeTerms.isEmpty {
      result.recalledTerms.append((index, extract.chargeTerms))
    }
    for last in extract.lastRows { noteNames(recognized.kind, last) }
    return true
  }

  /// Keeps the extract for later runs after the file was read to its end.
  mutating func keep(_ recognized: RecognizedFile, _ index: Int) {
    guard let memo else { return }
    extract.rows = report.rows
    extract.rejects = report.rejects.map(report.withoutPersonalText)
    extract.lastRows = lastRows(recognized.kind)
    memo.keep(&extract, report, of: recognized, index)
  }

  private mutating func noteNames(_ kind: ReportKind, _ last: NameTracker.LastRow) {
    switch kind {
    case .subscriptionEvent: result.names.events.note(terms: last.terms, row: last.row)
    // Recalled names of charges are stored like those of snapshots, without the charges' other terms.
    case .subscriber, .subscription:
      result.names.snapshots.note(terms: last.terms, row: last.row)
    case .sales: result.names.sales.note(terms: last.terms, row: last.row)
    default: break
    }
  }

  private func lastRows(_ kind: ReportKind) -> [NameTracker.LastRow] {
    switch kind {
    case .subscriber: lastRowsOfNames
    case .subscriptionEvent: result.names.events.lastRows
    case .subscription: result.names.snapshots.lastRows
    case .sales: result.names.sales.lastRows
    default: []
    }
  }

  /// The last row of the current file for each combination of product and app names in its charges.
  private var lastRowsOfNames: [NameTracker.LastRow] {
    let terms = context.registries.chargeTerms
    var last: [Attributes: UInt32] = [:]
    for row in result.names.charges.lastRows {
      let names = terms[Int(row.terms)].attributes.names
      last[names] = max(last[names] ?? 0, row.row)
    }
    return last.sorted { $0.value < $1.value }.map { names, row in
      NameTracker.LastRow(
        terms: context.registries.number(of: SnapshotTerms(attributes: names)), row: row)
    }
  }
}

extension Attributes {
  /// The attributes reduced to ids and names of app and product.
  fileprivate var names: Attributes {
    var names = Attributes()
    names.app = app
    names.appName = appName
    names.product = product
    names.productName = productName
    return names
  }
}

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
      days.append(contentsOf: repeatElement(ChargeRecord.noDay, count: index + 1 - days.count))
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
