import Charts
import Counting
import Pipeline
import Rendering
import Settlement
import SubscriptionModel
import Tables

extension Figures {
  /// Returns the way from sales to the amount owed, for one fiscal period, region and currency.
  ///
  /// - Parameters:
  ///   - bridge: The bridge.
  ///   - names: The texts behind the symbols.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure; `nil` when sales, settlement or the amount owed are not known.
  static func bridge(_ bridge: Bridge, _ names: Names, _ frame: FigureFrame) -> Figure? {
    guard let sales = bridge.amount(of: .salesGross),
      let settled = bridge.amount(of: .financeShare),
      let owed = bridge.amount(of: .totalOwed)
    else { return nil }
    let currency = names.text(bridge.currency)
    let text = { (amount: Int128) in NumberStyle.amount(milliunits: amount, currency: currency) }
    let size = { (amount: Int128) in Double(amount) / 1_000 }
    var rows = [WaterfallRow.total("sold", size(sales), text: text(sales))]
    rows += steps(bridge, 11...29, text)
    rows.append(.total("settled by Apple", size(settled), text: text(settled)))
    rows += steps(bridge, 40...49, text)
    rows.append(.total("owed by Apple", size(owed), text: text(owed)))
    let values = ReportTable(
      name: "reconcile", dimensions: [],
      columns: [
        .init("step", .count), .init("line", .key), .init("meaning", .text),
        .init("amount", .money), .init("currency", .key), .init("status", .text),
      ],
      rows: bridge.entries.filter { $0.amount != 0 }.map { entry in
        [
          .count(entry.line.rawValue), .text(entry.line.name), .text(entry.line.meaning),
          .amount(entry.amount), .text(names.currency(of: entry, bridge)),
          .text(entry.status.rawValue),
        ]
      })
    let place = "\(bridge.period) \(bridge.region) \(currency)"
    return frame.figure(
      "bridge-\(place)", "\(bridge.period), region \(bridge.region), \(currency)",
      "Sold \(text(sales)), settled \(text(settled)), owed \(text(owed)).\(notDrawn(bridge)) \(payment(bridge, names))",
      WaterfallChart(
        rows: rows, format: .amount(decimals: NumberStyle.decimals(of: currency)),
        startsAtZero: false, axisTitle: currency, width: width), values)
  }

  /// Returns the lines of some steps whose amount is known and not 0.
  private static func steps(
    _ bridge: Bridge, _ steps: ClosedRange<Int>, _ text: (Int128) -> String
  ) -> [WaterfallRow] {
    bridge.entries.filter { steps.contains($0.line.rawValue) }.compactMap {
      entry -> WaterfallRow? in
      guard let amount = entry.amount, amount != 0 else { return nil }
      return .step(
        entry.line.meaning, Double(amount) / 1_000, text: (amount > 0 ? "+" : "") + text(amount))
    }
  }

  /// Returns how many lines are not known, and how many are estimates, in sentences; blank where all are exact.
  private static func notDrawn(_ bridge: Bridge) -> String {
    let entries = bridge.entries.filter { (10...49).contains($0.line.rawValue) }
    let unknown = entries.count { $0.amount == nil }
    let estimates = entries.count { $0.amount != nil && $0.status == .estimate }
    var text = ""
    if unknown > 0 { text += " Not drawn, because not known: \(counted(unknown, "line"))." }
    if estimates > 0 { text += " Estimates: \(counted(estimates, "line"))." }
    return text
  }

  /// Returns the payment to the bank, in a sentence.
  private static func payment(_ bridge: Bridge, _ names: Names) -> String {
    if bridge.amount(of: .totalOwed) == 0 { return "Nothing is owed." }
    return bridge.entries(of: .payment).map { payment($0, names) }.joined(separator: " ")
  }

  private static func payment(_ entry: Bridge.Entry, _ names: Names) -> String {
    if entry.isCarriedOver { return "Nothing is paid: it is carried over." }
    guard entry.isPaid, let amount = entry.amount else {
      return "Not paid yet, by the payments CSV."
    }
    guard let bank = entry.bankCurrency else { return "No payment is known." }
    let currency = names.text(bank)
    return "Paid \(NumberStyle.amount(milliunits: amount, currency: currency)) \(currency)."
  }
}
