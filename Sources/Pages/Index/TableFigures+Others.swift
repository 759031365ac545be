import Pipeline
import Rendering
import Settlement
package import SubscriptionModel
package import Tables

extension TableFigures {
  /// Creates the figures of drivers: each change by each dimension.
  ///
  /// - Parameters:
  ///   - drivers: The contributions to the changes of one month or of several.
  ///   - dimensions: What the changes are split by.
  ///   - months: How months are written.
  /// - Returns: The figures, in the order of `drivers.csv`.
  package static func of(
    _ drivers: [Drivers], by dimensions: [Dimension], _ months: MonthSystem
  ) -> TableFigures {
    let figures = drivers.flatMap { ofMonth in
      let sources = Set(ofMonth.rows.map(\.source))
      return ofMonth.rows.filter { $0.dimension == nil }.flatMap { whole in
        dimensions.compactMap { dimension -> Figure? in
          guard let parts = DriverParts(of: whole, by: dimension, ofMonth) else { return nil }
          let names = [
            whole.headline.rawValue, whole.currency, dimension.rawValue,
            drivers.count > 1 ? months.name(ofMonth.month) : nil,
            sources.count > 1 ? whole.source.rawValue : nil,
          ]
          let currency = whole.currency.isEmpty ? "" : ", " + whole.currency
          let later = drivers.count > 1 ? " of \(ofMonth.month.longName(months))" : ""
          let source = sources.count > 1 ? " (\(whole.source.rawValue))" : ""
          return Figure(
            id: (["drivers"] + names.compactMap(\.self)).joined(separator: "-"),
            title:
              "\(whole.headline.label)\(currency)\(later) since \(whole.against.longName(months)), by \(dimension.words)\(source)",
            sentence: parts.sentence(of: whole), chart: parts.chart(of: whole),
            values: parts.values)
        }
      }
    }
    return TableFigures(figures: figures)
  }

  /// Creates the figure of `price_impact`: the lost renewals of each row with their interval.
  ///
  /// - Parameters:
  ///   - table: A view of `price_impact`.
  ///   - months: How months are written.
  /// - Returns: The figure; none for another table.
  package static func ofIncreases(_ table: ReportTable, _ months: MonthSystem) -> TableFigures {
    let frame = FigureFrame(months: months)
    return TableFigures(figures: [Figures.increases(table, frame)].compactMap { $0 })
  }

  /// Creates the figures of bridges: the way from sales to the amount owed.
  ///
  /// - Parameter finance: The bridges; those of the shown periods have a figure, the newest first.
  /// - Returns: At most six figures.
  package static func of(_ finance: FinanceReport) -> TableFigures {
    let frame = FigureFrame(months: .fiscal)
    let bridges = finance.periods.filter(finance.isShown).reversed().flatMap { period in
      finance.reconciliation.bridges.filter { $0.period == period }
    }
    let figures = bridges.lazy.compactMap { Figures.bridge($0, finance.names, frame) }
    return TableFigures(figures: Array(figures.prefix(6)))
  }
}
