import AppStoreReports
import Counting
import Pipeline
import PriceImpact
import Storage
import SubscriptionModel
import Tables
import Threads

/// What a run has kept, to be folded again for `explain`: charges of Subscriber reports, or receipts.
protocol ExplainedSource: Sendable {
  associatedtype Customers: ExplainedCustomers where Customers.Source == Self
  /// What names a customer.
  associatedtype Customer: Sendable
  /// What a contribution keeps of the description of its charge.
  associatedtype Terms: Sendable
  associatedtype Period: ContributionPeriod
  /// The rows of one charge.
  associatedtype List: RowList
  /// Where rows are in their files.
  associatedtype Lines: Sendable
  typealias Row = List.Row

  /// Whether gaps are counted in hundredths of days.
  static var hasGapsInHundredths: Bool { get }
  /// Whether all files are read before the first list of evidence is written: dumps take long to read.
  static var readsAtOnce: Bool { get }
  /// What a free period is called that is no trial.
  static var freePeriod: String { get }
  /// The words before the price of a refund, which in receipts is that of the charge.
  static var refundOf: String { get }
  /// Whether the cells of a charge come before those of the facts about it.
  static var listsChargesFirst: Bool { get }
  /// What a side without the subscription has of it, such as `no row of the subscription`.
  static var withoutRows: String { get }

  var completeness: Completeness { get }
  var files: [RecognizedFile] { get }
  /// Selects the rows that count.
  var filter: Filter { get }
  /// The symbols and terms of the run.
  var registries: Registries { get }
  /// The number of parts into which its customers are divided; a thread takes one after the other.
  var partCount: Int { get }

  /// Returns a store for a long list of contributions; `nil` if they stay in memory.
  static func makeStore() -> ElementStore<Contribution<Self>>?

  /// Returns the customers, for one thread, before the first one.
  ///
  /// - Parameters:
  ///   - row: The row whose contributions are found.
  ///   - counted: What its columns count.
  ///   - named: Whether contributions keep the name of their customer.
  func customers(_ row: CountedRow, _ counted: Set<Counted>, named: Bool) -> Customers

  // MARK: Words about a contribution

  /// Returns the description of a contribution's charge.
  func attributes(of contribution: Contribution<Self>) -> Attributes

  /// Returns the words about a contribution to a row of a month.
  func reason(of contribution: Contribution<Self>, _ names: Names, _ month: Month) -> Reason

  /// Returns a time as tables print it: a day, or an instant.
  func text(of instant: Instant) -> String

  // MARK: Rows

  /// The lines before any file is read.
  static var noLines: Lines { get }

  /// Returns where rows are in their files.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func lines(of rows: some Sequence<Row>, jobs: Int) throws -> Lines

  /// Reads the files of some rows, unless they have been read.
  func read(_ rows: [Row], _ lines: inout Lines, jobs: Int) throws

  /// Returns a row as `FILE:LINE`, with the path inside the row after a blank.
  func text(of row: Row, _ lines: Lines) -> String

  /// Returns the rows from which the name of a customer is made.
  func rows(naming customer: Customer) -> [Row]

  /// Returns the name of a customer; without a naming the place of the first row of a subscription, which shows no id.
  func name(
    of customer: Customer, first: Row, _ lines: Lines, _ naming: CustomerTable.Naming?
  ) -> String

  // MARK: Differences

  /// Returns the numbers of the customers who may have some subscriptions; `nil` for all.
  func customers(having wanted: Set<ComparedKey>) -> Set<UInt64>?

  /// Returns which files make a difference between two runs, in words; none if no row is new.
  ///
  /// - Parameters:
  ///   - own: The files of the later side with rows of the subscription.
  ///   - other: Those of the other side.
  ///   - before: The run of the other side.
  func causes(_ own: Set<ExactText>, _ other: Set<ExactText>, _ before: RunResult) -> [String]
}

extension ExplainedSource {
  /// Returns the rows that a list names for a contribution.
  func namedRows(_ one: Contribution<Self>, _ naming: CustomerTable.Naming?) -> [Row] {
    one.evidence + rows(of: one.customer, first: one.rows.first, naming)
  }

  /// Returns the rows that the name of a subscription needs.
  func rows(of customer: Customer, first: Row, _ naming: CustomerTable.Naming?) -> [Row] {
    naming == nil ? [first] : rows(naming: customer)
  }

  /// Returns rows as `FILE:LINE`, each place once.
  func places(_ rows: [Row], _ lines: Lines) -> [String] {
    var places: [String] = []
    for row in rows {
      let text = text(of: row, lines)
      if !places.contains(text) { places.append(text) }
    }
    return places
  }
}

/// The customers of a source, one after the other, each with its chains and what a row counts of them.
protocol ExplainedCustomers: AnyObject {
  associatedtype Source: ExplainedSource

  /// What the row counts of the current customer.
  var found: [CountedPeriod] { get }

  /// Takes the customers of a part; only those of some numbers, unless they are `nil`.
  func load(part: Int, only numbers: Set<UInt64>?)

  /// Goes to the next customer; returns `false` after the last one.
  func next() -> Bool

  /// Returns the contribution of a period or a refund of the current customer.
  ///
  /// - Parameters:
  ///   - found: The period or refund.
  ///   - rule: Why the row does not count it; `nil` if it counts.
  func contribution(_ found: CountedPeriod, leftOutBy rule: LeftOutRule?) -> Contribution<Source>

  // MARK: What columns leave out

  /// Returns the periods and refunds of the current customer that a column leaves out, each with the reason.
  ///
  /// - Parameters:
  ///   - considered: Which of them belong to the row of the column; neither chains nor instalments.
  ///   - counted: What the column counts.
  func leftOut(
    _ considered: Considered, _ counted: Set<Counted>
  ) -> [(found: CountedPeriod, rule: LeftOutRule)]

  /// Returns an instalment of the current customer, with the columns that count it.
  func instalment(_ item: CountedPeriod) -> InstalmentOfRow

  // MARK: Differences

  /// Returns the subscription of a contribution of the current customer, as both sides have it.
  func key(of contribution: Contribution<Source>, _ runs: ComparedRuns) -> ComparedKey

  /// Returns the files with rows of subscriptions of the current customer.
  ///
  /// - Parameters:
  ///   - wanted: The subscriptions; others are passed over.
  ///   - runs: How both sides name subscriptions.
  func files(of wanted: Set<ComparedKey>, _ runs: ComparedRuns) -> [ComparedKey: Set<Int>]

  // MARK: Stories

  /// The periods of each chain of the current customer.
  var periodsOfChains: [Range<Int>] { get }
  /// The refunds of the current customer.
  var refunds: [CountedPeriod] { get }

  /// Returns how a chain begins; `nil` if it may have begun before the data.
  func beginning(ofChain chain: Int) -> String?

  /// Returns a period of a chain.
  func period(_ index: Int, ofChain chain: Int) -> StoryPeriod

  /// Returns the purchase of a period, or the refund.
  func charge(of item: CountedPeriod) -> StoryCharge

  /// Returns when a charge was refunded, and the rows that say so.
  func refund(_ item: CountedPeriod) -> (instant: Instant?, rows: [Source.Row])

  // MARK: Price increases

  /// Passes over customers without a charge that a price change concerns.
  func skip(notConcernedBy fold: ImpactFold)

  /// The chains of the current customer that price increases can concern.
  var pricedSubscriptions: [PricedSubscription] { get }

  /// Returns the renewal of a charge at whose end a row counts the subscription.
  func renewal(_ addition: ImpactAddition, _ own: PricedSubscription) -> Renewal<Source>
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
    to row: CountedRow, _ columns: [Set<Counted>], _ empty: [ContributionList<Contribution<Self>>],
    named: Bool, leftOutBy rule: LeftOutRule? = nil, jobs: Int
  ) -> [ContributionList<Contribution<Self>>] {
    let counted = columns.reduce(into: Set<Counted>()) { $0.formUnion($1) }
    return Workers.run(
      count: partCount, jobs: jobs,
      makeState: { (customers: customers(row, counted, named: named), lists: empty) },
      work: { state, part in
        state.customers.load(part: part, only: nil)
        while state.customers.next() {
          for one in state.customers.found {
            let contribution = state.customers.contribution(one, leftOutBy: rule)
            for (place, own) in columns.enumerated() where own.contains(one.counted) {
              state.lists[place].add(contribution)
            }
          }
        }
      }, finish: { $0.lists }
    ).reduce(into: empty) { $0.merge($1) }
  }

  /// Returns what the cells of a row leave out: see ``contributions(to:_:_:named:leftOutBy:jobs:)``.
  func leftOut(
    of row: CountedRow, _ columns: [Set<Counted>], _ empty: [ContributionList<Contribution<Self>>],
    named: Bool, jobs: Int
  ) -> [ContributionList<Contribution<Self>>] {
    Workers.run(
      count: partCount, jobs: jobs,
      makeState: { LeftOutFold(row, columns, empty, self, named: named) },
      work: { fold, part in
        fold.customers.load(part: part, only: nil)
        while fold.customers.next() { fold.addCustomer() }
      }, finish: { $0.lists }
    ).reduce(into: empty) { $0.merge($1) }
  }

  /// Returns the contributions to the rows of a pass: a list for each row, in the order of explanations.
  func contributions(
    to pass: EvidencePass, named: Bool, jobs: Int
  ) -> [[Contribution<Self>]] {
    var parts = Workers.run(
      count: partCount, jobs: jobs,
      makeState: {
        (
          customers: customers(pass.row, pass.counted, named: named),
          found: pass.rows.map { _ in [Contribution<Self>]() }
        )
      },
      work: { state, part in
        state.customers.load(part: part, only: nil)
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
    for place in all.indices { all[place].sort(by: Contribution.precedes) }
    return all
  }
}

/// Collects the periods and refunds of a row that its cells do not count, on one thread.
struct LeftOutFold<Source: ExplainedSource> {
  let customers: Source.Customers
  private(set) var lists: [ContributionList<Contribution<Source>>]
  private let empty: [ContributionList<Contribution<Source>>]
  private let columns: [(counted: Set<Counted>, considered: Considered?)]

  init(
    _ row: CountedRow, _ columns: [Set<Counted>], _ empty: [ContributionList<Contribution<Source>>],
    _ source: Source, named: Bool
  ) {
    self.columns = columns.map { ($0, Considered($0)) }
    let kinds = self.columns.reduce(into: Set<Counted>()) {
      $0.formUnion($1.counted)
      $0.formUnion($1.considered?.related ?? [])
    }
    customers = source.customers(row, kinds, named: named)
    (lists, self.empty) = (empty, empty)
  }

  /// Returns the lists so far, and goes on with empty ones.
  mutating func takeLists() -> [ContributionList<Contribution<Source>>] {
    defer { lists = empty }
    return lists
  }

  /// Adds what the cells leave out of the current customer.
  mutating func addCustomer() {
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
