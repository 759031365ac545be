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
      report.remarks.append(
        reason == .restated ? "replaced by \(path)" : "same bytes as \(path)")
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
