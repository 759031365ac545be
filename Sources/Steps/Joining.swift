import AppStoreReports
import Counting
package import Pipeline
import ReportCache
import Scanning
import Storage
import SubscriptionModel

/// `step join` and `step divide`: which responses belong to one customer, and the partition of each.
///
/// A fold joins the responses of its partition exactly, as a run does. So it is enough here that the responses of one
/// customer are never in two partitions; two customers that share one do no harm. Ids are therefore hashes.
package enum Joining {
  /// Joins the ids of responses; the frames are the complete plan, responses, and joins.
  package static func frame(
    _ makePlan: ([UInt8]) throws -> RunPlan, _ frames: inout FrameSource
  ) throws -> Frame {
    let (plan, whole, context) = try Folding.completePlan(makePlan, for: "join", &frames)
    let keys = JoinKeys(context)
    var joins = Joins()
    while let frame = try frames.next() {
      switch frame.label.kind {
      case .joins: try joins.add(frame, plan)
      case .responses:
        try plan.check(frame, plan: whole.plan)
        let isWhole = try Responses(frame, plan).forEach(context.registries) { response in
          joins.covered.add(file: response.file, number: response.number)
          joins.unite(keys.keys(of: response))
        }
        guard isWhole else { throw StepError.unreadable(frame) }
      default:
        throw StepError.misplaced(frame, "; join expects frames \"responses\" and \"joins\"")
      }
    }
    for names in keys.sharedNames { joins.unite(names) }
    return joins.frame(plan)
  }

  /// Divides responses among partitions, those of one customer into the same; returns a frame for each with
  /// responses.
  ///
  /// The frames are the complete plan, the joins of all responses, and responses.
  package static func divided(
    _ makePlan: ([UInt8]) throws -> RunPlan, _ frames: inout FrameSource
  ) throws -> [Frame] {
    let (plan, whole, context) = try Folding.completePlan(makePlan, for: "divide", &frames)
    var joins = Joins()
    try joins.add(try frames.next(.joins, for: "divide after the plan"), plan)
    guard joins.covered == whole.responses else {
      throw StepError(
        .misplaced,
        "found joins of \(joins.covered.count) responses, expected the \(whole.responses.count) that were read"
      )
    }
    let keys = JoinKeys(context)
    let customers = joins.customers()
    var partitions = [Responses](repeating: Responses(), count: plan.partitionCount)
    while let frame = try frames.next() {
      guard frame.label.kind == .responses else {
        throw StepError.misplaced(frame, "; divide expects frames \"responses\"")
      }
      try plan.check(frame, plan: whole.plan)
      var writers: [Int: ResponsePartWriter] = [:]
      var file: Int?
      func endFile() {
        for (partition, writer) in writers { partitions[partition].add(writer.end()) }
        writers.removeAll(keepingCapacity: true)
      }
      let isWhole = try Responses(frame, plan).forEach(context.registries) { response in
        if response.file != file { endFile() }
        file = response.file
        let key =
          keys.keys(of: response).first
          ?? mixed(UInt64(response.file), UInt64(response.number))
        let customer = customers[key] ?? key
        // The smallest of several hashes is a small number, so it is no hash of the customer itself.
        let partition = plan.partition(ofHash: mixed(customer, 0))
        writers[partition, default: ResponsePartWriter(file: response.file, context.registries)]
          .add(number: response.number, response.transactions, response.renewals)
      }
      endFile()
      guard isWhole else { throw StepError.unreadable(frame) }
    }
    return partitions.indices.compactMap { partition in
      guard !partitions[partition].parts.isEmpty else { return nil }
      return partitions[partition].frame(
        Frame.Label(.receipts, partition: partition, of: plan.partitionCount, plan: plan.identity))
    }
  }
}

/// The ids by which METRICS.md 3.3 joins responses, as numbers that are the same in all steps.
private struct JoinKeys {
  private let registries: Registries
  private let identities: ReceiptIdentities

  init(_ context: ReadContext) {
    registries = context.registries
    identities = ReceiptAssembly(ofStep: context).identities()
  }

  /// Returns the keys of a response; they may repeat.
  func keys(of response: Responses.Response) -> [UInt64] {
    var keys: [UInt64] = []
    JoinRule.forEachKey(of: response.transactions, response.renewals) { rule, key in
      keys.append(mixed(id(of: rule, key.id), rule.rawValue << 32 | UInt64(key.second)))
    }
    for number in identities.numbers(response.transactions, response.renewals) {
      keys.append(self.key(ofName: number))
    }
    return keys
  }

  /// Pairs of names for the same id: all ids of both belong to one customer.
  var sharedNames: [[UInt64]] {
    identities.shared.map { [key(ofName: $0), key(ofName: $1)] }
  }

  private func key(ofName number: Int) -> UInt64 { mixed(hash(identities.names[number]), 0) }

  private func id(of rule: JoinRule, _ id: UInt64) -> UInt64 {
    if rule == .account || rule == .tester { return hash(Symbol(truncatingIfNeeded: id)) }
    guard let symbol = ReceiptID(value: id).symbol else { return id }
    return hash(symbol)
  }

  /// Returns a hash of a text, whose symbol differs from task to task.
  private func hash(_ symbol: Symbol) -> UInt64 {
    let text = Array(registries.text(of: symbol).utf8)
    var hasher = ByteHasher()
    hasher.add(text.span, text.indices)
    return hasher.finished()
  }
}

/// Which keys belong to one customer, as far as some responses show: a union-find forest of keys.
private struct Joins {
  /// The responses whose keys are joined.
  var covered = PlaceSum()
  private var sets = DisjointSets()
  private var numbers: [UInt64: UInt32] = [:]
  private var keys: [UInt64] = []

  /// Joins keys; a single one need not be kept.
  mutating func unite(_ keys: [UInt64]) {
    guard let first = keys.first else { return }
    for key in keys where key != first { unite(first, key) }
  }

  private mutating func unite(_ first: UInt64, _ second: UInt64) {
    sets.unite(number(of: first), number(of: second))
  }

  private mutating func number(of key: UInt64) -> UInt32 {
    if let number = numbers[key] { return number }
    let number = sets.add()
    numbers[key] = number
    keys.append(key)
    return number
  }

  /// Returns all keys, each after the smallest one of its customer, sorted.
  private func sorted() -> [(customer: UInt64, key: UInt64)] {
    var (sets, smallest) = (sets, keys)
    let roots = keys.indices.map { Int(sets.root(of: UInt32($0))) }
    for (number, root) in roots.enumerated() { smallest[root] = min(smallest[root], keys[number]) }
    return zip(roots, keys).map { (smallest[$0], $1) }.sorted { $0 < $1 }
  }

  /// Returns for each key the smallest one of its customer; a key that is not there is the only one.
  func customers() -> [UInt64: UInt64] {
    Dictionary(sorted().lazy.map { ($0.key, $0.customer) }) { $1 }
  }

  // MARK: Frames

  mutating func add(_ frame: Frame, _ plan: StepPlan) throws(StepError) {
    try plan.check(frame)
    var (other, lengths, all): (PlaceSum, [UInt32], [UInt64]) = (PlaceSum(), [], [])
    try frame.read { Self.code(&other, &lengths, &all, with: &$0) }
    guard lengths.reduce(0, { $0 + Int($1) }) == all.count,
      lengths.allSatisfy({ $0 > 0 })
    else { throw StepError.unreadable(frame) }
    covered.add(other)
    var start = 0
    for length in lengths {
      for key in all[start..<start + Int(length)] { unite(all[start], key) }
      start += Int(length)
    }
  }

  func frame(_ plan: StepPlan) -> Frame {
    var (sum, lengths, all): (PlaceSum, [UInt32], [UInt64]) = (covered, [], [])
    var last: UInt64?
    for (customer, key) in sorted() {
      if customer != last { lengths.append(0) }
      last = customer
      lengths[lengths.count - 1] += 1
      all.append(key)
    }
    return Frame(Frame.Label(.joins, plan: plan.identity)) {
      Self.code(&sum, &lengths, &all, with: &$0)
    }
  }

  private static func code(
    _ covered: inout PlaceSum, _ lengths: inout [UInt32], _ keys: inout [UInt64],
    with coder: inout some ExtractCoder
  ) {
    covered.code(with: &coder)
    coder.column(&lengths)
    coder.column(&keys)
  }
}
