/// The features that Apple began in 2025 and 2026: billing plans, contingent prices, local commissions.
///
/// A world without these features has the same bytes as before these options existed. Local commissions
/// depend on the storefront.
package struct PlanOptions: Sendable, Hashable {
  /// The share of new subscribers to yearly products who pay monthly instalments.
  package let commitments: Share
  /// The share of customers whose prices are lower because of another app's subscription.
  package let contingent: Share
  /// Whether reports have the columns `Billing Plan` and `Billing Period`.
  package let hasPlanColumns: Bool
  /// Whether the developer's share of a price depends on storefront and day.
  package let hasCommissions: Bool

  /// Creates the description of a world's plans.
  ///
  /// Instalments are sold from 2026-04-27 on, and not in the United States and Singapore.
  package init(
    commitments: Share = .none, contingent: Share = .none, hasPlanColumns: Bool = false,
    hasCommissions: Bool = false
  ) {
    self.commitments = commitments
    self.contingent = contingent
    self.hasPlanColumns = hasPlanColumns
    self.hasCommissions = hasCommissions
  }
}

/// A part of a whole, from 0 to 1.
package struct Share: Sendable, Hashable {
  /// Such as 400,000 for 0.4.
  package let millionths: Int

  package static let none = Share(millionths: 0)

  init(millionths: Int) { self.millionths = millionths }

  /// Reads a share such as `0.4`, from 0 to 1 with at most six decimals.
  ///
  /// `option` is the one that the text was given for, such as `--commitments`: the error names it.
  package init(_ text: String, of option: String) throws(SimulationError) {
    guard let value = Int(decimal: text, digits: 6), value <= 1_000_000 else {
      throw .impossibleShare(option: option, found: text)
    }
    millionths = value
  }

  /// Draws whether an event with this probability happens.
  func happens(_ random: inout SeededRandom) -> Bool {
    random.below(1_000_000) < millionths
  }
}

/// The columns that a world's ``PlanOptions`` append to the reports.
struct PlanColumns {
  private let hasContingentApp: Bool
  private let hasPlan: Bool
  private let hasCommitments: Bool

  /// Another publisher's app whose subscribers pay lower prices.
  static let contingentApp = "Meadow Weather"

  init(_ options: PlanOptions) {
    hasContingentApp = options.contingent != .none
    hasPlan = options.hasPlanColumns
    hasCommitments = options.commitments != .none
  }

  var names: [String] {
    (hasContingentApp ? ["Contingent App Name"] : [])
      + (hasPlan ? ["Billing Plan", "Billing Period"] : [])
  }

  /// The version in the file names of all reports but sales.
  var version: String { hasContingentApp ? "_V1_4" : "_V1_3" }

  /// Appends the fields of a row, each after a tab.
  func append(_ terms: ChargeTerms, isPaid: Bool, to text: inout ByteText) {
    if hasContingentApp {
      text.append(terms.isContingent ? "\t\(Self.contingentApp)" : "\t ")
    }
    guard hasPlan else { return }
    let isSoldByPlan = isPaid && Catalog.products[Int(terms.product)].term.months == 12
    switch terms.instalment {
    case 1...: text.append("\tMonthly\t\(Self.ordinal(Int(terms.instalment)))")
    case _ where isSoldByPlan: text.append("\tUpfront\t ")
    default: text.append("\t \t ")
    }
  }

  /// Appends blank fields to a row about something other than a subscription.
  func appendBlanks(to text: inout ByteText) {
    for _ in names { text.append("\t ") }
  }

  private static func ordinal(_ number: Int) -> String {
    number > 3 ? "\(number)th" : ["1st", "2nd", "3rd"][number - 1]
  }

  // MARK: Aggregated rows

  /// The number of variants: rows that differ only by price or by these columns.
  var variantCount: Int {
    guard hasContingentApp || hasCommitments else { return 1 }
    return 3 + (hasPlan ? CommitmentHistory.length : 0)
  }

  /// Returns the variant of a row: 0 for usual rows, 1 for contingent prices, from 2 on for instalments.
  ///
  /// Instalments have one variant for each position if there is a column for it, otherwise one in all.
  func variant(of terms: ChargeTerms) -> Int {
    if terms.isContingent { return 1 }
    guard terms.instalment > 0 else { return 0 }
    return hasPlan ? 2 + Int(terms.instalment) : 2
  }

  /// Sets the fields of a row's terms that its variant stands for.
  func set(variant: Int, of terms: inout ChargeTerms) {
    terms.isContingent = variant == 1
    terms.instalment = variant < 2 ? 0 : hasPlan ? UInt8(variant - 2) : 1
  }
}

/// The developer's shares of a price without tax, by storefront and day.
///
/// Independent of the tool's table, so that tests find mistakes in it.
struct CommissionTable {
  /// The developer's share of a price, in per cent: in the first year, and after it.
  struct Shares {
    let standard: Int
    let afterOneYear: Int

    /// Apple's shares in all storefronts until 2025.
    static let usual = Shares(standard: 70, afterOneYear: 85)
    /// The new shares of some storefronts, from a day on.
    static let new = Shares(standard: 74, afterOneYear: 85)
  }

  /// The first day of the new shares, by storefront.
  private static let firstDays = [
    "JP": CalendarDay.number(year: 2025, month: 12, day: 18),
    "BR": CalendarDay.number(year: 2026, month: 6, day: 18),
    "DE": CalendarDay.number(year: 2026, month: 10, day: 1),
    "FR": CalendarDay.number(year: 2026, month: 10, day: 1),
  ]

  /// The first day on the timeline for each storefront, if it has new shares.
  private let firstDays: [Int?]

  init(timeline: Timeline) {
    firstDays = Catalog.storefronts.map { storefront in
      Self.firstDays[storefront.code].map { $0 - timeline.base }
    }
  }

  /// Returns the number of a storefront's shares on a day: 0 for ``Shares/usual``.
  func number(of storefront: UInt8, on day: Int) -> UInt8 {
    guard let firstDay = firstDays[Int(storefront)] else { return 0 }
    return firstDay <= day ? 1 : 0
  }
}
