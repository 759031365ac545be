import Charts
import Counting
import PriceImpact
import Rendering
import SubscriptionModel
import Tables

extension Figures {
  /// Returns the lost renewals of all increases with their intervals.
  ///
  /// - Parameters:
  ///   - overview: The increases; those without an estimate are left out.
  ///   - values: The rows of the increases.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure; `nil` without an estimate.
  static func increases(
    _ overview: ImpactOverview, _ values: ReportTable, _ frame: FigureFrame
  ) -> Figure? {
    let rows = overview.measured.compactMap { impact -> ForestRow? in
      guard let loss = impact.comparison.excessChurn else { return nil }
      let title = InlineMarkdown.plain(
        ImpactSection(impact: impact, names: overview.names).title)
      return ForestRow(
        name: title, estimate: loss.value, low: loss.low, high: loss.high,
        group: impact.source.rawValue)
    }
    guard !rows.isEmpty else { return nil }
    let single = overview.measured.filter { !$0.isPooled }
    let found = (single.isEmpty ? overview.measured : single).map {
      ImpactSection(impact: $0, names: overview.names).answer
    }
    // Increases together are sums of the others.
    let answers = ["yes", "no", "not proven", "cannot be said"].compactMap { answer -> String? in
      let count = found.count { $0 == answer }
      return count == 0 ? nil : "\(answer) for \(count)"
    }
    let count = overview.measuredCount
    let increases = single.isEmpty ? "Price increases together" : counted(count, "price increase")
    let estimates =
      single.isEmpty || single.count == count ? "" : ", \(single.count) estimates by source"
    let sentence =
      "\(increases)\(estimates). Was it the increase: \(answers.joined(separator: ", ")). Right of the line at 0 renewals were lost; left of it there were more than elsewhere."
    return frame.figure(
      "increases", "Lost renewals of each increase", sentence,
      ForestPlot(
        rows: rows, format: .percent, isSigned: true, axisTitle: "lost renewals", width: width),
      values)
  }

  /// Returns the renewals of a price by month around its increase, beside those of the control.
  ///
  /// - Parameters:
  ///   - id: The id on the page.
  ///   - impact: The increase.
  ///   - values: The rows of `price_impact-months` about it.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure; `nil` without a month.
  static func increase(
    _ id: String, _ impact: PriceImpact, _ values: ReportTable, _ frame: FigureFrame
  ) -> Figure? {
    let all = (impact.treatedMonths + impact.controlMonths).map(\.month)
    guard let first = all.min(), let last = all.max() else { return nil }
    let months = Array(first...last)
    let points = { (found: [ImpactMonth]) in
      months.map { month -> LinePoint? in
        guard let own = found.first(where: { $0.month == month }), own.due > 0 else { return nil }
        return LinePoint(
          Double(own.renewed) / Double(own.due), low: own.interval?.low, high: own.interval?.high,
          text: NumberStyle.percentage(Int128(own.renewed), over: Int128(own.due)))
      }
    }
    var series = [LineSeries(name: "this price", points: points(impact.treatedMonths))]
    if !impact.controlMonths.isEmpty {
      series.append(LineSeries(name: "no change", points: points(impact.controlMonths)))
    }
    let marks = months.firstIndex(of: 0).map { [EventMark(index: $0, label: "increase")] } ?? []
    let control =
      impact.controlMonths.isEmpty
      ? "There is nothing to compare them with." : "Beside it, those who met no change."
    return frame.figure(
      id, "Renewals by months of 30 days around the increase",
      "The renewal rate of this price, with its interval; month 0 begins with the increase, and from then on it is of old and new customers: the loss is measured otherwise. \(control)",
      LineChart(
        labels: months.map { String($0) }, series: series, marks: marks, format: .percent,
        width: width), values)
  }

  /// Returns what those did who came to the renewal, as one bar.
  static func outcomes(_ id: String, _ section: ImpactSection, _ frame: FigureFrame) -> Figure {
    let table = section.outcomeTable
    let rows = table.namedRows.map { row in
      (name: row.text("what they did"), count: row["subscriptions"] ?? 0)
    }
    let list = rows.map { "\(NumberStyle.grouped($0.count)) \($0.name)" }
    return frame.figure(
      id, "What they did", list.joined(separator: ", ") + ".",
      ShareBar(
        parts: rows.map { SharePart(name: $0.name, value: Double($0.count)) }, width: width), table)
  }

  /// Returns the proceeds without the increase, what changed them, and the proceeds with it.
  ///
  /// - Parameters:
  ///   - id: The id on the page.
  ///   - money: The amounts.
  ///   - section: The section on the increase.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure.
  static func money(
    _ id: String, _ money: ImpactMoney, _ section: ImpactSection, _ frame: FigureFrame
  ) -> Figure {
    let currency = section.names.text(money.currency)
    let steps: [(name: String, column: String, amount: Int128)] = [
      ("higher prices", "price_effect", money.priceEffect),
      ("lost renewals", "volume_effect", money.volumeEffect),
      ("other products", "mix_effect", money.mixEffect),
      ("another share of Apple", "share_effect", money.shareEffect),
    ]
    let text = { (amount: Int128) in ImpactSection.amount(amount, currency: currency) }
    let size = { (amount: Int128) in Double(amount) / 1_000 }
    var rows = [
      WaterfallRow.total(
        "without the increase", size(money.counterfactual), text: text(money.counterfactual))
    ]
    rows += steps.filter { $0.amount != 0 }.map {
      WaterfallRow.step($0.name, size($0.amount), text: text($0.amount))
    }
    rows.append(.total("received", size(money.actual), text: text(money.actual)))
    let cells =
      [("proceeds_counterfactual", money.counterfactual)] + steps.map { ($0.column, $0.amount) }
      + [("proceeds_actual", money.actual), ("net_effect", money.netEffect)]
    let values = ReportTable(
      name: PriceTable.impact.rawValue, dimensions: [],
      columns: [.init("line", .key), .init("amount", .money), .init("currency", .key)],
      rows: cells.map {
        [
          .text($0.0), .money(milliunits: ImpactSection.rounded($0.1, currency: currency)),
          .text(currency),
        ]
      })
    let made = section.isCauseShown ? "the increase itself made" : "if it was the increase, it made"
    return frame.figure(
      id, "Proceeds at that renewal, \(currency)",
      "Without the increase \(text(money.counterfactual)), with it \(text(money.actual)); \(made) \(text(money.netEffect)).",
      WaterfallChart(
        rows: rows, format: .amount(decimals: NumberStyle.decimals(of: currency)),
        startsAtZero: false, axisTitle: currency, width: width), values)
  }
}
