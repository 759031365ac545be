public import SubscriptionModel

extension Reconciliation {
  /// Returns `reconcile.csv`: a row for each line of each bridge.
  ///
  /// - Parameters:
  ///   - names: The texts of the symbols.
  ///   - periods: The periods to show; `nil` for all.
  /// - Returns: The table.
  public func table(_ names: Names, periods: ClosedRange<FiscalPeriod>? = nil) -> ReportTable {
    Self.table(bridges, dimensions: [], names, periods)
  }

  /// Returns `reconcile-by-product.csv`: the same by product, up to the settlement.
  ///
  /// - Parameters:
  ///   - names: The texts of the symbols.
  ///   - periods: The periods to show; `nil` for all.
  /// - Returns: The table.
  public func productTable(
    _ names: Names, periods: ClosedRange<FiscalPeriod>? = nil
  ) -> ReportTable {
    Self.table(productBridges, dimensions: ["product"], names, periods)
  }

  private static func table(
    _ bridges: [Bridge], dimensions: [String], _ names: Names,
    _ periods: ClosedRange<FiscalPeriod>?
  ) -> ReportTable {
    let keys = (["source", "period", "region", "currency"] + dimensions).map {
      ReportTable.Column($0, .key)
    }
    let shown = bridges.filter { periods?.contains($0.period) != false }
    return ReportTable(
      name: "reconcile", dimensions: dimensions,
      columns: keys + Definition.reconcileColumns.map(\.column),
      rows: shown.flatMap { bridge in
        bridge.entries.map { bridge.keyCells(names) + $0.cells(bridge, names) }
      })
  }
}

extension Names {
  /// Returns the currency of an amount.
  ///
  /// - Parameters:
  ///   - entry: A row of a bridge.
  ///   - bridge: The bridge.
  /// - Returns: The bridge's currency; for a payment, that of the bank account, blank if unknown.
  public func currency(of entry: Bridge.Entry, _ bridge: Bridge) -> String {
    entry.line == .payment ? entry.bankCurrency.map(text) ?? "" : text(bridge.currency)
  }
}

extension Bridge {
  fileprivate func keyCells(_ names: Names) -> [ReportTable.Cell] {
    let keys = ["finance", period.description, region, names.text(currency)]
    return (keys + (product.map { [names.product($0)] } ?? [])).map { .text($0) }
  }
}

extension Bridge.Entry {
  fileprivate func cells(_ bridge: Bridge, _ names: Names) -> [ReportTable.Cell] {
    let money = { (amount: Int128?) in
      amount.map { ReportTable.Cell.money(milliunits: $0) } ?? .missing
    }
    return [
      .count(line.rawValue), .text(line.name), money(amount),
      .text(names.currency(of: self, bridge)), count.map { .count($0) } ?? .missing,
      .text(status.rawValue), money(low), money(high), .text(cause), .text(evidence),
    ]
  }
}

extension Definition {
  /// The columns of `reconcile.csv` after its keys.
  public static let reconcileColumns: [Column] = [
    Column(
      "step", .count, "The line's place: 10 to 30 lead to the settlement, 30 to 60 to the bank."),
    Column("line", .text, "What the line is, see below."),
    Column("amount", .money, "The amount, signed as it is added; empty when it is not known."),
    Column("amount_currency", .key, "The currency; of a payment that of the bank account."),
    Column("count", .count, "Units of 10 to 30, with the sign of their money."),
    Column("status", .text, "`exact`, `estimate` or `unknown`."),
    Column("low", .money, "The least that the amount can be, where that can be told."),
    Column("high", .money, "The most that the amount can be."),
    Column("cause", .text, "Why there is such an amount, or why it is not known."),
    Column("evidence", .text, "What the amount rests on."),
  ]
}
