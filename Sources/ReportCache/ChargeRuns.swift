import Storage
import SubscriptionModel

/// What changes rarely from charge to charge of a SUBSCRIBER report, as short lists: days, and unusual charges.
///
/// A charge is meant by its index in the report.
struct ChargeRuns {
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

  private var days: [DayRun] = []
  private var exceptions: [Exception] = []
  /// The row that would continue the last run.
  private var nextRow: UInt32 = 0

  mutating func append(_ record: ChargeRecord, at index: Int) {
    let row = UInt32(truncatingIfNeeded: record.order)
    if days.isEmpty || row != nextRow || record.day != days[days.count - 1].day {
      days.append(DayRun(index: index, row: row, day: record.day))
    }
    nextRow = row &+ 1
    guard record.units != 1 || record.isRefund || record.isIDReset else { return }
    exceptions.append(
      Exception(
        index: index, units: record.units, isRefund: record.isRefund,
        isIDReset: record.isIDReset, purchaseDay: record.purchaseDay))
  }

  /// Removes all charges and keeps the memory.
  mutating func removeAll() {
    days.removeAll(keepingCapacity: true)
    exceptions.removeAll(keepingCapacity: true)
  }

  /// Whether each of so many charges has a day, and the lists are those that ``append(_:at:)`` makes.
  func areComplete(for count: Int) -> Bool {
    guard count > 0 else { return days.isEmpty && exceptions.isEmpty }
    return days.first?.index == 0 && days.allSatisfy { $0.index < count }
      && zip(days, days.dropFirst()).allSatisfy { $0.index < $1.index }
      && exceptions.allSatisfy { (0..<count).contains($0.index) }
      && days.allSatisfy { Day.possibleNumbers.contains($0.day) }
      && exceptions.allSatisfy {
        $0.purchaseDay == ChargeRecord.noDay || Day.possibleNumbers.contains($0.purchaseDay)
      }
  }

  /// Goes through the charges of a report by ascending index.
  struct Cursor {
    private let runs: ChargeRuns
    private let file: UInt64
    private var day = 0
    private var exception = 0

    init(_ runs: ChargeRuns, inFile file: Int) {
      self.runs = runs
      self.file = UInt64(file) << 32
    }

    /// Returns the charge at an index, which is greater than that of the last call.
    mutating func record(at index: Int, subscriber: UInt64, terms: UInt32) -> ChargeRecord {
      while day + 1 < runs.days.count, runs.days[day + 1].index <= index { day += 1 }
      while exception < runs.exceptions.count, runs.exceptions[exception].index < index {
        exception += 1
      }
      let run = runs.days[day]
      let row = run.row &+ UInt32(index - run.index)
      var record = ChargeRecord(
        subscriber: subscriber, order: file | UInt64(row), day: run.day,
        purchaseDay: ChargeRecord.noDay, terms: terms, units: 1, isRefund: false, isIDReset: false)
      guard exception < runs.exceptions.count, runs.exceptions[exception].index == index else {
        return record
      }
      let unusual = runs.exceptions[exception]
      record.units = unusual.units
      record.isRefund = unusual.isRefund
      record.isIDReset = unusual.isIDReset
      record.purchaseDay = unusual.purchaseDay
      return record
    }
  }

  /// Encodes or decodes the lists.
  mutating func code(with coder: inout some ExtractCoder) {
    var before = DayRun(index: 0, row: 0, day: 0)
    coder.list(&days, blank: before) { run, coder in
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
  }
}

extension ExtractCoder {
  /// Encodes or decodes a number as its difference from the one before, which is mostly small.
  fileprivate mutating func integer<Number: FixedWidthInteger>(
    _ value: inout Number, after before: Number
  ) {
    var step = Int64(value) &- Int64(before)
    integer(&step)
    value = Number(truncatingIfNeeded: Int64(before) &+ step)
  }
}
