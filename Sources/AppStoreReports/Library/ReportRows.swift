import Scanning
import SubscriptionModel

/// Reads the rows of one report: the values by the reader of its kind, the texts by their columns.
struct ReportRows: ~Copyable {
  /// A row, or why it cannot be used.
  enum Outcome {
    case row(ReportFile.Row)
    case rejected(Reject)
  }

  private let numbers: ColumnNumbers
  private let columnCount: Int
  private let registries: Registries
  private var splitter: RowSplitter
  private var subscriber: SubscriberReader?
  private var event: SubscriptionEventReader?
  private var snapshot: SubscriptionReader?
  private var sales: SalesReader?
  /// The terms of SUBSCRIBER or SALES rows so far.
  private var chargeTerms: [ChargeTerms] = []
  private var salesTerms: [SalesTerms] = []

  init(_ report: ReportFile) {
    let header = report.header
    let registries = Registries()
    self.registries = registries
    numbers = ColumnNumbers(header)
    columnCount = header.columnNames.count
    splitter = RowSplitter(header)
    switch report.kind {
    case .subscriber: subscriber = SubscriberReader(header: header, registries: registries)
    case .subscriptionEvent:
      event = SubscriptionEventReader(header: header, registries: registries)
    case .subscription: snapshot = SubscriptionReader(header: header, registries: registries)
    case .sales:
      sales = SalesReader(header: header, registries: registries, readsAllTypes: true)
    }
    subscriber?.beginFile(report.allowedDays)
    event?.beginFile(report.allowedDays)
    snapshot?.beginFile()
    sales?.beginFile(report.allowedDays)
  }

  /// Returns the error of a file with SALES of several periods; `nil` for any other.
  mutating func severalReports() -> HeaderError? {
    HeaderError(severalPeriods: sales?.severalPeriods ?? [])
  }

  /// Reads a row.
  ///
  /// - Parameters:
  ///   - line: The row without its line ending.
  ///   - place: Where the row is.
  /// - Returns: The row, or why it cannot be used.
  mutating func read(_ line: Span<UInt8>, _ place: Line) -> Outcome {
    if case .rejected(let reject) = event?.read(line, place) { return .rejected(reject) }
    if case .rejected(let reject) = snapshot?.read(line, place) { return .rejected(reject) }
    if let outcome = subscriber?.read(line, place, fileIndex: 0, row: 0) {
      switch outcome {
      case .row(let record): return .row(row(line, place, charge(record)))
      case .ignored: break
      case .rejected(let reject): return .rejected(reject)
      }
    }
    if let outcome = sales?.read(line, place) {
      switch outcome {
      case .row(let sale): return .row(row(line, place, charge(sale)))
      case .ignored: break
      case .rejected(let reject): return .rejected(reject)
      }
    }
    return .row(row(line, place, nil))
  }

  private mutating func charge(_ record: ChargeRecord) -> ReportFile.Charge {
    let number = Int(record.terms)
    if number >= chargeTerms.count { chargeTerms = registries.chargeTerms }
    return ReportFile.Charge(record, chargeTerms[number], registries)
  }

  private mutating func charge(_ sale: SalesRow) -> ReportFile.Charge {
    let number = Int(sale.terms)
    if number >= salesTerms.count { salesTerms = registries.salesTerms }
    return ReportFile.Charge(sale, salesTerms[number], registries)
  }

  private mutating func row(
    _ line: Span<UInt8>, _ place: Line, _ charge: ReportFile.Charge?
  ) -> ReportFile.Row {
    // The reader has a splitter of its own, which skips the fields of a cached description.
    _ = splitter.split(line, place)
    var bytes: [UInt8] = []
    bytes.append(line, 0..<line.count)
    var fields: [Range<Int>] = []
    fields.reserveCapacity(columnCount)
    for field in 0..<columnCount { fields.append(splitter.content(line, field)) }
    return ReportFile.Row(
      line: place.number, charge: charge, bytes: bytes, fields: fields, numbers: numbers)
  }
}
