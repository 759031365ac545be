/// The columns that a world's ``PlanOptions`` add to the reports, after all others.
struct PlanColumns {
  private let hasContingentApp: Bool
  private let hasPlan: Bool
  private let hasCommitments: Bool

  /// The app of another publisher that makes prices lower.
  static let contingentApp = "Meadow Weather"

  init(_ options: PlanOptions) {
    hasContingentApp = options.contingent != .none
    hasPlan = options.hasPlanColumns
    hasCommitments = options.commitments != .none
  }

  /// Their names.
  var names: [String] {
    (hasContingentApp ? ["Contingent App Name"] : [])
      + (hasPlan ? ["Billing Plan", "Billing Period"] : [])
  }

  /// The part of a file's name that says the version of a report about subscriptions.
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

  /// Appends the fields of a row that is about no subscription.
  func appendBlanks(to text: inout ByteText) {
    for _ in names { text.append("\t ") }
  }

  private static func ordinal(_ number: Int) -> String {
    switch number {
    case 1: "1st"
    case 2: "2nd"
    case 3: "3rd"
    default: "\(number)th"
    }
  }

  // MARK: Aggregated rows

  /// How many sorts of rows there are that differ by price or by these columns only.
  var sortCount: Int {
    guard hasContingentApp || hasCommitments else { return 1 }
    return 3 + (hasPlan ? CommitmentRecord.length : 0)
  }

  /// Returns the sort of a row: 0 for the usual ones, 1 for contingent ones, then instalments, which
  /// differ by their place only where there is a column for it.
  func sort(_ terms: ChargeTerms) -> Int {
    if terms.isContingent { return 1 }
    guard terms.instalment > 0 else { return 0 }
    return hasPlan ? 2 + Int(terms.instalment) : 2
  }

  /// Sets what a sort says of a row's terms.
  func set(sort: Int, of terms: inout ChargeTerms) {
    terms.isContingent = sort == 1
    terms.instalment = sort < 2 ? 0 : hasPlan ? UInt8(sort - 2) : 1
  }
}
