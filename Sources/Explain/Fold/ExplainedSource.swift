import AppStoreReports
import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables

/// What a run has kept, to be folded again for `explain`: charges of Subscriber reports, or receipts.
protocol ExplainedSource: Sendable {
  associatedtype Customers: ExplainedCustomers
  /// Where rows are in their files.
  associatedtype Lines: Sendable

  /// Whether gaps are counted in hundredths of days.
  static var hasGapsInHundredths: Bool { get }

  var files: [RecognizedFile] { get }
  /// Selects the rows that count.
  var filter: Filter { get }
  /// The symbols and terms of the run.
  var registries: Registries { get }
  /// The number of parts into which its customers are divided; a thread takes one after the other.
  var partCount: Int { get }

  /// Returns the customers, for one thread.
  ///
  /// - Parameters:
  ///   - row: The row whose contributions are found.
  ///   - counted: What its columns count.
  ///   - named: Whether contributions keep the name of their customer.
  /// - Returns: The customers, before the first one.
  func customers(_ row: CountedRow, _ counted: Set<Counted>, named: Bool) -> Customers

  /// Finds the rows that lists of contributions name.
  ///
  /// - Parameters:
  ///   - shown: The contributions.
  ///   - naming: How subscriptions are named; `nil` for the place of their first row.
  ///   - jobs: The number of threads.
  /// - Returns: Where the rows are.
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func lines(
    of shown: some Sequence<Customers.Found>, _ naming: CustomerTable.Naming?, jobs: Int
  ) throws -> Lines

  /// Returns a row as `FILE:LINE`, with the path inside the row after a blank.
  func text(of row: Customers.Found.Row, _ lines: Lines) -> String

  /// Returns the name of a contribution's subscription.
  func name(
    of contribution: Customers.Found, _ lines: Lines, _ naming: CustomerTable.Naming?
  ) -> String

  /// Returns the description of a contribution's charge.
  func attributes(of contribution: Customers.Found) -> Attributes

  /// Returns the words about a contribution to a row of a month.
  func reason(of contribution: Customers.Found, _ names: Names, _ month: Month) -> Reason
}

/// A contribution of a source that is explained.
protocol ExplainedContribution: ListedContribution {
  associatedtype Row: Hashable
  /// The rows that it rests on, in the order of time.
  var evidence: [Row] { get }
  var counted: Counted { get }
  var key: ChainKey { get }
  /// Why the cell does not count it; `nil` if it counts.
  var leftOut: LeftOutRule? { get }
  /// The beginning and the end of its period.
  var startText: String? { get }
  var endText: String? { get }
}

extension ExplainedContribution {
  /// Whether it is of a run of the environment that the cell does not count.
  var isOfOtherEnvironment: Bool { leftOut == .otherEnvironment }
}

/// The customers of a source, one after the other, each with its chains and what a row counts of them.
protocol ExplainedCustomers: AnyObject {
  associatedtype Found: ExplainedContribution

  /// What the row counts of the current customer.
  var found: [CountedPeriod] { get }

  /// Takes the customers of a part.
  func load(part: Int)

  /// Goes to the next customer; returns `false` after the last one.
  func next() -> Bool

  /// Returns the contribution of a period or a refund of the current customer.
  ///
  /// - Parameters:
  ///   - found: The period or refund.
  ///   - rule: Why the row does not count it; `nil` if it counts.
  /// - Returns: The contribution.
  func contribution(_ found: CountedPeriod, leftOutBy rule: LeftOutRule?) -> Found

  /// Returns the periods and refunds of the current customer that a column leaves out.
  ///
  /// - Parameters:
  ///   - considered: Which of them belong to the row of the column; neither chains nor instalments.
  ///   - counted: What the column counts.
  /// - Returns: The periods and refunds, each with the reason.
  func leftOut(
    _ considered: Considered, _ counted: Set<Counted>
  ) -> [(found: CountedPeriod, rule: LeftOutRule)]

  /// Returns an instalment of the current customer, with the columns that count it.
  func instalment(_ item: CountedPeriod) -> InstalmentOfRow
}

extension ExplainedSource {
  /// Returns the contributions to the cells of a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - columns: What each of its columns counts.
  ///   - empty: An empty list for each column, with the order and the number of contributions to print.
  ///   - named: Whether contributions keep the name of their customer.
  ///   - rule: The rule by which another run leaves all of them out; `nil` if they count.
  ///   - jobs: The number of threads.
  /// - Returns: A list for each column.
  func contributions(
    to row: CountedRow, _ columns: [Set<Counted>],
    _ empty: [ContributionsOfCell<Customers.Found>], named: Bool,
    leftOutBy rule: LeftOutRule? = nil, jobs: Int
  ) -> [ContributionsOfCell<Customers.Found>] {
    let counted = columns.reduce(into: Set<Counted>()) { $0.formUnion($1) }
    let parts = Workers.run(
      count: partCount, jobs: jobs,
      makeState: { (customers: customers(row, counted, named: named), lists: empty) },
      work: { state, part in
        state.customers.load(part: part)
        while state.customers.next() {
          for one in state.customers.found {
            let contribution = state.customers.contribution(one, leftOutBy: rule)
            for (place, own) in columns.enumerated() where own.contains(one.counted) {
              state.lists[place].add(contribution)
            }
          }
        }
      }, finish: { $0.lists })
    return merged(parts, empty)
  }

  /// Returns what the cells of a row leave out: see ``contributions(to:_:_:named:leftOutBy:jobs:)``.
  func leftOut(
    of row: CountedRow, _ columns: [Set<Counted>],
    _ empty: [ContributionsOfCell<Customers.Found>], named: Bool, jobs: Int
  ) -> [ContributionsOfCell<Customers.Found>] {
    let parts = Workers.run(
      count: partCount, jobs: jobs,
      makeState: { LeftOutFold(row, columns, empty, self, named: named) },
      work: { fold, part in
        fold.customers.load(part: part)
        fold.addCustomers()
      }, finish: { $0.lists })
    return merged(parts, empty)
  }

  /// Returns the contributions to the rows of a pass.
  ///
  /// - Parameters:
  ///   - pass: The rows.
  ///   - named: Whether contributions keep the name of their customer.
  ///   - jobs: The number of threads.
  /// - Returns: A list for each row, in the order of explanations.
  func contributions(
    to pass: EvidencePass, named: Bool, jobs: Int
  ) -> [[Customers.Found]] {
    var parts = Workers.run(
      count: partCount, jobs: jobs,
      makeState: {
        (
          customers: customers(pass.row, pass.counted, named: named),
          found: pass.rows.map { _ in [Customers.Found]() }
        )
      },
      work: { state, part in
        state.customers.load(part: part)
        while state.customers.next() {
          for one in state.customers.found {
            guard let place = pass.place(of: one) else { continue }
            state.found[place].append(state.customers.contribution(one, leftOutBy: nil))
          }
        }
      }, finish: { $0.found })
    var all = parts.popLast() ?? pass.rows.map { _ in [] }
    // Free each part before the next is added.
    while let part = parts.popLast() {
      for (place, list) in part.enumerated() { all[place] += list }
    }
    for place in all.indices { all[place].sort(by: Customers.Found.precedes) }
    return all
  }

  private func merged(
    _ parts: [[ContributionsOfCell<Customers.Found>]],
    _ empty: [ContributionsOfCell<Customers.Found>]
  ) -> [ContributionsOfCell<Customers.Found>] {
    var merged = empty
    for part in parts { for (place, list) in part.enumerated() { merged[place].merge(list) } }
    return merged
  }
}

/// Collects the periods and refunds of a row that its cells do not count, on one thread.
struct LeftOutFold<Customers: ExplainedCustomers> {
  let customers: Customers
  private(set) var lists: [ContributionsOfCell<Customers.Found>]
  private let empty: [ContributionsOfCell<Customers.Found>]
  private let columns: [(counted: Set<Counted>, considered: Considered?)]

  init<Source: ExplainedSource>(
    _ row: CountedRow, _ columns: [Set<Counted>],
    _ empty: [ContributionsOfCell<Customers.Found>], _ source: Source, named: Bool
  ) where Source.Customers == Customers {
    self.columns = columns.map { ($0, Considered($0)) }
    let kinds = self.columns.reduce(into: Set<Counted>()) {
      $0.formUnion($1.counted)
      $0.formUnion($1.considered?.related ?? [])
    }
    customers = source.customers(row, kinds, named: named)
    (lists, self.empty) = (empty, empty)
  }

  /// Returns the lists so far, and goes on with empty ones.
  mutating func takeLists() -> [ContributionsOfCell<Customers.Found>] {
    defer { lists = empty }
    return lists
  }

  /// Adds what the cells leave out of the customers that have been loaded.
  mutating func addCustomers() {
    while customers.next() {
      for (place, column) in columns.enumerated() {
        switch column.considered {
        case nil: continue
        case .chains: addChains(to: place, column.counted)
        case .instalments(let own): addInstalments(to: place, own)
        case let considered?:
          for one in customers.leftOut(considered, column.counted) {
            leave(one.found, one.rule, outOf: place)
          }
        }
      }
    }
  }

  private mutating func leave(_ found: CountedPeriod, _ rule: LeftOutRule, outOf column: Int) {
    lists[column].add(customers.contribution(found, leftOutBy: rule))
  }

  private mutating func addInstalments(to place: Int, _ column: CommitmentColumn) {
    for item in customers.found where item.counted == .instalment {
      guard let rule = customers.instalment(item).rule(column) else { continue }
      var told = item
      told.counted = rule.toldInstalment
      leave(told, rule, outOf: place)
    }
  }

  private mutating func addChains(to place: Int, _ counted: Set<Counted>) {
    for item in customers.found {
      switch item.counted {
      case .notAtRisk: leave(item, item.notAtRisk.map { .notAtRisk($0) } ?? .shared, outOf: place)
      case .kept, .lost:
        // Those at risk are kept or lost.
        guard counted.isDisjoint(with: [.atRisk, item.counted]) else { continue }
        leave(item, .other(item.counted), outOf: place)
      default: continue
      }
    }
  }
}
