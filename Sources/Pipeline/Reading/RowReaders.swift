import AppStoreReports

/// The readers of rows: they know the descriptions of earlier files, so they live as long as the columns of
/// their kind are the same.
struct RowReaders: ~Copyable {
  private var headers: [ReportKind: ReportHeader] = [:]
  var subscriber: SubscriberReader?
  var event: SubscriptionEventReader?
  var snapshot: SubscriptionReader?
  var sales: SalesReader?

  /// Makes the reader of a header's kind, unless there is one of the same columns.
  mutating func prepare(_ header: ReportHeader, _ context: ReadContext) {
    if headers[header.kind]?.hasSameColumns(as: header) == true { return }
    headers[header.kind] = header
    let registries = context.registries
    switch header.kind {
    case .subscriber:
      subscriber = SubscriberReader(header: header, registries: registries)
    case .subscriptionEvent:
      event = SubscriptionEventReader(header: header, registries: registries)
    case .subscription:
      snapshot = SubscriptionReader(header: header, registries: registries)
    case .sales:
      sales = SalesReader(
        header: header, registries: registries, readsAllTypes: context.readsFinance)
    default: break
    }
  }
}
