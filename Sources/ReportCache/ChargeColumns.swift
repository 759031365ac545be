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

  /// The number of charges.
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
  /// - Parameters:
  ///   - file: The file's place in the run.
  ///   - terms: For each of the file's terms, its number in the run.
  ///   - body: Receives each charge.
  package func forEach(inFile file: Int, _ terms: [UInt32], _ body: (ChargeRecord) -> Void) {
    var cursor = ChargeRuns.Cursor(runs, inFile: file)
    for index in subscribers.indices {
      let number = rowTerms.isEmpty ? Int(narrowTerms[index]) : Int(rowTerms[index])
      body(cursor.record(at: index, subscriber: subscribers[index], terms: terms[number]))
    }
  }

  // MARK: Coding

  /// Writes the charges and their terms.
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
