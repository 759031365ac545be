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

  /// The names of the columns.
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
