import Storage
package import SubscriptionModel

/// Numbers the cohorts of a view from 0: the combinations of its dimensions' values.
///
/// A cohort has two parts. The row part depends on the terms and is looked up once per terms; the chain part depends
/// on the chain and is looked up once per chain. So a charge costs two array reads and a comparison.
package struct CohortIndex: Sendable {
  /// The view's dimensions; empty for the whole population.
  package let dimensions: [Dimension]
  /// The values of each cohort, one per dimension.
  package var cohorts: [[DimensionValue]] { numberedCohorts.values }

  private static let notLookedUp = Int32(-1)
  private static let filteredOut = Int32(-2)
  private let filter: Filter
  private var rowParts = NumberedValues<[DimensionValue?]>()
  private var rowPartOfTerms: [Int32] = []
  private var chainParts = NumberedValues<[DimensionValue?]>()
  private var chainPartOfNumber: [Int32] = []
  /// The cohort of each part, in views with only row or only chain dimensions; -1 if not yet numbered.
  private var cohortOfPart: [Int] = []
  /// The cohorts of each row part by chain part, in views with row and chain dimensions; -1 for none yet.
  private var cohortsOfRowPart: [[Int32]] = []
  private var numberedCohorts = NumberedValues<[DimensionValue]>()
  private let hasRowDimensions: Bool
  /// Whether the view has a chain dimension.
  let hasChainDimensions: Bool
  /// Whether the cohort in retention depends on the chain's first paid charge, not only on its first charge.
  let needsFirstPaidCharge: Bool
  private let hasStart: Bool
  private let hasOffer: Bool

  /// Creates the index of a view.
  package init(dimensions: [Dimension], filter: Filter) {
    self.dimensions = dimensions
    self.filter = filter
    hasChainDimensions = dimensions.contains(where: \.isOfChain)
    let ofFirstPaid: Set<Dimension> = [.plan, .contingent]
    needsFirstPaidCharge = !ofFirstPaid.isDisjoint(with: filter.dimensions.union(dimensions))
    hasOffer = dimensions.contains(.offer)
    hasStart = dimensions.contains { $0.isOfChain && $0 != .offer }
    hasRowDimensions = !filter.isEmpty || dimensions.contains { !$0.isOfChain }
  }

  /// Returns the chain's part of a cohort, 0 in views without chain dimensions.
  package mutating func chainPart(_ key: ChainKey) -> Int32 {
    guard hasChainDimensions else { return 0 }
    let number = Self.number(of: key, hasStart: hasStart, hasOffer: hasOffer)
    if number >= chainPartOfNumber.count {
      let known = chainPartOfNumber
      chainPartOfNumber = Array(
        repeating: Self.notLookedUp, count: max(number + 1, 2 * known.count))
      chainPartOfNumber.replaceSubrange(known.indices, with: known)
    }
    if chainPartOfNumber[number] == Self.notLookedUp {
      chainPartOfNumber[number] = findChainPart(key)
    }
    return chainPartOfNumber[number]
  }

  /// Returns the part of a new key; a function of its own, so that ``chainPart(_:)`` is inlined.
  @inline(never)
  private mutating func findChainPart(_ key: ChainKey) -> Int32 {
    Int32(chainParts.number(of: dimensions.map { key.value(of: $0) }))
  }

  /// Returns a small number that is the same for keys with equal values: an index into `chainPartOfNumber`.
  ///
  /// The method is static because an instance method would copy the index.
  private static func number(of key: ChainKey, hasStart: Bool, hasOffer: Bool) -> Int {
    let offerCount = Int(ChargeKind.offer.rawValue) + 2
    let offer = hasOffer ? key.offer.map { Int($0.rawValue) + 1 } ?? 0 : 0
    guard hasStart else { return offer }
    let start: Int =
      switch key.start {
      case .unknown: 0
      case .idReset: 1
      case .day(let day): 2 * max(0, day - firstDay) + 2
      // No two months have one number: a month has at most 31 days.
      case .before(let month): 2 * 31 * max(0, month - firstMonth) + 3
      }
    return start * offerCount + offer
  }

  /// 1 January 2008, before which no report has dates.
  ///
  /// A number, because a date would be computed at each use.
  private static var firstDay: Day { Day(number: 13_879) }
  private static var firstMonth: Month { Month(number: 2008 * 12) }

  /// Returns the cohort of a row, given the index of its terms; `nil` when a filter leaves the row out.
  package mutating func cohort(
    terms: Int, attributes: @autoclosure () -> Attributes, chainPart: Int32
  ) -> Int? {
    var rowPart: Int32 = 0
    if hasRowDimensions {
      if terms >= rowPartOfTerms.count {
        rowPartOfTerms.extend(
          to: max(terms + 1, 2 * rowPartOfTerms.count), with: Self.notLookedUp)
      }
      rowPart = rowPartOfTerms[terms]
      if rowPart == Self.notLookedUp {
        rowPart = findRowPart(attributes())
        rowPartOfTerms[terms] = rowPart
      }
      if rowPart == Self.filteredOut { return nil }
    }
    return cohort(rowPart: rowPart, chainPart: chainPart)
  }

  /// Returns the cohort of attributes without terms, such as a snapshot row's; `nil` when a filter excludes it.
  package mutating func cohort(attributes: Attributes, chainPart: Int32) -> Int? {
    let rowPart = hasRowDimensions ? findRowPart(attributes) : 0
    return rowPart == Self.filteredOut ? nil : cohort(rowPart: rowPart, chainPart: chainPart)
  }

  private mutating func findRowPart(_ attributes: Attributes) -> Int32 {
    guard filter.admits(attributes) else { return Self.filteredOut }
    return Int32(rowParts.number(of: dimensions.map { attributes.dimensionValue(of: $0) }))
  }

  private mutating func cohort(rowPart: Int32, chainPart: Int32) -> Int {
    guard hasRowDimensions && hasChainDimensions else {
      return cohort(ofOnlyPart: Int(hasRowDimensions ? rowPart : chainPart), rowPart, chainPart)
    }
    let (row, chain) = (Int(rowPart), Int(chainPart))
    if row < cohortsOfRowPart.count, chain < cohortsOfRowPart[row].count {
      let cohort = cohortsOfRowPart[row][chain]
      if cohort >= 0 { return Int(cohort) }
    }
    return addCohort(row: row, chain: chain)
  }

  /// Adds the cohort of a new pair of parts.
  @inline(never)
  private mutating func addCohort(row: Int, chain: Int) -> Int {
    cohortsOfRowPart.extend(to: row + 1, with: [])
    cohortsOfRowPart[row].extend(to: chain + 1, with: -1)
    let cohort = newCohort(Int32(row), Int32(chain))
    cohortsOfRowPart[row][chain] = Int32(cohort)
    return cohort
  }

  private mutating func cohort(ofOnlyPart part: Int, _ rowPart: Int32, _ chainPart: Int32) -> Int {
    cohortOfPart.extend(to: part + 1, with: -1)
    if cohortOfPart[part] < 0 { cohortOfPart[part] = newCohort(rowPart, chainPart) }
    return cohortOfPart[part]
  }

  private mutating func newCohort(_ rowPart: Int32, _ chainPart: Int32) -> Int {
    let values = dimensions.indices.map { position in
      (hasRowDimensions ? rowParts.values[Int(rowPart)][position] : nil)
        ?? (hasChainDimensions ? chainParts.values[Int(chainPart)][position] : nil) ?? .unknown
    }
    return cohort(of: values)
  }

  /// Returns the index of a cohort, adding it if new.
  package mutating func cohort(of values: [DimensionValue]) -> Int {
    numberedCohorts.number(of: values)
  }
}

extension Dimension {
  /// Whether the whole chain shares the value, rather than each row having its own.
  var isOfChain: Bool {
    switch self {
    case .offer, .startMonth, .startQuarter, .startWeek: true
    default: false
    }
  }
}

extension Attributes {
  /// Returns the value of a dimension of rows; `nil` for a dimension of chains.
  fileprivate func dimensionValue(of dimension: Dimension) -> DimensionValue? {
    switch dimension {
    case .product: .product(product)
    case .app: .app(app)
    default: value(of: dimension).map(DimensionValue.text)
    }
  }
}

/// Selects the rows that count: the options `--app`, `--group`, `--product` and `--country`.
///
/// Chains are built from all rows before the filter applies, so that a change to another product is a change and not
/// a lapse. A filtered number therefore equals the rows with these values in a view by these dimensions.
package struct Filter: Sendable {
  /// The dimensions that the filter tests; a source must supply them.
  package let dimensions: Set<Dimension>
  private let test: (@Sendable (Attributes) -> Bool)?

  /// Creates a filter that admits every row.
  package init() {
    dimensions = []
    test = nil
  }

  /// Creates a filter; `test` uses these dimensions, and is called once for each distinct set of attributes.
  package init(dimensions: Set<Dimension>, test: @escaping @Sendable (Attributes) -> Bool) {
    self.dimensions = dimensions
    self.test = test
  }

  /// Whether the filter admits every row.
  package var isEmpty: Bool { test == nil }

  /// Returns whether the filter admits a row.
  package func admits(_ attributes: Attributes) -> Bool { test?(attributes) ?? true }
}
