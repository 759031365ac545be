/// Writes `truth/`: CSV files in a fixed order, and a README that explains them.
struct TruthWriter {
  let truth: Truth
  let timeline: Timeline
  let planted: [PlantedFault]
  let prices: PriceBook
  /// The true counts of receipts, if receipts were written.
  let receipts: ReceiptTruth?
  /// The true sums of settlements, if finance files were written.
  let bridges: [(period: FiscalPeriod, cells: [FinanceTruth.Cell])]?
  let plans: PlanOptions
  /// The commitments with their scheduled ends, in a world that sells them.
  let terms: [(commitment: CommitmentHistory, scheduledEnd: Int)]?

  func write(to folder: ReportFolder) throws(SimulationError) {
    func write(_ text: String, _ name: String) throws(SimulationError) {
      try folder.write(Array(text.utf8), to: "truth/\(name)")
    }
    try folder.makeFolder("truth")
    var readme = Self.readme
    try write(charges(truth.charges), "charges.csv")
    try write(refunds(), "refunds.csv")
    try write(trials(), "trials.csv")
    try write(churned(), "churned.csv")
    try write(active(), "active.csv")
    try write(starts(), "starts.csv")
    try write(faults(), "faults.csv")
    if let receipts {
      try write(months(receipts), "receipts.csv")
      try write(totals(receipts), "receipt_totals.csv")
      if terms != nil {
        let months = CommitmentTruth(receipts.commitments, timeline: timeline, tolerance: 0)
        try write(commitments(months), "receipt_commitments.csv")
      }
    }
    if !prices.plantedSteps.isEmpty {
      try write(steps(), "prices.csv")
      readme += Self.readmeOfPrices
    }
    if let bridges {
      try write(reconcile(bridges), "reconcile.csv")
      readme += Self.readmeOfFinance
    }
    if let terms {
      try write(self.terms(terms), "terms.csv")
      let months = CommitmentTruth(terms.map(\.commitment), timeline: timeline, tolerance: 2)
      try write(commitments(months), "commitments.csv")
      readme += Self.readmeOfCommitments
    }
    if plans.contingent != .none {
      try write(charges(truth.contingentCharges), "contingent.csv")
      readme += Self.readmeOfContingentPrices
    }
    if plans.hasCommissions { readme += Self.readmeOfCommissions }
    try write(readme, "README.md")
  }

  // MARK: Tables

  private func charges(_ charges: [Truth.Key: Truth.Money]) -> String {
    table(
      "month,product,country,currency,charges,gross_price,gross_proceeds",
      sorted(charges).map { key, money in
        "\(timeline.monthText(key.month)),\(place(key)),\(Self.fields(money))"
      })
  }

  private func refunds() -> String {
    table(
      "month,sale_month,product,country,currency,extent,count,price,proceeds",
      sorted(truth.refunds).map { key, money in
        let months = "\(timeline.monthText(key.month)),\(timeline.monthText(key.saleMonth))"
        let extent = key.kind == .fullRefund ? "full" : "partial"
        return "\(months),\(place(key)),\(extent),\(Self.fields(money))"
      })
  }

  private func sorted(_ sums: [Truth.Key: Truth.Money]) -> [(key: Truth.Key, value: Truth.Money)] {
    sums.sorted { $0.key.order.lexicographicallyPrecedes($1.key.order) }
  }

  private func trials() -> String {
    counts("trials,converted,not_converted,pending") { cell in
      let pending = cell.trials - cell.converted - cell.notConverted
      return [cell.trials, cell.converted, cell.notConverted, pending]
    }
  }

  private func churned() -> String {
    counts("churned,recovered,churned_seen,recovered_seen") { cell in
      [cell.churned, cell.recovered, cell.churnedSeen, cell.recoveredSeen]
    }
  }

  private func active() -> String {
    counts("active,active_seen") { [$0.active, $0.activeSeen] }
  }

  private func starts() -> String {
    counts("starts,first_paid") { [$0.starts, $0.firstPaid] }
  }

  /// Returns the counts by month, product and country, without the rows of zeros only.
  private func counts(_ columns: String, _ values: (Truth.Cell) -> [Int]) -> String {
    var text = "month,product,country,\(columns)\n"
    let (storefronts, products) = (Catalog.storefronts.count, Catalog.products.count)
    let cells = truth.cells.prefix(timeline.monthCount * products * storefronts)
    for (index, cell) in cells.enumerated() {
      let counts = values(cell)
      guard counts.contains(where: { $0 != 0 }) else { continue }
      let month = timeline.monthText(index / (storefronts * products))
      let place = place(index / storefronts % products, index % storefronts)
      text += "\(month),\(place),\(Self.fields(counts))\n"
    }
    return text
  }

  private func faults() -> String {
    let rows = planted.sorted { $0.day < $1.day }.map { fault in
      let day = CalendarDay.text(timeline.base + fault.day)
      return "\(fault.fault),\(fault.kind.rawValue),\(day),\(fault.file),\(fault.rows),"
        + Self.cell(fault.note)
    }
    return table("fault,kind,day,file,rows,note", rows)
  }

  // MARK: Rows

  func table(_ header: String, _ rows: [String]) -> String {
    ([header] + rows).joined(separator: "\n") + "\n"
  }

  /// Returns the name of a product and the code of a country.
  func place(_ product: Int, _ storefront: Int) -> String {
    "\(Self.cell(Catalog.products[product].name)),\(Catalog.storefronts[storefront].code)"
  }

  private func place(_ key: Truth.Key) -> String {
    "\(place(key.product, key.storefront)),\(Catalog.currencies[key.currency])"
  }

  private static func fields(_ money: Truth.Money) -> String {
    "\(money.count),\(hundredths: money.price),\(hundredths: money.proceeds)"
  }

  static func fields(_ values: some Sequence<Int>) -> String {
    values.map { "\($0)" }.joined(separator: ",")
  }

  /// Returns a CSV cell, in quotes if it needs them; simulated text has no quotes of its own.
  static func cell(_ text: String) -> String {
    text.contains(",") ? "\"\(text)\"" : text
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

    A period begins on the date of its charge and ends after its duration in days or in calendar
    months from the first charge of its run in the reports (the day clamped to the month's end):
    the only end that the reports let anybody know.

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

/// The truth tables of receipts, written only in a world with receipts.
extension TruthWriter {
  /// Returns the counts by month and product.
  func months(_ truth: ReceiptTruth) -> String {
    table(
      "month,product,\(truth.counts.header)",
      truth.counts.rows.map { month, product, values in
        let sku = Self.cell(Catalog.products[product].sku)
        return "\(timeline.monthText(month)),\(sku),\(Self.fields(values))"
      })
  }

  /// Returns the one row of totals over all customers.
  func totals(_ truth: ReceiptTruth) -> String {
    "customers,purchases,covered_seconds\n"
      + "\(truth.customerCount),\(truth.purchaseCount),\(truth.coveredSeconds)\n"
  }
}
