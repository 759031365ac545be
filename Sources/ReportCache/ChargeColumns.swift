import AppStoreReports
import Storage
import SubscriptionModel

/// The charges of a SUBSCRIBER report in columns, as their cache entry stores them.
///
/// To find the charges of a few subscribers, a run scans the column of subscribers and little else: columns that
/// rarely change are short lists of runs and exceptions. It does not read the terms either, because ``TallyInputs``
/// has their numbers.
struct ChargeColumns {
  /// Charges of one day in consecutive rows; often all of a report except its ignored rows.
  private struct DayRun {
    /// The index of the first charge.
    var index: Int
    var row: UInt32
    var day: Int32
  }

  /// A charge with several units, a refund, or one whose subscriber id was reset.
  private struct Exception {
    var index: Int
    var units: Int16
    var isRefund: Bool
    var isIDReset: Bool
    var purchaseDay: Int32
  }

  /// The subscriber of each charge, in row order.
  private var subscribers: [UInt64] = []
  /// The terms of each charge as indices into ``terms``; empty after reading an entry with 2-byte indices.
  private var rowTerms: [UInt32] = []
  /// The same as the 2-byte indices of an entry, where two bytes are enough.
  private var narrowTerms: [UInt16] = []
  private var dayRuns: [DayRun] = []
  private var exceptions: [Exception] = []
  /// The indices of the charges that ``find(_:)`` found.
  private var places: [UInt32] = []
  /// The row that would continue the last run.
  private var nextRow: UInt32 = 0
  /// For each of the file's terms, its number in the run.
  private(set) var terms: [UInt32] = []
  private var numbers = LocalNumbers()

  /// Adds the report's next charge, whose terms are a number of the run.
  mutating func append(_ record: ChargeRecord) {
    let index = subscribers.count
    let row = UInt32(truncatingIfNeeded: record.order)
    if dayRuns.isEmpty || row != nextRow || record.day != dayRuns[dayRuns.count - 1].day {
      dayRuns.append(DayRun(index: index, row: row, day: record.day))
    }
    nextRow = row &+ 1
    if record.units != 1 || record.isRefund || record.isIDReset {
      exceptions.append(
        Exception(
          index: index, units: record.units, isRefund: record.isRefund,
          isIDReset: record.isIDReset, purchaseDay: record.purchaseDay))
    }
    subscribers.append(record.subscriber)
    let (number, isNew) = numbers.number(of: record.terms)
    rowTerms.append(number)
    if isNew { terms.append(record.terms) }
  }

  /// Removes all charges and keeps the memory.
  mutating func removeAll() {
    numbers.removeAll()
    subscribers.removeAll(keepingCapacity: true)
    rowTerms.removeAll(keepingCapacity: true)
    narrowTerms.removeAll(keepingCapacity: true)
    dayRuns.removeAll(keepingCapacity: true)
    exceptions.removeAll(keepingCapacity: true)
    terms.removeAll(keepingCapacity: true)
  }

  /// Finds the charges of some subscribers.
  mutating func find(_ some: SubscriberSet) { some.findPlaces(in: subscribers, &places) }

  /// Calls a closure with each charge, in row order.
  ///
  /// - Parameters:
  ///   - file: The file's place in the run.
  ///   - terms: For each of the file's terms, its number in the run.
  ///   - foundOnly: Whether to pass only the charges that ``find(_:)`` found.
  ///   - body: Receives each charge.
  func forEach(
    inFile file: Int, _ terms: [UInt32], foundOnly: Bool = false, _ body: (ChargeRecord) -> Void
  ) {
    var (run, exception) = (0, 0)
    func add(_ index: Int) {
      while run + 1 < dayRuns.count, dayRuns[run + 1].index <= index { run += 1 }
      while exception < exceptions.count, exceptions[exception].index < index { exception += 1 }
      let row = dayRuns[run].row &+ UInt32(index - dayRuns[run].index)
      var record = ChargeRecord(
        subscriber: subscribers[index], order: UInt64(file) << 32 | UInt64(row),
        day: dayRuns[run].day, purchaseDay: ChargeRecord.noDay,
        terms: terms[termsNumber(at: index)], units: 1, isRefund: false, isIDReset: false)
      if exception < exceptions.count, exceptions[exception].index == index {
        record.units = exceptions[exception].units
        record.isRefund = exceptions[exception].isRefund
        record.isIDReset = exceptions[exception].isIDReset
        record.purchaseDay = exceptions[exception].purchaseDay
      }
      body(record)
    }
    if foundOnly {
      for place in places { add(Int(place)) }
    } else {
      subscribers.indices.forEach(add)
    }
  }

  // MARK: Coding

  /// Encodes or decodes the charges; their terms stay the file's own numbers.
  mutating func codeCharges(with coder: inout some ExtractCoder) {
    coder.subscribers(&subscribers)
    codeRowTerms(with: &coder)
    var before = DayRun(index: 0, row: 0, day: 0)
    coder.list(&dayRuns, blank: before) { run, coder in
      coder.integer(&run.index, after: before.index)
      coder.integer(&run.row, after: before.row)
      coder.integer(&run.day, after: before.day)
      before = run
    }
    var last = 0
    coder.list(
      &exceptions,
      blank: Exception(
        index: 0, units: 1, isRefund: false, isIDReset: false, purchaseDay: ChargeRecord.noDay)
    ) { exception, coder in
      coder.integer(&exception.index, after: last)
      last = exception.index
      coder.integer(&exception.units)
      coder.flag(&exception.isRefund)
      coder.flag(&exception.isIDReset)
      coder.integer(&exception.purchaseDay)
    }
    let isEmpty = subscribers.isEmpty
    if max(rowTerms.count, narrowTerms.count) != subscribers.count || dayRuns.isEmpty != isEmpty
      || (!isEmpty && dayRuns[0].index != 0)
    {
      coder.fail()
    }
  }

  /// Encodes or decodes the column of terms, two bytes a charge if that is enough.
  private mutating func codeRowTerms(with coder: inout some ExtractCoder) {
    var isNarrow = rowTerms.allSatisfy { $0 <= UInt16.max }
    coder.flag(&isNarrow)
    guard isNarrow else { return coder.column(&rowTerms) }
    for number in rowTerms { narrowTerms.append(UInt16(truncatingIfNeeded: number)) }
    coder.column(&narrowTerms)
  }

  /// Returns the index into ``terms`` of a charge's terms.
  private func termsNumber(at index: Int) -> Int {
    rowTerms.isEmpty ? Int(narrowTerms[index]) : Int(rowTerms[index])
  }

  /// Returns whether all charges' indices of terms are below a count.
  func hasTerms(below count: Int) -> Bool {
    // Finding the maximum is faster than testing each.
    let greatest = max(rowTerms.reduce(0, max), UInt32(narrowTerms.reduce(0, max)))
    return subscribers.isEmpty || greatest < count
  }

  /// Encodes or decodes the terms, which come after the charges.
  mutating func codeTerms(with coder: inout some ExtractCoder) {
    coder.list(&terms, blank: 0) { $1.terms(&$0, of: ChargeTerms.self) }
    if !hasTerms(below: terms.count) { coder.fail() }
  }
}

extension ExtractCoder {
  /// Encodes or decodes a number as its difference from the one before, which is mostly small.
  fileprivate mutating func integer<Number: FixedWidthInteger>(
    _ value: inout Number, after before: Number
  ) {
    var step = Int64(value) - Int64(before)
    integer(&step)
    value = Number(truncatingIfNeeded: Int64(before) &+ step)
  }
}
