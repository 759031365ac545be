import AppStoreReports
import Counting
import Files
package import Pipeline
import Storage
package import SubscriptionModel
import Tables

/// One side of a difference: a month of a run's tables.
package struct DifferenceSide: Sendable {
  /// The name in sentences, such as `2026-08` or `run of 2026-08-31`.
  package let name: String
  package let month: Month
  /// The result of a run that has kept its charges, its receipts, or for events and sales its context.
  package let result: RunResult

  /// Creates a side.
  ///
  /// - Parameters:
  ///   - name: The name in sentences.
  ///   - month: The month of the row.
  ///   - result: The run.
  package init(_ name: String, _ month: Month, _ result: RunResult) {
    (self.name, self.month, self.result) = (name, month, result)
  }

  /// For each file of the run, its place among the files of another run, by its path.
  ///
  /// Call it only if the other run has all files of this one.
  func filePlaces(in other: RunResult) -> [UInt64] {
    let places = Dictionary(
      other.files.enumerated().map { ($1.file.path, UInt64($0)) }, uniquingKeysWith: { $1 })
    return result.files.enumerated().map { places[$1.file.path] ?? UInt64($0) }
  }
}

extension AskedRow {
  /// The rows of both sides of a difference.
  ///
  /// A table of countries has no row for DE before its first customer there. If only one side has the row, and the
  /// other side's data have its month from the first day on, the other one's numbers are 0.
  struct Pair {
    let (after, before): (AskedRow, AskedRow)
    /// Says which side has no row; `nil` when both have one.
    let note: String?

    /// Finds both rows.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - sides: The later side, and the one that it is compared with.
    /// - Throws: ``QuestionError`` when neither side has the row, one lacks it and its data do not cover the month, there
    ///   are several, or the cell is empty; or an error of the tables.
    init(_ question: Question, _ sides: (after: DifferenceSide, before: DifferenceSide)) throws {
      let (after, before) = (try Side(question, sides.after), try Side(question, sides.before))
      switch (after.row, before.row) {
      case (let row?, let other?): (self.after, self.before, note) = (row, other, nil)
      case (let row?, nil) where before.isOfData:
        (self.after, self.before, note) = (row, row.withoutCounts(), before.note)
      case (nil, let row?) where after.isOfData:
        (self.after, self.before, note) = (row.withoutCounts(), row, after.note)
      case (nil, _): throw after.error
      case (_, nil): throw before.error
      }
    }

    /// The row of one side, and the sentences for a side without it.
    private struct Side {
      let row: AskedRow?
      /// Whether the data have the month from its first day on.
      let isOfData: Bool
      let error: QuestionError
      let note: String

      init(_ question: Question, _ side: DifferenceSide) throws {
        let month = side.result.plan.monthSystem.name(side.month)
        let table = try AskedRow.table(question, side.result)
        row = try AskedRow(question, ifIn: table, month: month)
        let own = side.result.sources.first { $0.source == question.source }?.completeness
        isOfData =
          question.table != .retention
          && side.result.monthsOfData(for: question.table, from: question.source)?
            .contains(side.month) == true
          && own.map { $0.firstDay <= $0.monthSystem.firstDay(of: side.month) } == true
        let noRow = "\(table.name) has no row\(AskedRow.forRow(question, month))"
        error = QuestionError(noRow)
        note = "note: \(noRow), so its numbers are 0"
      }
    }
  }
}

/// A side of Subscriber reports.
struct FoldedSide: ComparedSide {
  static let withoutRows = "no row of the subscription"

  let name: String
  let month: Month
  let names: Names
  let source: KeptCharges
  private let row: CountedRow
  /// For each file, its place among the files of the later side.
  private let filePlaces: [UInt64]

  init(
    _ side: DifferenceSide, _ question: Question, _ asked: AskedRow, _ charges: KeptCharges,
    filesAsIn other: RunResult
  ) {
    (name, month, names) = (side.name, side.month, side.result.names)
    source = charges
    row = asked.countedRow(
      question, month: side.month, side.result.names, charges.filter, charges.registries)
    filePlaces = side.filePlaces(in: other)
  }

  /// Returns the place that a row has in the run of the later side.
  func place(_ row: UInt64) -> UInt64 {
    filePlaces[Int(row >> 32)] << 32 | row & UInt64(UInt32.max)
  }

  func places(_ contribution: Contribution) -> ComparedPlaces<UInt64> {
    ComparedPlaces(
      first: place(contribution.rows.first), evidence: place(contribution.firstEvidence))
  }

  func customers(_ counted: Set<Counted>) -> ExplainedSubscribers {
    source.customers(row, counted, named: false)
  }

  func traces(
    of subscriptions: Set<SubscriptionKey>, _ columns: [Set<Counted>], jobs: Int
  ) -> [SubscriptionKey: DifferenceTrace<Contribution>] {
    DifferenceTraces.traces(of: subscriptions, in: self, row, columns, jobs: jobs)
  }

  func causes(
    _ own: Set<ExactText>, _ other: Set<ExactText>, _ before: FoldedSide
  ) -> [String] {
    let (new, gone) = (own.subtracting(other), other.subtracting(own))
    return (new.isEmpty ? [] : ["brought by \(new.namesOfFiles)"])
      + (gone.isEmpty ? [] : ["no longer counted: \(gone.namesOfFiles)"])
  }

  func subscription(of contribution: Contribution) -> SubscriptionKey {
    subscription(contribution.subscriber, terms: contribution.terms)
  }

  /// Returns the subscription of a subscriber's row.
  ///
  /// - Parameters:
  ///   - subscriber: The key of the subscriber.
  ///   - terms: The index of the terms of the row.
  /// - Returns: The subscription.
  func subscription(_ subscriber: UInt64, terms: UInt32) -> SubscriptionKey {
    let isText = subscriber & SubscriberKey.textBit != 0
    return SubscriptionKey(
      number: isText ? 0 : subscriber,
      text: isText ? source.registries.subscriberText(of: subscriber) : "",
      group: names.text(source.terms[Int(terms)].attributes.group))
  }

  /// Returns the key that a subscription's subscriber has in this run.
  func subscriber(of subscription: SubscriptionKey) -> UInt64 {
    subscription.isOfText
      ? source.registries.subscriberKey(of: subscription.text) : subscription.number
  }
}

/// A subscription in words that all runs share: the id of its subscriber, and its group.
struct SubscriptionKey: ComparedSubscription {
  /// The id; 0 for an id that is no number.
  let number: UInt64
  /// The id that is no number; blank for a number.
  let text: String
  let group: String

  /// Whether the id is no number, so that each run has a key of its own for it.
  var isOfText: Bool { !text.isEmpty }
}
