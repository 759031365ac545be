import Pipeline
import Rendering
import Storage
package import SubscriptionModel
package import Tables

/// What changed the headline numbers: their parts by product, country and other dimensions.
extension HeadlineWords {
  /// The number of contributions in a cell of the table.
  static let shownParts = 3

  /// What changed the numbers since the month before.
  var lastDrivers: [Driver] { drivers.filter { $0.against == month - 1 } }

  /// The sum of the parts of active subscriptions where it is another number than the net change; `nil` otherwise.
  ///
  /// Snapshots count active subscriptions (`close_observed` and `open` of movement). The parts are changes of `close`,
  /// which is added up from events.
  var otherTotal: ReportTable.Cell? {
    guard let change = values.first(where: { $0.headline == .netChange })?.value,
      let whole = lastDrivers.first(where: { $0.headline == .active && $0.dimension == nil })?
        .total,
      whole != change
    else { return nil }
    return whole
  }

  /// Returns why the parts of active subscriptions add up to another change than that of the headline number.
  ///
  /// The number is `close_observed` of movement, a count of Apple's. The parts are changes of `close`: the count at the
  /// month's beginning and what events report since then.
  ///
  /// - Parameter whole: The change whose parts are shown.
  /// - Returns: One sentence in Markdown; blank where both are equal, and for other numbers.
  package func differenceFromHeadline(_ whole: Driver) -> String {
    guard whole.headline == .active,
      let active = values.first(where: { $0.headline == .active && $0.source == whole.source })
    else { return "" }
    let earlier = [active.before, active.yearBefore].first { $0.month == whole.against }
    var change = earlier.map { active.value.change(since: $0.today) } ?? .missing
    if change == .missing, whole.against == month - 1 {
      change = values.first { $0.headline == .netChange }?.value ?? .missing
    }
    guard change != .missing else { return "" }
    guard change != whole.total else { return otherParts(than: whole) }
    let isOther = whole.against == month - 1 && observedParts?.isEmpty == false
    let parts = isOther ? " So a part can differ from the one in the first sentence." : ""
    return
      "The parts of active subscriptions add up to \(HeadlineFigures.signed(whole.total)) and not to the \(HeadlineFigures.signed(change)) of the headline number: they compare what each month's events lead to (`close` of movement), and the headline number is Apple's own count (`close_observed`), which also has changes that no event reports.\(parts)"
  }

  /// Returns a sentence where the parts differ from those of the first sentence although both add up to the same.
  private func otherParts(than whole: Driver) -> String {
    guard whole.against == month - 1, let observed = observedParts else { return "" }
    let drivers = lastDrivers.filter { $0.headline == .active && $0.against == whole.against }
    let isOther = observed.contains { part in
      drivers.contains { $0.value.isSame(as: part.name) && $0.total != .count(part.change) }
    }
    guard isOther else { return "" }
    return
      "The parts of active subscriptions can differ from those in the first sentence: they compare what each month's events lead to (`close` of movement), and the first sentence has Apple's own count (`close_observed`)."
  }

  /// The sentence of ``differenceFromHeadline(_:)`` for the month before, with a blank before it; blank without one.
  var unexplained: String {
    let whole = lastDrivers.first { $0.headline == .active && $0.dimension == nil }
    let text = whole.map(differenceFromHeadline) ?? ""
    return text.isEmpty ? "" : " " + text
  }

  /// Returns what changed the numbers since the month before, as a table in Markdown.
  ///
  /// Refunds are left out: few charges are refunded so early, and their drivers say little.
  ///
  /// - Parameters:
  ///   - dimensions: What the changes are split by.
  ///   - count: The number of currencies to show.
  /// - Returns: The table; `nil` when nothing can be compared.
  func driverTable(by dimensions: [Dimension], currencies count: Int) -> String? {
    let rows = splitChanges(count, by: dimensions).flatMap { whole -> [[ReportTable.Cell]] in
      var label = whole.headline.label + (whole.currency.isEmpty ? "" : ", " + whole.currency)
      var change = HeadlineFigures.worded(whole.total, currency: whole.currency)
      return dimensions.compactMap { dimension in
        let parts = contributions(whole.headline, by: dimension, whole.currency)
        guard !parts.isEmpty, !Self.saysNothing(parts, dimension) else { return nil }
        let shown = parts.prefix(Self.shownParts).map {
          Self.text($0) { $0 } + ($0.isMaybeChance ? "?" : "")
        }
        let more = parts.count - shown.count
        let text = shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        // A number's name and change stand once.
        defer { (label, change) = ("", "") }
        return [.text(label), .text(change), .text(dimension.words), .text(text)]
      }
    }
    guard !rows.isEmpty else { return nil }
    let table = ReportTable(
      name: "drivers", dimensions: [],
      columns: [
        .init("number", .text), .init("change", .rate), .init("by", .text),
        .init("largest parts", .text),
      ], rows: rows)
    return TableRenderer(.md).text(of: table)
  }

  /// Returns the changes since the month before whose parts are shown, in the order of the table.
  ///
  /// - Parameters:
  ///   - count: The number of currencies to show.
  ///   - dimensions: What the changes are split by.
  /// - Returns: The changes of the whole.
  func splitChanges(_ count: Int, by dimensions: [Dimension]) -> [Driver] {
    let currencies = [""] + splitCurrencies(count, by: dimensions, since: month - 1)
    let ofValues = lastDrivers.filter { whole in
      whole.dimension == nil && whole.headline != .refundRate
        && values.contains { $0.headline == whole.headline && $0.currency == whole.currency }
    }
    return currencies.flatMap { code in
      ofValues.filter { $0.currency == code && isSplit($0, by: dimensions) }
    }
  }

  /// Returns the currencies whose change is split: of those with the most charges, those that changed most for their size.
  ///
  /// - Parameters:
  ///   - count: The number of currencies.
  ///   - dimensions: What the changes are split by. A currency that none of them splits is passed over.
  ///   - earlier: The month compared with.
  /// - Returns: The currencies, the one with the largest change first.
  package func splitCurrencies(
    _ count: Int, by dimensions: [Dimension], since earlier: Month
  ) -> [String] {
    let known = currencies.compactMap { code -> (code: String, size: Double)? in
      let whole = drivers.first {
        $0.headline == .netProceeds && $0.dimension == nil && $0.currency == code
          && $0.against == earlier
      }
      guard let whole, isSplit(whole, by: dimensions), case .money(let change) = whole.total
      else { return nil }
      guard case .money(let before) = whole.cell("before"), before != 0 else {
        return (code, .infinity)
      }
      return (code, Double(change.magnitude) / Double(before.magnitude))
    }
    // Of equal ones, those with more charges are first.
    let order = known.indices.sorted { (known[$1].size, $0) < (known[$0].size, $1) }
    return order.prefix(count).map { known[$0].code }
  }

  /// Returns the currencies whose change is not split, such as `, also of net proceeds in 3 more currencies`; blank when
  /// all are.
  ///
  /// - Parameters:
  ///   - shown: The currencies whose change is split.
  ///   - earlier: The month compared with.
  /// - Returns: The words.
  package func currenciesNotSplit(_ shown: [String], since earlier: Month) -> String {
    let all = drivers.filter {
      $0.headline == .netProceeds && $0.dimension == nil && $0.against == earlier
    }.map(\.currency).unique
    let rest = all.count { !shown.contains($0) }
    guard rest > 0, all != [""] else { return "" }
    let more = rest < all.count ? "more " : ""
    return
      ", also of net proceeds in \(NumberStyle.grouped(rest)) \(more)\(rest == 1 ? "currency" : "currencies")"
  }

  /// Of how many subscriptions receipts do not state the country, such as ` The receipts do not state the country of 285
  /// of the 298 subscriptions active before August 2026.`; blank for other sources, where all are stated, and where
  /// no change is split by country.
  ///
  /// - Parameter dimensions: What the changes are split by.
  /// - Returns: The sentence, with a blank before it.
  package func countriesNotStated(splitBy dimensions: [Dimension]) -> String {
    guard dimensions.contains(.country),
      let churn = values.first(where: { $0.headline == .churnRate && $0.source == .receipts }),
      let all = row(of: .churn, churn.source, month)?["active_start"],
      let view = tables[.churn]?.first(where: { $0.dimensions == [Dimension.country.rawValue] }),
      let unknown = view.namedRows.first(where: {
        $0.source == churn.source.rawValue && $0.text("country").isEmpty
          && $0.text("month") == result.plan.monthSystem.name(month)
      })?["active_start"], unknown > 0
    else { return "" }
    let ofThem = unknown == all ? "" : "\(NumberStyle.grouped(unknown)) of "
    return
      " The receipts do not state the country of \(ofThem)the \(counted(all, "subscription")) active before \(name(month))."
  }

  /// Returns whether any dimension has parts that say more than the change itself.
  private func isSplit(_ whole: Driver, by dimensions: [Dimension]) -> Bool {
    dimensions.contains { dimension in
      let parts = drivers.filter {
        $0.headline == whole.headline && $0.dimension == dimension
          && $0.currency == whole.currency && $0.against == whole.against && !$0.isNone
      }
      return !parts.isEmpty && !Self.saysNothing(parts, dimension)
    }
  }

  /// Returns whether parts only repeat the change: the one country of a currency.
  package static func saysNothing(_ parts: [Driver], _ dimension: Dimension) -> Bool {
    dimension == .country && parts.count == 1 && parts[0].headline == .netProceeds
  }

  /// Whether the changes since the year before are known too.
  var isComparedWithYearBefore: Bool { drivers.contains { $0.against == month - 12 } }

  /// Returns which of some changes are not tested for chance, as a sentence with a blank before it; blank for none.
  ///
  /// - Parameter changes: The changes whose parts are shown.
  /// - Returns: Such as: Amounts of money are not tested for chance.
  package static func notTested(_ changes: [Driver]) -> String {
    let kinds = [
      changes.contains { $0.headline == .netProceeds } ? "amounts of money" : nil,
      changes.contains { $0.headline == .active } ? "numbers of subscriptions" : nil,
    ].compactMap { $0 }
    return kinds.isEmpty
      ? "" : " \(kinds.joined(separator: " and ").capitalizedFirst) are not tested for chance."
  }

  /// Returns what each value of a dimension adds to the change since the month before, the largest first.
  func contributions(
    _ headline: Headline, by dimension: Dimension, _ currency: String = ""
  ) -> [Driver] {
    lastDrivers.filter {
      $0.headline == headline && $0.dimension == dimension && $0.currency == currency
        && !$0.isNone
    }
  }

  /// Returns a contribution in words, such as `Pro Monthly +5`.
  static func text(_ driver: Driver, _ escaped: (String) -> String) -> String {
    "\(escaped(driver.shownValue)) \(HeadlineFigures.signed(driver.total, currency: driver.currency))"
  }

  /// Returns the parts of a change of churn that chance seldom makes, by product and by country.
  ///
  /// Each part is tested by itself, at 95 %, so of many parts some stand out by chance. Where chance explains the whole
  /// change, no part is needed to explain it, and none is named. A part without a value is no cause; where most are
  /// without one, the sentence says so.
  ///
  /// - Parameters:
  ///   - churn: The churn rate.
  ///   - escaped: Makes words of the data safe for the page.
  /// - Returns: Such as `Parts that raised it by more than chance, in points (one in twenty is so by chance): by product
  ///   Plus Monthly +4.19; by country US +3.85`, without a full stop; `nil` without a part to name.
  func churnParts(_ churn: HeadlineValue, _ escaped: (String) -> String) -> String? {
    guard let difference = churn.before.difference, !difference.spansZero else { return nil }
    var texts: [String] = []
    var unknown: [String] = []
    for dimension in [Dimension.product, .country] {
      if let share = withoutValue(.churnRate, dimension) {
        unknown.append("the \(dimension.words) is unknown for \(share)")
      }
      let named = contributions(.churnRate, by: dimension).filter { part in
        part.isNamed && !part.isMaybeChance && part.hasSign(of: difference.value)
      }
      guard !named.isEmpty else { continue }
      let parts = named.prefix(2).map { Self.text($0, escaped) }
      texts.append("by \(dimension.words) \(parts.joined(separator: ", "))")
    }
    guard !texts.isEmpty else { return nil }
    let verb = difference.value > 0 ? "raised" : "lowered"
    return
      "Parts that \(verb) it by more than chance, in points (one in twenty is so by chance): \((texts + unknown).joined(separator: "; "))"
  }

  /// Returns of how many a rate counts without a value of a dimension, such as `285 of 298`; `nil` for the smaller part.
  private func withoutValue(_ headline: Headline, _ dimension: Dimension) -> String? {
    let part = lastDrivers.first {
      $0.headline == headline && $0.dimension == dimension && $0.value.isEmpty
    }
    guard let counts = part?.counts else { return nil }
    let (own, whole) = (counts.own.after.denominator, counts.whole.after.denominator)
    guard 2 * own > whole else { return nil }
    return "\(NumberStyle.grouped(own)) of \(NumberStyle.grouped(whole))"
  }
}

extension Driver {
  /// Whether the part is that of a product or country, and not an unknown one or the rest outside the view.
  var isNamed: Bool { !value.isEmpty && value != HeadlineMaker.notInView }

  /// Returns whether a rate's part changes it in the same direction as a number.
  fileprivate func hasSign(of change: Double) -> Bool {
    guard case .ratio(let numerator, _) = total else { return false }
    return (numerator > 0) == (change > 0)
  }
}
