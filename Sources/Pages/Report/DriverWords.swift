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
  ///   US, 3.8 points.` or `No product or country stands out.`
  package static func sentence(
    _ drivers: Drivers, by dimensions: [Dimension], _ months: MonthSystem
  ) -> String {
    for whole in drivers.rows where whole.dimension == nil && whole.headline.isRate {
      let parts = dimensions.compactMap { dimension in
        drivers.rows.first { part in
          part.headline == whole.headline && part.source == whole.source
            && part.against == whole.against && part.dimension == dimension && part.isNamed
            && !part.isMaybeChance && (part.size > 0) == (whole.size > 0)
        }
      }
      guard let first = parts.first else { continue }
      let own = PageText.points(first.size).replacing(" points", with: "")
      let rates = [first.cell("after"), first.cell("before")].map(PageText.rate)
      let detail =
        rates.contains("")
        ? "" : " (\(rates[0]), \(rates[1]) in \(PageText.name(first.against, months)))"
      let others = parts.dropFirst().map { part in
        "; by \(part.dimension?.words ?? "") \(part.value), \(PageText.points(part.size))"
      }
      let by = first.dimension == .product ? "" : " by \(first.dimension?.words ?? "")"
      return
        "\(whole.headline.label): biggest driver\(by) \(first.value), \(own) of the \(PageText.points(whole.size))\(detail)\(others.joined())."
    }
    return "No \(dimensions.map(\.words).inWords("or")) stands out."
  }
}
