import AppStoreReports
import Counting
import Pipeline
import PriceImpact
import Storage
import SubscriptionModel
import Tables

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

  /// Whether it is receipts: their gaps are in hundredths of days, and their files take long to read.
  static var isOfReceipts: Bool { get }

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

  /// Returns the customers, for one thread, before the first one; `named` if contributions keep their names.
  func customers(_ row: CountedRow, _ counted: Set<Counted>, named: Bool) -> Customers

  // MARK: Words about a contribution

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
  /// `own` are the files of the later side with rows of the subscription, `before` is the run of the other side.
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
  func places(_ rows: [Row], _ lines: Lines) -> [String] { rows.map { text(of: $0, lines) }.unique }
}

extension Array where Element: Hashable {
  /// The elements in order, each once.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
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

  /// Returns the contribution of a period or a refund of the current customer, which a rule may leave out.
  func contribution(_ found: CountedPeriod, leftOutBy rule: LeftOutRule?) -> Contribution<Source>

  // MARK: What columns leave out

  var row: CountedRow { get }

  /// Calls `body` with each period of the current customer whose charge is of the row's cohort, as a charge.
  func forEachPeriodOfRow(_ body: (CountedPeriod) -> Void)

  /// Returns what decides whether a column leaves out a period of the current customer.
  func considered(_ item: CountedPeriod) -> ConsideredPeriod

  // MARK: Differences

  /// Returns the subscription of a contribution of the current customer, as both sides have it.
  func key(of contribution: Contribution<Source>, _ runs: ComparedRuns) -> ComparedKey

  /// Returns the files with rows of those subscriptions of the current customer that are wanted.
  func files(of wanted: Set<ComparedKey>, _ runs: ComparedRuns) -> [ComparedKey: Set<Int>]

  // MARK: Stories

  /// The periods of each chain of the current customer.
  var periodsOfChains: [Range<Int>] { get }
  var refunds: [CountedPeriod] { get }

  /// Returns how a chain begins; `nil` if it may have begun before the data.
  func beginning(ofChain chain: Int) -> String?

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
  /// Goes through all customers on several threads, or only those of some numbers; returns what each thread has found.
  func fold<Found: Sendable>(
    _ row: CountedRow, _ counted: Set<Counted>, named: Bool = false,
    only numbers: Set<UInt64>? = nil,
    jobs: Int, into empty: Found, prepare: @Sendable (Customers) -> Void = { _ in },
    _ add: @Sendable (inout Found, Customers) -> Void
  ) -> [Found] {
    Workers.run(
      count: partCount, jobs: jobs,
      makeState: {
        let customers = customers(row, counted, named: named)
        prepare(customers)
        return (customers: customers, found: empty)
      },
      work: { state, part in
        state.customers.load(part: part, only: numbers)
        while state.customers.next() { add(&state.found, state.customers) }
      }, finish: { $0.found })
  }

  var emptyRow: CountedRow {
    CountedRow(month: completeness.firstMonth, dimensions: [], filter: filter) { _ in false }
  }

  /// Returns the contributions to the cells of a row: a list for each column.
  ///
  /// `empty` has the order and the limit of each list; `named` contributions keep the name of their customer. By a
  /// `rule` another run leaves all of them out.
  func contributions(
    to row: CountedRow, _ columns: [Set<Counted>], _ empty: [ContributionList<Contribution<Self>>],
    named: Bool, leftOutBy rule: LeftOutRule? = nil, jobs: Int
  ) -> [ContributionList<Contribution<Self>>] {
    let counted = columns.reduce(into: Set<Counted>()) { $0.formUnion($1) }
    return fold(row, counted, named: named, jobs: jobs, into: empty) { lists, customers in
      for one in customers.found {
        let contribution = customers.contribution(one, leftOutBy: rule)
        for (place, own) in columns.enumerated() where own.contains(one.counted) {
          lists[place].add(contribution)
        }
      }
    }.reduce(into: empty) { $0.merge($1) }
  }

  /// Returns what the cells of a row leave out: see ``contributions(to:_:_:named:leftOutBy:jobs:)``.
  func leftOut(
    of row: CountedRow, _ columns: [Set<Counted>], _ empty: [ContributionList<Contribution<Self>>],
    named: Bool, jobs: Int
  ) -> [ContributionList<Contribution<Self>>] {
    let columns = LeftOutColumns(columns)
    return fold(row, columns.kinds, named: named, jobs: jobs, into: empty) { lists, customers in
      columns.add(customers, to: &lists)
    }.reduce(into: empty) { $0.merge($1) }
  }

  /// Returns the contributions to the rows of a pass: a list for each row, in the order of explanations.
  func contributions(to pass: EvidencePass, named: Bool, jobs: Int) -> [[Contribution<Self>]] {
    let empty = pass.rows.map { _ in [Contribution<Self>]() }
    var parts = fold(
      pass.row, pass.counted, named: named, jobs: jobs, into: empty
    ) { lists, customers in
      for one in customers.found {
        guard let place = pass.place(of: one) else { continue }
        lists[place].append(customers.contribution(one, leftOutBy: nil))
      }
    }
    var all = parts.popLast() ?? empty
    // Free each part before the next is added.
    while let part = parts.popLast() {
      for (place, list) in part.enumerated() { all[place] += list }
    }
    for place in all.indices { all[place].sort(by: Contribution.precedes) }
    return all
  }
}

extension ExplainedCustomers {
  /// The periods of the current customer whose charge is of the row's cohort.
  fileprivate var consideredPeriods: [ConsideredPeriod] {
    var periods: [ConsideredPeriod] = []
    forEachPeriodOfRow { periods.append(considered($0)) }
    return periods
  }
}

/// The columns of a row, to find the periods and refunds that its cells do not count.
struct LeftOutColumns: Sendable {
  private let columns: [(counted: Set<Counted>, considered: Considered?)]
  /// What the columns count, and what names a column that counts something else.
  let kinds: Set<Counted>

  init(_ columns: [Set<Counted>]) {
    self.columns = columns.map { ($0, Considered($0)) }
    kinds = self.columns.reduce(into: []) {
      $0.formUnion($1.counted)
      $0.formUnion($1.considered?.related ?? [])
    }
  }

  /// Adds what the cells leave out of the current customer to the list of each column.
  func add<Customers: ExplainedCustomers>(
    _ customers: Customers, to lists: inout [ContributionList<Contribution<Customers.Source>>]
  ) {
    lazy var periods = customers.consideredPeriods
    for (place, column) in columns.enumerated() {
      let found: [LeftOut] =
        switch column.considered {
        case nil: []
        case .chains: customers.found.compactMap { Self.chain($0, column.counted) }
        case .states: customers.found.compactMap { Self.state($0, column.counted) }
        case .lifetime(let kind): customers.found.compactMap { Self.lifetime($0, kind) }
        case .instalments(let own):
          customers.found.compactMap { Self.instalment($0, own, customers) }
        case let considered?:
          Self.refunds(customers.found, considered, column.counted)
            + periods.compactMap {
              $0.leftOut(considered, column.counted, customers.found, customers.row.month)
            }
        }
      for one in found {
        lists[place].add(customers.contribution(one.found, leftOutBy: one.rule))
      }
    }
  }

  /// Returns the refunds of reports that another column counts.
  private static func refunds(
    _ found: [CountedPeriod], _ considered: Considered, _ counted: Set<Counted>
  ) -> [LeftOut] {
    guard considered == .refunds else { return [] }
    return found.filter { $0.refund != nil && !counted.contains($0.counted) }
      .map { ($0, .other($0.counted)) }
  }

  /// Returns a subscription that counts in another state.
  private static func state(_ item: CountedPeriod, _ counted: Set<Counted>) -> LeftOut? {
    guard case .status = item.counted, !counted.contains(item.counted) else { return nil }
    return (item, .other(item.counted))
  }

  private static func lifetime(_ item: CountedPeriod, _ kind: LifetimeGrid.Kind) -> LeftOut? {
    guard item.counted == .notInLifetime(kind), let rule = item.notInLifetime else { return nil }
    var told = item
    told.counted = .lifetime(kind)
    return (told, .notInLifetime(rule))
  }

  private static func instalment(
    _ item: CountedPeriod, _ column: CommitmentColumn, _ customers: some ExplainedCustomers
  ) -> LeftOut? {
    guard item.counted == .instalment else { return nil }
    let columns = customers.found.compactMap {
      $0.period == item.period ? $0.counted.commitment : nil
    }
    let rule = customers.considered(item).rule(column, countedBy: Set(columns), customers.row.month)
    guard let rule else { return nil }
    // The fact of the other column, else the charge.
    var told = item
    told.counted = if case .other(let other) = rule { other } else { .charge }
    return (told, rule)
  }

  private static func chain(_ item: CountedPeriod, _ counted: Set<Counted>) -> LeftOut? {
    switch item.counted {
    case .notAtRisk: return (item, item.notAtRisk.map { .notAtRisk($0) } ?? .shared)
    case .kept, .lost:
      // Those at risk are kept or lost.
      let isOther = counted.isDisjoint(with: [.atRisk, item.counted])
      return isOther ? (item, .other(item.counted)) : nil
    default: return nil
    }
  }
}
