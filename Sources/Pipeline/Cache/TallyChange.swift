import AppStoreReports
import Metrics
import SubscriptionModel

/// Makes tonight's tally from that of the last run: what it said of the subscribers of whom something has
/// changed is taken back, and what is to be said of them now is added.
///
/// A subscriber has changed when a row of his came or went, or when as-of has reached the day on which
/// something changes that is said of him.
struct TallyChange {
  /// What changed subscribers said then, and what they say now.
  struct Parts: Sendable {
    var then: PartitionFold.Result
    var now: PartitionFold.Result
  }

  let last: TallyRecord
  /// The completeness of the last run.
  let lastDays: Completeness
  private let context: ReadContext
  private let days: Completeness
  private let extracts: [ChargeExtract]
  /// For each of the extracts its place in the last run; `nil` for one that came.
  private let lastPlaces: [Int?]

  /// With more than one changed subscriber of so many, folding all is faster.
  private static let fewestPerChanged = 3

  /// Prepares a change; `nil` when there is no last tally.
  ///
  /// - Parameters:
  ///   - context: The run.
  ///   - extracts: The reports that count and have charges, in the order of all files.
  ///   - days: Which days of the data are there.
  /// - Throws: ``AllChargesNeeded`` when the last tally is of other days, of files in another order, or of
  ///   prices in a report that is gone.
  init?(
    _ context: ReadContext, _ extracts: [ChargeExtract], _ days: Completeness
  ) throws(AllChargesNeeded) {
    guard let last = context.lastTally else { return nil }
    lastPlaces = extracts.map { last.place(of: $0.name) }
    let common = lastPlaces.compactMap { $0 }
    // Files that changed places may change which of two charges of a day comes first.
    guard zip(common, common.dropFirst()).allSatisfy(<), last.firstDay == days.firstDay,
      last.asOf <= days.asOf, last.missingDays == days.missingDays
    else { throw AllChargesNeeded() }
    // A report that is gone may be the only one with a product: a tally forgets what was charged, but not that
    // there was a price, and a user's increase of it would still be believed.
    guard context.plan.prices == nil || common.count == last.extracts.count else {
      throw AllChargesNeeded()
    }
    self.context = context
    self.last = last
    self.extracts = extracts
    self.days = days
    lastDays = days.until(last.asOf)
  }

  /// Folds the changed subscribers as they were and as they are.
  ///
  /// - Parameters:
  ///   - new: The charges of reports that came.
  ///   - isUsable: Which files count.
  /// - Returns: Both, and the subscribers.
  /// - Throws: ``AllChargesNeeded`` when many have changed, or charges are not in the cache any more.
  func parts(
    _ new: consuming [ChargeStore], isUsable: [Bool]
  ) throws(AllChargesNeeded) -> (parts: Parts, changed: SubscriberSet) {
    let gone = try goneCharges()
    var changed = SubscriberSet()
    for change in last.nextChanges where change.day <= days.asOf {
      changed.insert(change.subscriber)
    }
    for store in new + [gone] {
      for chunk in store.partitions.lazy.flatMap(\.chunks) {
        for record in chunk { changed.insert(record.subscriber) }
      }
    }
    guard changed.count * Self.fewestPerChanged <= last.subscriberCount else {
      throw AllChargesNeeded()
    }
    let old = try oldCharges(of: changed)
    let areAllUsable = [Bool](repeating: true, count: last.extracts.count)
    let then = fold(old.map(\.then) + [gone], lastDays, isUsable: areAllUsable)
    let now = fold(old.map(\.now) + new, days, isUsable: isUsable)
    return (Parts(then: then, now: now), changed)
  }

  /// Returns tonight's numbers.
  func result(_ parts: Parts, _ changed: SubscriberSet) -> PartitionFold.Result {
    var result = PartitionFold.Result(tally: last.tally)
    result.tally.merge(parts.now.tally)
    result.tally.subtract(parts.then.tally)
    result.subscriberCount =
      last.subscriberCount + parts.now.subscriberCount - parts.then.subscriberCount
    result.nextChanges =
      last.nextChanges.filter { !changed.contains($0.subscriber) } + parts.now.nextChanges
    return result
  }

  /// Returns what increases have done: valid only for those that the last run knew.
  func part(
    of report: SourceReport, _ fold: PriceFold, _ parts: Parts, _ terms: [ChargeTerms]
  ) throws(AllChargesNeeded) -> PriceFold.Part? {
    var lastReport = SourceReport(tally: report.tally, completeness: lastDays)
    lastReport.priceChanges = report.priceChanges
    let jobs = context.plan.jobs
    guard !fold.isOfPlan, let lastImpact = last.impact, let lastFold = PriceFold(lastReport, []),
      let then = lastFold.part(parts.then.chains, terms, jobs: jobs)?.impact,
      var now = fold.part(parts.now.chains, terms, jobs: jobs)?.impact,
      now.merge(lastImpact, .plus), now.merge(then, .minus)
    else { throw AllChargesNeeded() }
    return PriceFold.Part(impact: now, plan: nil)
  }

  private func fold(
    _ stores: [ChargeStore], _ days: Completeness, isUsable: [Bool]
  ) -> PartitionFold.Result {
    PartitionFold.result(
      PartitionBins(stores, keeps: false), isUsable: isUsable, context, days,
      keepsChains: context.plan.prices != nil)
  }

  // MARK: Charges

  /// What a thread has read of reports that were in the last run.
  private struct Reading: ~Copyable {
    var reader: ExtractReader
    var columns = ChargeColumns()
    var then = ChargeStore()
    var now = ChargeStore()
    var isWhole = true

    init(_ context: ReadContext) { reader = ExtractReader(context.registries) }
  }

  /// The charges of reports that are gone.
  private func goneCharges() throws(AllChargesNeeded) -> ChargeStore {
    var reading = Reading(context)
    let known = Set(lastPlaces)
    for place in last.extracts.indices where !known.contains(place) {
      guard read(place, &reading.columns, &reading.reader) else { throw AllChargesNeeded() }
      for record in reading.columns.records {
        reading.then.append(record.placed(inFile: place, last.extracts[place].terms))
      }
    }
    return reading.then
  }

  /// The charges of some subscribers in reports that were there before, each in its place then and now.
  private func oldCharges(
    of changed: SubscriberSet
  ) throws(AllChargesNeeded) -> [(then: ChargeStore, now: ChargeStore)] {
    let parts = Workers.run(
      count: extracts.count, jobs: context.plan.jobs, makeState: { Reading(context) },
      work: { reading, number in
        guard reading.isWhole, let place = lastPlaces[number] else { return }
        reading.isWhole = read(place, &reading.columns, &reading.reader)
        guard reading.isWhole else { return }
        let terms = last.extracts[place].terms
        for record in reading.columns.records where changed.contains(record.subscriber) {
          reading.then.append(record.placed(inFile: place, terms))
          reading.now.append(record.placed(inFile: extracts[number].index, terms))
        }
      },
      finish: { reading in (then: reading.then, now: reading.now, isWhole: reading.isWhole) })
    guard parts.allSatisfy(\.isWhole) else { throw AllChargesNeeded() }
    return parts.map { (then: $0.then, now: $0.now) }
  }

  /// Reads the charges of a report of the last run.
  ///
  /// - Returns: Whether its entry could be trusted; one that cannot is made anew when all are read.
  private func read(
    _ place: Int, _ columns: inout ChargeColumns, _ reader: inout ExtractReader
  ) -> Bool {
    let extract = last.extracts[place]
    guard let cache = context.plan.cache,
      cache.open(extract.name, in: cache.folder.extracts, about: nil, with: &reader)
    else { return false }
    columns.removeAll()
    columns.codeRecords(with: &reader)
    return reader.close(isWhole: false)
      && columns.records.allSatisfy { $0.terms < extract.terms.count }
  }
}

/// The last tally cannot be changed into this run's: all charges must be read and folded.
struct AllChargesNeeded: Error {}

extension ChargeRecord {
  /// A row of an extract as a run has it.
  ///
  /// - Parameters:
  ///   - file: The file's place in the order of all files.
  ///   - terms: The run's number of each of the file's terms.
  /// - Returns: The row with a number of the run for its terms, and its place in the run.
  func placed(inFile file: Int, _ terms: [UInt32]) -> ChargeRecord {
    var record = self
    record.order |= UInt64(file) << 32
    record.terms = terms[Int(self.terms)]
    return record
  }
}
