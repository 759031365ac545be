package import AppStoreReports
import Counting
package import Pipeline
import Scanning
import Storage
import SubscriptionModel

extension FileExtract {
  /// Writes everything except charges, or reads it into this empty extract; `index` is the file's place in the run.
  ///
  /// Of a report of another kind than those of tables, rows are only counted.
  package mutating func code(
    _ kind: ReportKind, _ index: Int, with coder: inout some ExtractCoder
  ) {
    codeStart(with: &coder)
    // Of other kinds and of reports that no table needs, rows are only counted.
    let haveOutcomes = [.subscriber, .subscriptionEvent, .subscription, .sales].contains(kind)
    if coder.isReading, !rows.addUp, haveOutcomes || rows != RowCounts(onlyRead: rows.read) {
      coder.fail()
    }
    coder.list(&rejects, blank: .blank) { $0.code(with: &$1) }
    coder.anyDay(&firstDay)
    coder.day(&lastDay)
    coder.list(&apps, blank: AppRows(app: .blank)) { rows, coder in
      coder.symbol(&rows.app)
      coder.optional(&rows.lastCharge, blank: Day(number: 0)) { $1.day(&$0) }
    }
    switch kind {
    case .subscriber:
      coder.flag(&hasBlankLines)
      codeLastRows(of: Attributes.self, with: &coder)
    case .subscriptionEvent:
      Self.code(&events, blank: .blank, with: &coder) { $0.code(with: &$1) }
      codeLastRows(of: EventTerms.self, with: &coder)
    case .subscription:
      Self.code(&snapshot, blank: SnapshotRowKey(terms: 0, .standard), with: &coder) {
        $1.terms(&$0.terms, of: SnapshotTerms.self)
        $1.word(&$0.column)
      }
      coder.list(&unknownCounts, blank: UnknownCount(column: "", sum: 0)) { count, coder in
        coder.text(&count.column)
        coder.count(&count.sum)
      }
      codeLastRows(of: SnapshotTerms.self, with: &coder)
    case .sales:
      Self.code(&sales, blank: .blank, with: &coder) { $0.code(with: &$1) }
      Self.code(&dailySales, blank: .blank, with: &coder) { $0.code(with: &$1) }
      coder.list(&rejectedSales, blank: .blank) { $0.code(with: &$1) }
      codeLastRows(of: SalesTerms.self, with: &coder)
    case .financial, .financeDetail, .payments:
      var file = trustedFinance
      FinanceFile.code(&file, index, with: &coder)
      finance = file.map { .success($0) }
    default: break
    }
  }

  /// Encodes or decodes the first values of each entry, which decide which report a file is.
  mutating func codeStart(with coder: inout some ExtractCoder) {
    rows.code(with: &coder)
    EventDays.code(&eventDays, with: &coder)
    coder.list(&severalPeriods, blank: ReportPeriod()) { $0.code(with: &$1) }
  }

  private mutating func codeLastRows<Terms: ExtractTerms, Coder: ExtractCoder>(
    of kind: Terms.Type, with coder: inout Coder
  ) {
    coder.list(&lastRows, blank: NameTracker.LastRow(terms: 0, row: 0)) { last, coder in
      coder.terms(&last.terms, of: kind)
      coder.integer(&last.row)
    }
  }

  /// Encodes or decodes counts by key.
  private static func code<Key: QuickHashable, Coder: ExtractCoder>(
    _ counts: inout KeyCounts<Key>, blank: Key, with coder: inout Coder,
    _ code: (inout Key, inout Coder) -> Void
  ) {
    var list = Array(counts.entries)
    coder.list(&list, blank: (blank, 0)) { entry, coder in
      code(&entry.key, &coder)
      coder.count(&entry.count)
    }
    guard coder.isReading else { return }
    for entry in list { counts.add(entry.count, of: entry.key) }
  }
}

extension EventDays {
  /// Encodes or decodes the days of a report; `nil` without a row.
  package static func code(_ days: inout EventDays?, with coder: inout some ExtractCoder) {
    var counts = (days?.counts ?? [:]).sorted { $0.key < $1.key }.map {
      (day: $0.key, count: $0.value)
    }
    coder.list(&counts, blank: (Day(number: 0), 0)) { entry, coder in
      coder.day(&entry.day)
      coder.count(&entry.count)
    }
    if coder.isReading {
      days = EventDays(Dictionary(counts.map { ($0.day, $0.count) }) { $1 })
    }
  }
}

extension ReportPeriod {
  mutating func code(with coder: inout some ExtractCoder) {
    coder.day(&firstDay)
    coder.day(&lastDay)
  }
}

extension RowCounts {
  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    coder.count(&read)
    coder.count(&used)
    coder.count(&rejected)
    coder.count(&rewritten)
    coder.count(&refusing)
    coder.count(&lackingColumns)
    var counts = ignored.map { (reason: $0.key.rawValue, count: $0.value) }
    counts.sort { $0.reason < $1.reason }
    coder.list(&counts, blank: (reason: "", count: 0)) { count, coder in
      coder.text(&count.reason)
      coder.count(&count.count)
    }
    guard coder.isReading else { return }
    for (word, count) in counts {
      if let known = IgnoredReason(rawValue: word) { ignored[known] = count } else { coder.fail() }
    }
    if read < 0 { coder.fail() }
  }
}

extension EventRowKey {
  fileprivate static let blank = EventRowKey(
    terms: 0, day: Day(number: 0), originalStart: nil, paidPeriods: 0)

  fileprivate mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    coder.terms(&terms, of: EventTerms.self)
    coder.day(&day)
    coder.optional(&originalStart, blank: Day(number: 0)) { $1.day(&$0) }
    coder.integer(&paidPeriods, in: 0...EventRowKey.mostPaidPeriods)
  }
}

extension SalesRowKey {
  fileprivate static let blank = SalesRowKey(terms: 0, day: Day(number: 0), units: 0)

  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    coder.terms(&terms, of: SalesTerms.self)
    coder.day(&day)
    coder.flag(&isNegative)
    coder.flag(&isZero)
  }
}

extension DailySalesKey {
  fileprivate static let blank = DailySalesKey(terms: 0, day: Day(number: 0), 0)

  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    coder.terms(&terms, of: SalesTerms.self)
    coder.day(&day)
    coder.integer(&sign)
  }
}

extension Reject {
  static let blank = Reject(
    line: 0, byteOffset: 0, field: 0, column: "", code: .missingValue, found: .words(""),
    expected: "")

  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    var (line, byteOffset, field, column) = (line, byteOffset, field, column)
    var (code, found, expected) = (code, found, expected)
    coder.count(&line)
    coder.count(&byteOffset)
    coder.count(&field)
    coder.text(&column)
    var word = code.rawValue
    coder.text(&word)
    if let known = Code(rawValue: word) { code = known } else { coder.fail() }
    found.code(with: &coder)
    coder.text(&expected)
    self = Reject(
      line: line, byteOffset: byteOffset, field: field, column: column, code: code, found: found,
      expected: expected)
  }
}

extension Reject.Finding {
  /// Encodes or decodes the text found; of personal text only the length, because messages show no more.
  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    var (form, text): (UInt8, String) =
      switch self {
      case .text(let text): (0, text)
      case .words(let text): (1, text)
      case .personal(let text): (2, text)
      }
    coder.integer(&form)
    guard form == 2 else {
      coder.text(&text)
      self = form == 0 ? .text(text) : .words(text)
      return
    }
    var length = text.utf8.count
    coder.integer(&length)
    guard coder.isValid, (0...1_000).contains(length) else { return coder.fail() }
    self = .personal(String(repeating: "?", count: length))
  }
}
