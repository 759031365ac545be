public import SubscriptionModel

/// Everything one source has counted: one tally a view, and what concerns the source as a whole.
public struct Tally: Sendable {
  /// The source.
  public let source: Source
  /// What a month is.
  public let monthSystem: MonthSystem
  /// One tally a view, in the order the views were asked for.
  public var views: [ViewTally]
  /// The views whose dimensions the source can supply; the others stay empty.
  let suppliedViews: [Int]
  /// Months in which a lapse ended close to a missing day, so that it may be none.
  public var doubtfulMonths: Set<Month> = []
  /// Months for whose first day a snapshot of the day before was read.
  public var snapshotMonths: Set<Month> = []
  /// Quantities of events whose name no rule knows, by name.
  public var unknownEvents: [Symbol: Int] = [:]
  /// The month of the earliest paid charge.
  public var firstPaidMonth: Month?
  /// When each standard price was charged; `nil` when nobody looks for changes of prices.
  public var prices: PriceTally?
  /// The day of the earliest charge of receipts, paid or free; `nil` for other sources.
  public private(set) var firstChargeDay: Day?

  /// Creates an empty tally.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - views: The dimensions of each view.
  ///   - filter: Which rows count at all.
  ///   - months: The first and last month that can hold facts.
  ///   - monthSystem: What a month is.
  public init(
    source: Source, views: [[Dimension]], filter: Filter, months: ClosedRange<Month>,
    monthSystem: MonthSystem = .calendar
  ) {
    self.source = source
    self.monthSystem = monthSystem
    suppliedViews = views.indices.filter { source.dimensions.isSuperset(of: views[$0]) }
    self.views = views.map { ViewTally(dimensions: $0, filter: filter, months: months) }
  }

  /// Adds everything another tally of the same source and views has counted.
  ///
  /// - Parameter other: The tally of another part of the input.
  public mutating func merge(_ other: Tally) {
    precondition(
      source == other.source && views.count == other.views.count, "same source and views")
    for index in views.indices { views[index].merge(other.views[index]) }
    doubtfulMonths.formUnion(other.doubtfulMonths)
    snapshotMonths.formUnion(other.snapshotMonths)
    unknownEvents.merge(other.unknownEvents, uniquingKeysWith: +)
    if let otherPrices = other.prices { prices?.merge(otherPrices) }
    notePaidCharge(in: other.firstPaidMonth)
    noteCharge(on: other.firstChargeDay)
  }

  /// Moves the month of the earliest paid charge, when this one is earlier.
  ///
  /// - Parameter month: The month of a paid charge.
  public mutating func notePaidCharge(in month: Month?) {
    guard let month else { return }
    firstPaidMonth = min(firstPaidMonth ?? month, month)
  }

  /// Moves the day of the earliest charge, when this one is earlier.
  ///
  /// - Parameter day: The day of a charge.
  mutating func noteCharge(on day: Day?) {
    guard let day else { return }
    firstChargeDay = min(firstChargeDay ?? day, day)
  }
}
