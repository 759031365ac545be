import Counting
import Storage
import SubscriptionModel

/// The renewals of prices without a change, with which an increase is compared: METRICS.md section 6, "Comparison".
package struct ImpactControl: Sendable {
  /// The kind of control.
  package enum Kind: String, Sendable {
    /// Other storefronts of the same product.
    case storefronts
    /// Other products of the same duration in the same storefront.
    case products
  }

  /// The kind of control.
  package let kind: Kind
  /// The control's renewals.
  let group: RenewalGroup
  /// The groups that ``group`` adds up.
  let members: [RenewalGrid.GroupKey]

  /// The smallest number of due renewals for a comparison: of a control before and after the change, and of the
  /// reached.
  static let minimumDue = 30
  /// A control has no price change within this number of days before and after the change.
  static let quietDays = 120
}

/// Finds the control of an increase or of several pooled increases.
struct ControlFinder {
  private struct Storefront: Hashable {
    var product: ProductPlan
    var country: Symbol
  }

  private typealias Unit = (key: RenewalGrid.GroupKey, group: RenewalGroup)

  private let scope: ImpactScope
  /// For each distinct pair of dates, the renewals before and after these dates.
  private let units: [[Unit]]
  private let changeDays: [Storefront: [Day]]

  init(_ tally: ImpactTally, _ changes: [PriceChange]) {
    scope = tally.scope
    units = tally.scope.dates.indices.map { tally.renewals.units(dates: $0) }
    changeDays = changes.reduce(into: [:]) { days, change in
      guard change.kind != .glitch, change.kind != .atDataEdge else { return }
      let place = Storefront(product: change.key.productPlan, country: change.key.country)
      days[place, default: []].append(change.date)
    }
  }

  /// Returns the renewals of the prices that changed, each before and after its own change, and the groups that they
  /// add up.
  func treated(_ increases: [Int]) -> (group: RenewalGroup, members: [RenewalGrid.GroupKey]) {
    let units = increases.flatMap(own)
    return (sum(units.map(\.group)), units.map(\.key))
  }

  /// Returns the first control that is large enough, until the last end of a reached period; `nil` if none is.
  ///
  /// The increases, at least one, are all of one product, in order of their dates. For pooled ones, a storefront counts
  /// once, around the dates of the first increase; all are within 14 days.
  func control(of increases: [Int], until lastEnd: Day?) -> ImpactControl? {
    let changes = increases.map { scope.increases[$0] }
    let dates = changes.map(\.date)
    guard let first = increases.first, let firstDay = dates.min(), let lastDay = dates.max() else {
      return nil
    }
    let quietEnd = max(lastDay + ImpactControl.quietDays, lastEnd ?? lastDay)
    let quiet = (firstDay - ImpactControl.quietDays)...quietEnd
    let product = changes[0].key.productPlan
    let countries = Set(changes.map(\.key.country))
    let storefronts = units[scope.datesOfIncrease[first]].filter { unit in
      let key = unit.key.unit.key
      return key.productPlan == product && !countries.contains(key.country)
        && isQuiet(key, in: quiet)
    }
    if let control = control(.storefronts, storefronts) { return control }
    let products = increases.flatMap { increase in
      let terms = Set(own(increase).map(\.key.unit.term))
      return units[scope.datesOfIncrease[increase]].filter { unit in
        let key = unit.key.unit.key
        return key.productPlan != product
          && key.country == scope.increases[increase].key.country
          && terms.contains(unit.key.unit.term) && isQuiet(key, in: quiet)
      }
    }
    return control(.products, products)
  }

  private func own(_ increase: Int) -> [Unit] {
    units[scope.datesOfIncrease[increase]].filter {
      $0.key.unit.key == scope.increases[increase].key
    }
  }

  private func isQuiet(_ key: PriceKey, in days: ClosedRange<Day>) -> Bool {
    let place = Storefront(product: key.productPlan, country: key.country)
    return !(changeDays[place] ?? []).contains(where: days.contains)
  }

  private func sum(_ groups: [RenewalGroup]) -> RenewalGroup {
    groups.reduce(into: RenewalGroup(monthCount: scope.monthCount)) { $0.merge($1) }
  }

  private func control(_ kind: ImpactControl.Kind, _ units: [Unit]) -> ImpactControl? {
    let group = sum(units.map(\.group))
    let isLargeEnough = [group.before, group.after].allSatisfy { counts in
      counts.reduce(0) { $0 + $1.due } >= ImpactControl.minimumDue
    }
    return isLargeEnough
      ? ImpactControl(kind: kind, group: group, members: units.map(\.key)) : nil
  }
}
