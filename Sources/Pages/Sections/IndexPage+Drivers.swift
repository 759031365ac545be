import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

extension IndexPage {
  /// The numbers whose changes are split, in this order.
  private static let splitHeadlines: [Headline] = [
    .active, .churnRate, .renewalRate, .conversionRate, .netProceeds,
  ]
  /// The currencies whose change is split.
  private static let splitCurrencies = 2
  /// The dimensions that have a picture; others have a table.
  private static let drawnDimensions: Set<Dimension> = [.product, .country]

  /// What changed the headline numbers since the month before, and, folded, since the year before.
  ///
  /// On the page of an app, the command that splits its changes: the report has no tables by app and another property.
  var driversSection: PageSection? {
    if content.app != nil { return content.headlines.map { driversOfApp($0.month) } }
    guard let drivers = content.drivers, tables.drivers != nil,
      let month = content.headlines?.month
    else { return nil }
    let wholes = wholes(drivers, against: month - 1)
    let ofYear = self.wholes(drivers, against: month - 12)
    return PageSection("drivers", "What changed the numbers") { page in
      guard !(wholes + ofYear).isEmpty else {
        let name = (month - 1).longName(months)
        page.element(
          .p, text: "Nothing is compared with \(name): a month is partial in every source.")
        return
      }
      page.paragraph(markdown: partsOfChange(wholes, ofYear, drivers), linking: files)
      for (place, whole) in wholes.enumerated() {
        // The command of a dimension prints the parts of all numbers.
        append(whole, drivers, hasCommand: place == 0, to: &page)
      }
      guard !ofYear.isEmpty else { return }
      page.folded("Since \((month - 12).longName(months))") { page in
        for whole in ofYear {
          page.paragraph(markdown: content.words?.differenceFromHeadline(whole) ?? "")
          for dimension in content.splitDimensions {
            appendTable(whole, dimension, drivers, to: &page)
          }
        }
      }
    }
  }

  /// Returns what the parts of changes are, and which of them are tested for chance.
  private func partsOfChange(
    _ wholes: [Driver], _ ofYear: [Driver], _ drivers: Drivers
  ) -> String {
    let tested = wholes.contains(where: \.headline.isRate) ? " Hollow bars may be chance." : ""
    let refunds = drivers.rows.contains { $0.headline == .refundRate } ? "Refunds and all" : "All"
    let others =
      wholes.first.flatMap { whole in
        content.words?.currenciesNotSplit(wholes.map(\.currency), since: whole.against)
      } ?? ""
    let countries = content.words?.countriesNotStated(splitBy: content.splitDimensions) ?? ""
    return
      "The parts of a number add up to its change.\(tested)\(HeadlineWords.notTested(wholes + ofYear))\(countries) \(refunds) parts\(others): `drivers.csv`."
  }

  private func driversOfApp(_ month: Month) -> PageSection {
    PageSection("drivers", "What changed the numbers") { page in
      page.element(
        .p,
        text:
          "This report splits changes for all apps together only. This command splits those of this app by product, country, offer and start month:"
      )
      page.element(.p, [.class: "origin"]) { page in
        page.element(
          .code, [.use: "copy"], text: command.line("drivers", "--month \(months.name(month))"))
      }
    }
  }

  /// Returns the changes of whole numbers since a month, money in the currencies that changed most.
  private func wholes(_ drivers: Drivers, against earlier: Month) -> [Driver] {
    let currencies = content.words?.splitCurrencies(
      Self.splitCurrencies, by: content.splitDimensions, since: earlier)
    let shown = [""] + (currencies ?? [])
    return Self.splitHeadlines.flatMap { headline in
      drivers.rows.filter {
        $0.dimension == nil && $0.headline == headline && $0.against == earlier
          && shown.contains($0.currency)
      }
    }
  }

  private func append(
    _ whole: Driver, _ drivers: Drivers, hasCommand: Bool, to page: inout HTMLWriter
  ) {
    page.paragraph(markdown: content.words?.differenceFromHeadline(whole) ?? "")
    // The page has room for one of each number; that of the other figure differs in the dimension and the value.
    var isExplained = false
    for dimension in content.splitDimensions where Self.drawnDimensions.contains(dimension) {
      guard let parts = DriverParts(of: whole, by: dimension, drivers),
        !HeadlineWords.saysNothing(parts.shown, dimension)
      else { continue }
      let explanation =
        isExplained ? nil : parts.shown.lazy.compactMap { content.explainCommand($0) }.first
      isExplained = isExplained || explanation != nil
      append(
        Figure(
          id: "drivers-\(whole.headline.rawValue)-\(whole.currency)-\(dimension.rawValue)",
          title: "\(change(of: whole)), by \(dimension.words)",
          sentence: parts.sentence(of: whole), chart: parts.chart(of: whole),
          values: parts.values, files: ["drivers.csv"].filter(files.contains),
          command: hasCommand ? driversCommand(whole, dimension) : nil,
          explanation: explanation
        ), to: &page)
    }
    let others = content.splitDimensions.filter { !Self.drawnDimensions.contains($0) }
    let known = others.filter { DriverParts(of: whole, by: $0, drivers) != nil }
    guard !known.isEmpty else { return }
    let words = known.map(\.words).joined(separator: " and ")
    page.folded("\(change(of: whole)), by \(words)") { page in
      for dimension in known { appendTable(whole, dimension, drivers, to: &page) }
    }
  }

  /// Returns the command of a figure; `nil` for converted money, which `drivers` does not print.
  private func driversCommand(_ whole: Driver, _ dimension: Dimension) -> String? {
    guard whole.currency.isEmpty || content.target == nil else { return nil }
    let month = months.name(whole.against + 1)
    return command.line("drivers", "--month \(month) --by \(dimension.rawValue)")
  }

  private func appendTable(
    _ whole: Driver, _ dimension: Dimension, _ drivers: Drivers, to page: inout HTMLWriter
  ) {
    guard let parts = DriverParts(of: whole, by: dimension, drivers),
      !HeadlineWords.saysNothing(parts.shown, dimension)
    else { return }
    HTMLTable(parts.values, caption: "\(change(of: whole)), by \(dimension.words)")
      .append(to: &page)
  }

  /// Returns a change in words, such as `Churn rate +6.99 points since August 2026`.
  private func change(of whole: Driver) -> String {
    let change = HeadlineFigures.worded(whole.total, currency: whole.currency)
    let hasCurrency = !whole.currency.isEmpty && change != HeadlineFigures.unchanged
    let number = change + (hasCurrency ? " \(whole.currency)" : "")
    return "\(whole.headline.label) \(number) since \(whole.against.longName(months))"
  }
}
