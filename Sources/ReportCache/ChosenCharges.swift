import Storage
import SubscriptionModel

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

  /// Reads the charges of some subscribers, in place of those before.
  ///
  /// - Parameters:
  ///   - some: The subscribers.
  ///   - reader: An entry's reader, at its first byte.
  ///   - termsCount: How many terms the file has; a charge with another number makes the entry invalid.
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

  /// Calls a closure with each charge, in row order.
  ///
  /// - Parameters:
  ///   - file: The file's place in the run.
  ///   - numbers: For each of the file's terms, its number in the run.
  ///   - body: Receives each charge.
  func forEach(inFile file: Int, _ numbers: [UInt32], _ body: (ChargeRecord) -> Void) {
    var cursor = ChargeRuns.Cursor(runs, inFile: file)
    for (place, index) in places.enumerated() {
      body(
        cursor.record(
          at: Int(index), subscriber: subscribers[place], terms: numbers[Int(terms[place])]))
    }
  }
}
