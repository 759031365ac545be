import Charts
import Rendering
import Storage
package import SubscriptionModel
package import Tables

/// What the values of one dimension add to the change of a headline number between two months.
struct DriverParts {
  /// The contributions that are shown, the largest first.
  let shown: [Driver]
  let restCount: Int
  /// Whether further values of the dimension did not change.
  private let hasUnchanged: Bool
  /// What the others add together; missing without any.
  let rest: ReportTable.Cell

  /// The contributions that stand alone.
  private static let mostShown = 5
  /// Takes the parts of a change; `nil` when it is not split so.
  init?(of whole: Driver, by split: DriverSplit, _ drivers: Drivers) {
    let isPart = { (row: Driver) in
      row.headline == whole.headline && row.source == whole.source && row.against == whole.against
        && row.currency == whole.currency && row.split == split
    }
    let places = drivers.rows.indices.filter { place in
      isPart(drivers.rows[place]) && !drivers.rows[place].isNone
    }
    guard !places.isEmpty else { return nil }
    hasUnchanged = drivers.rows.contains { isPart($0) && $0.isNone }
    // One more stands where the rest would be a single one.
    let limit = places.count == Self.mostShown + 1 ? places.count : Self.mostShown
    let first = places.prefix(limit)
    let others = places.dropFirst(limit).map { drivers.rows[$0] }
    shown = first.map { drivers.rows[$0] }
    restCount = others.count
    rest = Driver.sum(of: others)
  }

  /// Returns the name of the others: `the other 2`, or `the other 2 that changed` where further ones did not.
  private var restName: String { "the other \(restCount)\(hasUnchanged ? " that changed" : "")" }

  /// Returns the parts as steps from the earlier number to the later one; a part that may be chance is grey.
  func figure(_ caption: String, of whole: Driver, _ months: MonthSystem) -> SectionFigure? {
    let (before, after) = (whole.cell("before"), whole.cell("after"))
    guard let first = PageText.value(before), let last = PageText.value(after) else { return nil }
    let isGoodUp = whole.headline != .churnRate && whole.headline != .refundRate
    let stock = { (month: Month, cell: ReportTable.Cell, value: Double) in
      Waterfall.Row(
        PageText.long(month, months), .stock(), value,
        text: HeadlineFigures.text(cell, currency: whole.currency))
    }
    let step = { (name: String, total: ReportTable.Cell, isChance: Bool, isRest: Bool) in
      PageText.value(total).map { size in
        let text = HeadlineFigures.signed(total, currency: whole.currency)
          .replacing("-", with: "\u{2212}")
        return Waterfall.Row(
          name, isChance || isRest ? .unexplained : .change(isBetter: (size > 0) == isGoodUp), size,
          text: (isChance ? "≈ " : "") + text)
      }
    }
    let parts =
      shown.compactMap { step($0.shownWords, $0.total, $0.isMaybeChance, false) }
      + (restCount == 0 ? [] : [step(restName, rest, false, true)].compactMap(\.self))
    let isRate = whole.headline.isRate
    let legend: [LegendItem] = [
      .init(mark: "in", text: "better"), .init(mark: "out", text: "worse"),
      .init(mark: "unk", text: isRate ? "≈ may be chance, others" : "others"),
      .init(mark: "", text: isRate ? "parts in percentage points" : ""),
    ].filter { !$0.text.isEmpty }
    return SectionFigure(
      caption: caption, legend: legend,
      description: parts.map { "\($0.label) \($0.text)" }.joined(separator: ", ") + ".",
      picture: .chart(
        Waterfall([stock(whole.against, before, first)] + parts + [stock(whole.month, after, last)])
      ))
  }
}

/// The parts of changes that stand out, in one sentence.
package enum DriverWords {
  /// Returns the largest parts of a rate's change that chance seldom makes: PAGE.md, "Drivers".
  ///
  /// Such as `Churn rate: biggest driver Plus Monthly, 4.2 of the 7.0 points (19.2%, 7.1% in August); by country US,
  /// 3.8 points.` or `No product or country stands out.`; blank without a rate or a dimension.
  package static func sentence(
    _ drivers: Drivers, by dimensions: [Dimension], _ months: MonthSystem
  ) -> String {
    let rates = drivers.rows.filter { $0.split == nil && $0.headline.isRate }
    guard !rates.isEmpty, !dimensions.isEmpty else { return "" }
    for whole in rates {
      let parts = dimensions.compactMap { dimension in
        drivers.rows.first { part in
          part.headline == whole.headline && part.source == whole.source
            && part.against == whole.against && part.split == .of(dimension) && part.isNamed
            && !part.isMaybeChance && (part.size > 0) == (whole.size > 0)
        }
      }
      guard let first = parts.first else { continue }
      let (own, all) = (PageText.points(first.size), PageText.points(whole.size))
      // Other parts take back what one part adds beyond the whole.
      let size =
        abs(first.size) > abs(whole.size)
        ? "\(own), more than all \(all)" : "\(own.replacing(" points", with: "")) of the \(all)"
      let both = [first.cell("after"), first.cell("before")].map(PageText.rate)
      let detail =
        both.contains("")
        ? "" : " (\(both[0]), \(both[1]) in \(PageText.name(first.against, months)))"
      let others = parts.dropFirst().map { part in
        "; by \(part.split?.words ?? "") \(part.value), \(PageText.points(part.size))"
      }
      let by = first.split == .of(.product) ? "" : " by \(first.split?.words ?? "")"
      return
        "\(whole.headline.label): biggest driver\(by) \(first.value), \(size)\(detail)\(others.joined())."
    }
    return "No \(dimensions.map(\.words).inWords("or")) stands out."
  }
}
