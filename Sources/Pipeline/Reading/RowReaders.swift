import AppStoreReports

/// The readers of rows: they know the descriptions of earlier files, so they live as long as the columns of
/// their kind are the same.
struct RowReaders: ~Copyable {
  private var headers: [ReportKind: ReportHeader] = [:]
  var subscriber: SubscriberReader?
  var event: SubscriptionEventReader?
  var snapshot: SubscriptionReader?
  var sales: SalesReader?
  /// Of SALES rows that are rejected.
  var moneyColumns: MoneyColumns?

  /// Makes the reader of a header's kind, unless there is one of the same columns.
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
      sales = SalesReader(
        header: header, registries: registries, readsAllTypes: readsAllTypes)
      moneyColumns = MoneyColumns(header: header, registries: registries)
    default: break
    }
  }

  /// Begins a file.
  ///
  /// - Parameter days: The days that its rows may say; `nil` for any.
  mutating func beginFile(_ days: NearbyDays?) {
    subscriber?.beginFile(days)
    event?.beginFile(days)
    snapshot?.beginFile()
    sales?.beginFile(days)
  }
}
