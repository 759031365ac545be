/// Writes `truth/`: CSV files in a fixed order, and a README that explains them.
struct TruthWriter {
  let truth: Truth
  let timeline: Timeline
  let planted: [PlantedFault]
  /// The planted prices.
  let prices: PriceBook
  /// The true counts of receipts, if receipts were written.
  let receipts: ReceiptTruth?
  /// The true sums of settlements, if finance files were written.
  let bridges: [(period: FiscalPeriod, cells: [FinanceTruth.Cell])]?
  let plans: PlanOptions
  /// The commitments with their scheduled ends, in a world that sells them.
  let terms: [(record: CommitmentRecord, scheduledEnd: Int)]?

  /// Writes all files.
  func write(to folder: ReportFolder) throws(SimulationError) {
    try folder.makeFolder("truth")
    try folder.write(charges(truth.charges), to: "truth/charges.csv")
    try folder.write(refunds(), to: "truth/refunds.csv")
    try folder.write(trials(), to: "truth/trials.csv")
    try folder.write(churned(), to: "truth/churned.csv")
    try folder.write(active(), to: "truth/active.csv")
    try folder.write(starts(), to: "truth/starts.csv")
    try folder.write(faults(), to: "truth/faults.csv")
    if let receipts {
      try folder.write(months(receipts), to: "truth/receipts.csv")
      try folder.write(totals(receipts), to: "truth/receipt_totals.csv")
      if terms != nil {
        let months = CommitmentTruth(receipts.commitments, timeline: timeline, tolerance: 0)
        try folder.write(commitments(months), to: "truth/receipt_commitments.csv")
      }
    }
    if !prices.plantedSteps.isEmpty { try folder.write(steps(), to: "truth/prices.csv") }
    if let bridges { try folder.write(reconcile(bridges), to: "truth/reconcile.csv") }
    if let terms {
      try folder.write(self.terms(terms), to: "truth/terms.csv")
      let months = CommitmentTruth(terms.map(\.record), timeline: timeline, tolerance: 2)
      try folder.write(commitments(months), to: "truth/commitments.csv")
    }
    if plans.contingent != .none {
      try folder.write(charges(truth.contingentCharges), to: "truth/contingent.csv")
    }
    var text = ByteText()
    text.append(Self.readme)
    if !prices.plantedSteps.isEmpty { text.append(Self.readmeOfPrices) }
    if bridges != nil { text.append(Self.readmeOfFinance) }
    if terms != nil { text.append(Self.readmeOfCommitments) }
    if plans.contingent != .none { text.append(Self.readmeOfContingentPrices) }
    if plans.hasCommissions { text.append(Self.readmeOfCommissions) }
    try folder.write(text, to: "truth/README.md")
  }

  // MARK: Tables

  private func charges(_ charges: [Truth.ChargeKey: Truth.Money]) -> ByteText {
    var text = ByteText()
    text.append("month,product,country,currency,charges,gross_price,gross_proceeds\n")
    let sorted = charges.sorted { left, right in
      Self.order(left.key).lexicographicallyPrecedes(Self.order(right.key))
    }
    for (key, money) in sorted {
      text.append(timeline.monthText(key.month) + ",")
      appendPlace(key.product, key.storefront, currency: key.currency, to: &text)
      append(money, to: &text)
    }
    return text
  }

  private static func order(_ key: Truth.ChargeKey) -> [Int] {
    [key.month, key.product, key.storefront, key.currency]
  }

  private func trials() -> ByteText {
    table(
      "month,product,country,trials,converted,not_converted,pending", where: { $0.trials > 0 }
    ) { cell, text in
      let pending = cell.trials - cell.converted - cell.notConverted
      Self.append([cell.trials, cell.converted, cell.notConverted, pending], to: &text)
    }
  }

  private func churned() -> ByteText {
    table(
      "month,product,country,churned,recovered,churned_seen,recovered_seen",
      where: { $0.churned + $0.recovered > 0 }
    ) { cell, text in
      Self.append(
        [cell.churned, cell.recovered, cell.churnedSeen, cell.recoveredSeen], to: &text)
    }
  }

  private func active() -> ByteText {
    table("month,product,country,active,active_seen", where: { $0.active > 0 }) { cell, text in
      Self.append([cell.active, cell.activeSeen], to: &text)
    }
  }

  private func starts() -> ByteText {
    table(
      "month,product,country,starts,first_paid", where: { $0.starts + $0.firstPaid > 0 }
    ) { cell, text in
      Self.append([cell.starts, cell.firstPaid], to: &text)
    }
  }

  private func refunds() -> ByteText {
    var text = ByteText()
    text.append("month,sale_month,product,country,currency,extent,count,price,proceeds\n")
    let sorted = truth.refunds.sorted { left, right in
      Self.order(left.key).lexicographicallyPrecedes(Self.order(right.key))
    }
    for (key, money) in sorted {
      text.append(timeline.monthText(key.month) + "," + timeline.monthText(key.saleMonth) + ",")
      appendPlace(key.product, key.storefront, currency: key.currency, to: &text)
      text.append(key.isFull ? "full," : "partial,")
      append(money, to: &text)
    }
    return text
  }

  private static func order(_ key: Truth.RefundKey) -> [Int] {
    [key.month, key.saleMonth, key.product, key.storefront, key.currency, key.isFull ? 0 : 1]
  }

  private func faults() -> ByteText {
    var text = ByteText()
    text.append("fault,kind,day,file,rows,note\n")
    for fault in planted.sorted(by: { $0.day < $1.day }) {
      let day = CalendarDay.text(timeline.base + fault.day)
      text.append("\(fault.fault),\(fault.kind.rawValue),\(day),\(fault.file),\(fault.rows),")
      text.append(cell: fault.note)
      text.appendNewline()
    }
    return text
  }

  // MARK: Rows

  private func table(
    _ header: String, where isShown: (Truth.Cell) -> Bool,
    values: (Truth.Cell, inout ByteText) -> Void
  ) -> ByteText {
    var text = ByteText()
    text.append(header)
    text.appendNewline()
    let storefronts = Catalog.storefronts.count
    let products = Catalog.products.count
    for (index, cell) in truth.cells.enumerated() where isShown(cell) {
      let month = index / (storefronts * products)
      guard month < timeline.monthCount else { break }
      text.append(timeline.monthText(month) + ",")
      let product = index / storefronts % products
      appendPlace(product, index % storefronts, to: &text)
      values(cell, &text)
      text.appendNewline()
    }
    return text
  }

  func appendPlace(
    _ product: Int, _ storefront: Int, currency: Int? = nil, to text: inout ByteText
  ) {
    text.append(cell: Catalog.products[product].name)
    text.append(",\(Catalog.storefronts[storefront].code),")
    if let currency { text.append("\(Catalog.currencies[currency]),") }
  }

  private func append(_ money: Truth.Money, to text: inout ByteText) {
    text.append(number: money.count)
    text.append(",")
    text.append(hundredths: money.price)
    text.append(",")
    text.append(hundredths: money.proceeds)
    text.appendNewline()
  }

  static func append(_ values: [Int], to text: inout ByteText) {
    for (index, value) in values.enumerated() {
      if index > 0 { text.append(",") }
      text.append(number: value)
    }
  }

  private static let readme = """
    # What really happened

    These files are written by the simulated world as it happens, not by counting its reports.
    Months are those of the event's own date. Products are named as in the reports. Rows are in
    the order of month, product (as on sale) and country (as in the catalogue); rows without
    anything are left out. The last two columns of some tables, `_seen`, count only periods whose
    charge is in the window of the reports.

    - `charges.csv`: paid charges by the month of the charge. Amounts are exact.
    - `refunds.csv`: refunds by the month of the refund and of the sale (which may be before the
      first report). `full` ends the period if it is running, `partial` is what an upgrade gives
      back.
    - `trials.csv`: free introductory offers by the month they began. `converted`: the next charge
      is paid and comes within 60 days of the trial's end. `not_converted`: another charge comes
      first or none comes in 60 days. `pending`: not decided on the last day.
    - `churned.csv`: paid periods by the month they ended. `churned`: no charge within 60 days, as
      far as the last day shows; a period that ended on the last day or the two before it still
      runs, unless a refund ended it. `recovered`: a charge 3 to 60 days after the end. A charge
      at most 2 days late is no lapse.
    - `active.csv`: subscribers in a paid period on the last day before the month.
    - `starts.csv`: `starts` are people whose first charge ever is paid, `first_paid` everybody's
      first paid charge, also after a free trial. Neither counts a return.
    - `faults.csv`: what was planted in the reports. `rows` are the rows lost, delayed, lacking or
      added. The rows of a missing day are lost to the reports, but they are in all these files.

    A period begins on the date of its charge and ends after its duration in calendar months (the
    day clamped to the month's end) or days: the only end that the reports let anybody know.

    With receipts there are two files more. Their months are those of UTC, from the first purchase
    on, their products named by product id, and their periods end to the second: when the receipt
    says, or earlier at a refund or at the purchase of a higher product.

    - `receipts.csv`: `charges` are paid purchases, `free_charges` the others, `refunds` full
      refunds by the month of the refund. `active`: customers in a paid period in the last second
      before the month. `recovered` and `churned_…`: paid periods that ended in the month, by what
      came next: a purchase more than an hour and at most 60 days later, or none by then, for the
      reason that the store gives.
    - `receipt_totals.csv`: customers (accounts in one app), purchases, and the seconds in which
      the customers had service, free service included, to the end of every period.

    """
}
