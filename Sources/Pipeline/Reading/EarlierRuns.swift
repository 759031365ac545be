package import AppStoreReports
package import Metrics
package import SubscriptionModel

/// What earlier runs have left, so that a run need not open, read and count again what has not changed.
///
/// A run asks at each of its steps, and takes the step itself where it gets no answer. With answers or without, its
/// results are the same.
package protocol EarlierRuns: Sendable {
  /// The folder where it is kept, which is no input.
  var folderPath: String { get }

  /// Begins a run: what it needs first is read while it looks for its files.
  func begin(_ plan: RunPlan) -> any RunMemo
}

/// What one run takes from earlier runs and leaves for later ones.
package protocol RunMemo: Sendable {
  /// Returns the header and the period of a report that has not changed since it was read; `nil` when it must be opened.
  func text(of file: InputFile) -> ScoutedText?

  /// Chooses the registries of the run.
  ///
  /// - Parameter keepsTally: Whether the tally of SUBSCRIBER reports can become that of the next run.
  /// - Returns: New ones, or those that the last tally's symbols and terms have been read into.
  func registries(keepsTally: Bool) -> Registries

  /// Begins to read, now that the files that count are chosen.
  func begin(_ context: ReadContext)

  /// Returns what one thread takes from earlier runs file by file.
  func fileMemo(_ context: ReadContext) -> any FileMemo

  /// Gives the charges of all files from now on.
  ///
  /// - Returns: Whether it has left out charges that are in the last tally.
  func stopLeavingOut() -> Bool

  /// Makes the tally of SUBSCRIBER reports from the last one.
  ///
  /// - Parameters:
  ///   - reports: All files of the run.
  ///   - days: Which days of SUBSCRIBER reports are there.
  ///   - charges: The charges that were read, by thread.
  ///   - context: The run.
  /// - Returns: The tally; `nil` when all charges must be folded.
  func changedTally(
    _ reports: [FileReport], _ days: Completeness, _ charges: [ChargeStore], _ context: ReadContext
  ) -> (any ChangedTally)?

  /// Keeps what later runs can use.
  ///
  /// - Parameters:
  ///   - reports: All files of the run.
  ///   - folded: What the chains of all subscribers say; `nil` when no SUBSCRIBER report counts.
  ///   - isSound: Whether the tally counts the rows that the files say are used; if not, the next run counts all anew.
  ///   - context: The run.
  func end(_ reports: [FileReport], _ folded: FoldedChains?, isSound: Bool, _ context: ReadContext)

  /// Returns the memo of the same run when it must read all files once more: without a last tally.
  func again() -> any RunMemo
}

/// What one thread takes from earlier runs and leaves for later ones, file by file.
package protocol FileMemo: AnyObject {
  /// Takes what a report or finance file says.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - index: Its place in the order of all files.
  ///   - extract: Is empty; takes it.
  ///   - charges: Takes the charges of a SUBSCRIBER report, unless they are left out.
  /// - Returns: The SHA-256 and the length of the file; `nil` when it must be read: then nothing has changed.
  func recall(
    _ file: ScoutedFile, _ index: Int, _ extract: inout FileExtract, _ charges: inout ChargeStore
  ) -> StoredBytes?

  /// Begins to read a report.
  func beginReport()

  /// Keeps the next charge of the report.
  func keep(_ charge: ChargeRecord)

  /// Keeps what a file says, now that it is read to its end.
  ///
  /// - Parameters:
  ///   - extract: What it says beside its charges; stays as it is, and is passed so that it need not be copied.
  ///   - report: What became of it.
  ///   - file: The file.
  ///   - index: Its place in the order of all files.
  func keep(_ extract: inout FileExtract, _ report: FileReport, of file: ScoutedFile, _ index: Int)

  /// Takes what a dump says; what its responses hold goes to the run's store.
  ///
  /// - Returns: The rest of what it says, and its SHA-256 and length; `nil` when it must be read: then nothing has
  ///   changed.
  func recallDump(_ file: ScoutedFile, _ index: Int) -> (extract: DumpExtract, bytes: StoredBytes)?

  /// Begins to keep what a dump says; also when its rows are read anew.
  func beginDump()

  /// Keeps what the next response of the dump holds.
  func keepResponse(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy])

  /// Keeps the rest of what the dump says, now that it is read to its end.
  func keepDump(_ extract: DumpExtract, _ report: FileReport, of file: ScoutedFile)

  /// Forgets what the responses of the dump held, whether it is kept or not.
  func endDump()
}

/// The bytes of a file as they are stored.
package struct StoredBytes {
  /// Their SHA-256 in hexadecimal digits.
  package var sha256: String
  package var count: Int

  package init(sha256: String, count: Int) {
    self.sha256 = sha256
    self.count = count
  }
}

/// The tally of SUBSCRIBER reports, made from the last one.
package protocol ChangedTally: Sendable {
  /// What the chains of all subscribers say; their chains are not kept.
  var result: SubscriberFold.Result { get }

  /// How many subscribers have a row in a report that came or went since the last run.
  var changedSubscribers: Int { get }

  /// Which charges were taken for instalments.
  var planned: PlannedTerms { get }

  /// Makes the tally of increases of prices from the last one.
  ///
  /// - Parameters:
  ///   - report: The source with its changes of prices.
  ///   - fold: Folds the chains that have changed.
  ///   - terms: The terms of charges.
  /// - Returns: The tally; `nil` when all chains must be folded.
  func prices(
    of report: SourceReport, _ fold: PriceFold, _ terms: [ChargeTerms]
  ) -> PriceFold.Part?
}
