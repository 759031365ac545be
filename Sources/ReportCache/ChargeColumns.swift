import AppStoreReports
import Storage
package import SubscriptionModel

/// The charges of a SUBSCRIBER report in columns, as their cache entry stores them.
///
/// A row takes eight bytes for the subscriber and two for the terms; short lists hold what most
/// rows lack. A night reads the subscribers of all reports, and the terms of changed subscribers
/// only.
package struct ChargeColumns {
  /// The subscriber of each charge, in row order.
  private var subscribers: [UInt64] = []
  /// The terms of each charge as indices into ``terms``; empty after reading an entry with 2-byte indices.
  private var rowTerms: [UInt32] = []
  /// The terms as 2-byte indices, after writing or reading an entry that has them.
  private var narrowTerms: [UInt16] = []
  private var runs = ChargeRuns()
  /// For each of the file's terms, its number in the run.
  package private(set) var terms: [UInt32] = []
  private var numbers = LocalNumbers()

  package init() {}

  package var count: Int { subscribers.count }

  /// Adds the report's next charge, whose terms are a number of the run.
  package mutating func append(_ record: ChargeRecord) {
    runs.append(record, at: subscribers.count)
    subscribers.append(record.subscriber)
    let (number, isNew) = numbers.number(of: record.terms)
    rowTerms.append(number)
    if isNew { terms.append(record.terms) }
  }

  /// Removes all charges and keeps the memory.
  package mutating func removeAll() {
    numbers.removeAll()
    subscribers.removeAll(keepingCapacity: true)
    rowTerms.removeAll(keepingCapacity: true)
    narrowTerms.removeAll(keepingCapacity: true)
    runs.removeAll()
    terms.removeAll(keepingCapacity: true)
  }

  /// Calls a closure with each charge, in row order.
  ///
  /// `file` is the file's place in the run, `terms` has for each of the file's terms its number in the run.
  package func forEach(inFile file: Int, _ terms: [UInt32], _ body: (ChargeRecord) -> Void) {
    var cursor = ChargeRuns.Cursor(runs, inFile: file)
    for index in subscribers.indices {
      let number = rowTerms.isEmpty ? Int(narrowTerms[index]) : Int(rowTerms[index])
      body(cursor.record(at: index, subscriber: subscribers[index], terms: terms[number]))
    }
  }

  // MARK: Coding

  package mutating func write(with writer: inout ExtractWriter) {
    codeCharges(with: &writer)
    codeTerms(with: &writer)
  }

  /// Reads charges and their terms into empty columns.
  package mutating func read(with reader: inout ExtractReader) {
    codeCharges(with: &reader)
    codeTerms(with: &reader)
  }

  /// Encodes or decodes the charges; their terms stay the file's own numbers.
  mutating func codeCharges(with coder: inout some ExtractCoder) {
    coder.subscribers(&subscribers)
    codeRowTerms(with: &coder)
    runs.code(with: &coder)
    if max(rowTerms.count, narrowTerms.count) != subscribers.count
      || !runs.areComplete(for: subscribers.count)
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

/// The charges of some subscribers in a SUBSCRIBER report, read from the cache entry of its ``ChargeColumns``.
///
/// The column of subscribers is searched where it is; of the other charges nothing is copied. The terms are not read,
/// because ``TallyInputs`` has their numbers.
struct ChosenCharges {
  /// The index of each of these charges in the report.
  private var places: [UInt32] = []
  private var subscribers: [UInt64] = []
  /// Their terms as indices into the file's list of terms.
  private var terms: [UInt32] = []
  private var runs = ChargeRuns()

  /// Reads the charges of some subscribers, in place of those before, from the first byte of an entry.
  ///
  /// A charge whose terms have a number from `termsCount` on makes the entry invalid.
  mutating func read(
    of some: SubscriberSet, with reader: inout ExtractReader, termsCount: Int
  ) {
    let count = reader.subscribers(in: some, &places, &subscribers)
    var isNarrow = false
    reader.flag(&isNarrow)
    let termCount =
      isNarrow
      ? reader.column(at: places, of: UInt16.self, &terms)
      : reader.column(at: places, of: UInt32.self, &terms)
    runs.removeAll()
    runs.code(with: &reader)
    if termCount != count || !runs.areComplete(for: count)
      || !terms.allSatisfy({ $0 < termsCount })
    {
      reader.fail()
    }
  }

  /// Calls a closure with each charge, in row order: see ``ChargeColumns/forEach(inFile:_:_:)``.
  func forEach(inFile file: Int, _ numbers: [UInt32], _ body: (ChargeRecord) -> Void) {
    var cursor = ChargeRuns.Cursor(runs, inFile: file)
    for (place, index) in places.enumerated() {
      body(
        cursor.record(
          at: Int(index), subscriber: subscribers[place], terms: numbers[Int(terms[place])]))
    }
  }
}
