import SubscriptionModel

extension PriceTable {
  /// The columns of `price_changes.csv`.
  static let changeColumns: [Definition.Column] = [
    Definition.Column("source", .key, "Where it was found: `receipts`, `sales` or `subscribers`."),
    Definition.Column("product", .key, "The product."),
    Definition.Column("country", .key, "The storefront."),
    Definition.Column("currency", .key, "The customer's currency."),
    Definition.Column(
      "plan", .key, "How the product is paid: `upfront` or `commitment`; empty for `sales`."),
    Definition.Column(
      "date", .key,
      "The first day on which the new price was charged; the first day of a price that replaced none."
    ),
    Definition.Column("old_price", .money, "The price before; empty when there was none."),
    Definition.Column("new_price", .money, "The price from then on; empty when it is not known."),
    Definition.Column(
      "class", .text,
      "`increase`; `decrease`; `glitch` (too few charges or days to be a price); `currency_change`; `new_storefront`; `new_plan` (the first price of a plan, where another plan was charged before); `at_data_edge` (what was before is not known); `overlap` (new customers pay both prices); `new_customers_only` (existing subscribers keep the old price); `parallel` (paid by a minority beside others); `unconfirmed`."
    ),
    Definition.Column("origin", .text, "`found` in the charges, or `file` of `--price-changes`."),
    Definition.Column(
      "new_charges", .count,
      "Charges of the new price that were the first paid one of a subscription with a known start."),
    Definition.Column(
      "continuing_charges", .count,
      "Charges of the new price that continued a standard paid period of the same product (`sales`: renewals)."
    ),
    Definition.Column("note", .text, "What else there is to say."),
  ]
}

extension TableMaker {
  /// Returns `price_changes.csv`: METRICS.md section 6.
  ///
  /// - Returns: The changes of all sources; only a header if there are none.
  public func priceChangesTable() -> ReportTable {
    let rows = sources.flatMap { report in
      report.priceChanges.filter(\.isAdmitted).map { row($0, report.source) }
    }
    return ReportTable(
      name: PriceTable.changes.rawValue, dimensions: [],
      columns: PriceTable.changes.columns(for: []),
      rows: rows.sorted(by: KeyedRow.precedes).map(\.allCells))
  }

  private func row(_ change: PriceChange, _ source: Source) -> KeyedRow {
    KeyedRow(
      keys: [
        .text(source.rawValue), .text(names.product(change.key.product)),
        .text(names.text(change.key.country)), .text(names.text(change.key.currency)),
        .text(change.key.planName),
        .text(change.date.description), .milliunits(change.oldPrice), .milliunits(change.newPrice),
      ],
      cells: [
        .text(change.kind.rawValue), .text(change.origin.rawValue), .count(change.newCharges),
        .count(change.continuingCharges), .text(change.note),
      ])
  }
}

extension PriceTable {
  /// The table's columns and their meanings, as a table.
  public var columnTable: ReportTable {
    ReportTable(
      name: rawValue, dimensions: [],
      columns: [.init("column", .key), .init("meaning", .text)],
      rows: allColumns.map { [.text($0.column.name), .text($0.meaning)] })
  }
}
