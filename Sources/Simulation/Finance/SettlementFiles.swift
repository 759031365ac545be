/// The files of one fiscal period: the same settlement in each of Apple's forms, and the payments.
struct SettlementFiles {
  /// The folders in `finance`, one for each form, so that each can be used without the others.
  static let folders = ["detail", "region", "single", "payments"]

  private let period: FiscalPeriod
  private let base: Int
  private let folder: ReportFolder
  /// The numbers of units by row, with the dates of sale and settlement.
  private let rows: [(key: SettledRow, units: Int)]
  /// The numbers of units by item, without dates.
  private let items: [(key: SettledRow.Item, units: Int)]

  init(period: FiscalPeriod, base: Int, rows: [SettledRow: Int], folder: ReportFolder) {
    self.period = period
    self.base = base
    self.folder = folder
    self.rows = rows.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    var items: [SettledRow.Item: Int] = [:]
    for (row, units) in rows { items[row.item, default: 0] += units }
    self.items = items.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Writes all files; `isPending` if Apple has not paid the period yet.
  func write(_ payouts: [Payout?], isPending: Bool) throws(SimulationError) {
    var detail = DetailSheet(period: period, base: base)
    for (row, units) in rows { detail.append(row, units: units) }
    try write(detail.finished(), rows: rows.count, "detail", "Z1")
    var single = FinancialSheet(period: period)
    for (item, units) in items { single.append(item, units: units) }
    try write(single.finished(), rows: items.count, "single", "ZZ")
    for (index, region) in FinanceRegion.all.enumerated() {
      let own = items.filter { $0.key.region == index }
      guard !own.isEmpty else { continue }
      var sheet = FinancialSheet(period: period)
      for (item, units) in own { sheet.append(item, units: units) }
      let text = sheet.finished(currency: region.currency)
      try write(text, rows: own.count, "region", region.code)
    }
    let payments = PaymentsSheet(period: period, payouts: payouts, isPending: isPending)
    try folder.write(
      Array(payments.text().utf8), to: "finance/payments/financial_report_\(period.monthText).csv")
    folder.summary.add(.finance, rows: payouts.count { $0 != nil })
  }

  private func write(
    _ text: ByteText, rows: Int, _ form: String, _ region: String
  ) throws(SimulationError) {
    let path = "finance/\(form)/\(Catalog.vendor)_\(period.monthText)_\(region).txt.gz"
    try folder.writeCompressed(text, rows: rows, of: .finance, to: path)
  }
}
