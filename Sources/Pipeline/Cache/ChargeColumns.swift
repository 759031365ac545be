import AppStoreReports
import SubscriptionModel

/// The charges of a SUBSCRIBER report as their entry of the cache holds them: all subscribers, then what is
/// left of the rows, then the terms.
///
/// A run that needs the charges of a few subscribers reads the terms of none: ``TallyRecord`` knows what
/// their numbers stand for.
struct ChargeColumns {
  /// The charges in the order of rows.
  ///
  /// Their place is one in a file 0, and their terms are numbers in ``terms``.
  private(set) var records: [ChargeRecord] = []
  /// The run's number of each of the file's terms.
  private(set) var terms: [UInt32] = []
  /// For each number of the run how many of the file's terms there were with it; 0 for none yet.
  private var countWithTerms: [UInt32] = []

  /// Adds the next charge of the report; its terms are a number of the run.
  mutating func append(_ record: ChargeRecord) {
    var own = record
    own.order = UInt64(UInt32(truncatingIfNeeded: record.order))
    own.terms = number(of: record.terms)
    records.append(own)
  }

  /// Returns the file's number of terms, a new one for new terms.
  private mutating func number(of runTerms: UInt32) -> UInt32 {
    let index = Int(runTerms)
    if index >= countWithTerms.count {
      let missing = index + 1 - countWithTerms.count
      countWithTerms.append(contentsOf: repeatElement(0, count: missing))
    }
    if countWithTerms[index] == 0 {
      terms.append(runTerms)
      countWithTerms[index] = UInt32(terms.count)
    }
    return countWithTerms[index] - 1
  }

  /// Forgets the charges and keeps the room.
  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    terms.removeAll(keepingCapacity: true)
    countWithTerms.removeAll(keepingCapacity: true)
  }

  /// Codes the charges, whose terms remain the file's numbers.
  mutating func codeRecords<Coder: ExtractCoder>(with coder: inout Coder) {
    // Ids that are no plain numbers come first, so that all others take eight bytes each.
    let textRecords = records.lazy.filter { $0.subscriber & SubscriberKey.textBit != 0 }
    var texts = Set(textRecords.map(\.subscriber)).sorted()
    coder.list(&texts, blank: 0) { $1.subscriber(&$0) }
    coder.list(&records, blank: .blank) { $1.subscriber(&$0.subscriber) }
    var before = ChargeRecord.blank
    for index in records.indices where coder.isValid {
      records[index].code(after: before, with: &coder)
      before = records[index]
    }
  }

  /// Codes the terms, which follow the charges.
  mutating func codeTerms(with coder: inout some ExtractCoder) {
    coder.list(&terms, blank: 0) { $1.terms(&$0, of: ChargeTerms.self) }
    if !records.allSatisfy({ $0.terms < terms.count }) { coder.fail() }
  }
}

extension ChargeRecord {
  fileprivate static let blank = ChargeRecord(
    subscriber: 0, order: 0, day: 0, purchaseDay: noDay, terms: 0, units: 1, isRefund: false,
    isIDReset: false)

  /// Codes all but the subscriber: nearly always the terms alone, in the next row, on the same day.
  fileprivate mutating func code(after before: ChargeRecord, with coder: inout some ExtractCoder) {
    let isPlain =
      order == before.order &+ 1 && day == before.day && units == 1 && !isRefund && !isIDReset
    var head = UInt64(terms) << 1 | (isPlain ? 0 : 1)
    coder.number(&head)
    terms = UInt32(truncatingIfNeeded: head >> 1)
    guard head & 1 != 0 else {
      order = before.order &+ 1
      day = before.day
      return
    }
    var rows = order &- before.order
    coder.number(&rows)
    order = before.order &+ rows
    if order >> 32 != 0 { coder.fail() }
    var days = day &- before.day
    coder.integer(&days)
    day = before.day &+ days
    var size = UInt64(UInt16(bitPattern: units)) << 2 | (isRefund ? 2 : 0) | (isIDReset ? 1 : 0)
    coder.number(&size)
    units = Int16(truncatingIfNeeded: size >> 2)
    isRefund = size & 2 != 0
    isIDReset = size & 1 != 0
    if isRefund { coder.integer(&purchaseDay) }
  }
}
