import AppStoreReports
import SubscriptionModel

/// Recalls extracts from earlier runs and keeps them for later ones.
extension FileReader {
  /// Recalls the extract of a report or finance file from an earlier run.
  ///
  /// - Returns: Whether there was one; if not, nothing has changed.
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
