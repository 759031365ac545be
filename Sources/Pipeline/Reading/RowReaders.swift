import AppStoreReports
import Scanning

/// The row readers of one thread.
///
/// A reader remembers the descriptions of earlier files, so it is reused while the columns of its kind stay the
/// same.
struct RowReaders: ~Copyable {
  private var headers: [ReportKind: ReportHeader] = [:]
  var subscriber: SubscriberReader?
  var event: SubscriptionEventReader?
  var snapshot: SubscriptionReader?
  var sales: SalesReader?
  var moneyColumns: RejectedSalesReader?

  /// Creates the reader for a header, unless there is one for the same columns.
  mutating func prepare(_ header: ReportHeader, _ registries: Registries, readsAllTypes: Bool) {
    if headers[header.kind]?.hasSameColumns(as: header) == true { return }
    headers[header.kind] = header
    switch header.kind {
    case .subscriber:
      subscriber = SubscriberReader(header: header, registries: registries)
    case .subscriptionEvent:
      event = SubscriptionEventReader(header: header, registries: registries)
    case .subscription:
      snapshot = SubscriptionReader(header: header, registries: registries)
    case .sales:
      sales = SalesReader(header: header, registries: registries, readsAllTypes: readsAllTypes)
      moneyColumns = RejectedSalesReader(header: header, registries: registries)
    default: break
    }
  }

  /// Begins a file, with the days that its rows may have; `nil` for any.
  mutating func beginFile(_ days: AllowedDays?) {
    subscriber?.beginFile(days)
    event?.beginFile(days)
    snapshot?.beginFile()
    sales?.beginFile(days)
  }

  /// Returns two periods of the rows of a SALES file, if it has several; none for other kinds.
  mutating func severalPeriods(_ kind: ReportKind) -> [ReportPeriod] {
    kind == .sales ? sales?.severalPeriods ?? [] : []
  }
}

/// Returns whether a line holds nothing but blanks and so is no row.
func isBlank(_ line: Span<UInt8>, _ place: Line) -> Bool {
  // Almost every line begins with a letter or digit.
  if line.count > 0, (0x21...0x7E).contains(line[0]) { return false }
  return !place.isTooLong && trimmed(line, line.indices).isEmpty
}
