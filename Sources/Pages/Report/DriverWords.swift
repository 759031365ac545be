import Storage
package import SubscriptionModel
package import Tables

/// The parts of changes that stand out, in one sentence.
package enum DriverWords {
  /// Returns the largest parts of a rate's change that chance seldom makes: PAGE.md, "Drivers".
  ///
  /// - Parameters:
  ///   - drivers: The contributions to the changes of one month.
  ///   - dimensions: What the changes are split by.
  ///   - months: How months are written.
  /// - Returns: Such as `Churn rate: biggest driver Plus Monthly, 4.2 of the 7.0 points (19.2%, 7.1% in August); by country
  ///   US, 3.8 points.` or `No product or country stands out.`; blank without a rate or a dimension.
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
