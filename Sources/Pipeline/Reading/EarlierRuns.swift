package import AppStoreReports
package import Counting
package import Files
package import PriceImpact
package import SubscriptionModel

/// Results of earlier runs, so that a run need not open, read and count unchanged files again.
///
/// A method that looks up a result returns `nil` if there is no usable one; the run then does the step itself. The
/// output is the same in both cases.
package protocol EarlierRuns: Sendable {
  /// The folder where results are kept; it is excluded from inputs.
  var folderPath: String { get }

  /// Begins a run, which may start reading the kept results while the run lists its files.
  func begin(_ plan: RunPlan) -> any RunMemo
}

/// The results that one run reuses from earlier runs and keeps for later ones.
package protocol RunMemo: Sendable {
  /// Returns header and period of a report unchanged since it was last read; `nil` when it must be opened.
  func text(of file: InputFile) -> RecognizedText?

  /// Returns the registries that the run will use: new ones, or those with the symbols and terms of the last tally.
  ///
  /// `keepsTally`: whether the tally of SUBSCRIBER reports can become that of the next run.
  func registries(keepsTally: Bool) -> Registries

  /// Starts reading kept results, after the files that count are chosen.
  func begin(_ context: ReadContext)

  /// Returns the results for single files, for use on one thread.
  func fileMemo(_ context: ReadContext) -> any FileMemo

  /// Makes ``FileMemo/recall(_:_:_:_:)`` read the charges of all files from now on.
  ///
  /// Returns whether it has skipped charges so far, because the last tally counts them.
  func stopSkippingCharges() -> Bool

  /// Updates the last run's tally of SUBSCRIBER reports to this run's; `nil` when all charges must be folded.
  ///
  /// `days` are those on which SUBSCRIBER reports are present, `charges` those that were read, by thread: at least
  /// those of reports that the last tally does not count.
  func updatedTally(
    _ reports: [FileReport], _ days: Completeness, _ charges: [ChargeStore], _ context: ReadContext
  ) -> (any UpdatedTally)?

  /// The counts of receipts, if they are known before the run reads its files; `nil` when the run counts them.
  var foldedReceipts: (any FoldedReceipts)? { get }

  /// Ends the run: keeps its results for later runs.
  ///
  /// `folded` is `nil` when no SUBSCRIBER report counts. Unless the tally counts as many rows as the files use
  /// (`isSound`), the next run counts all rows again.
  func end(_ reports: [FileReport], _ folded: FoldedChains?, isSound: Bool, _ context: ReadContext)

  /// Returns a memo without a last tally, for when the same run must read all files again.
  func restarted() -> any RunMemo
}

extension RunMemo {
  package var foldedReceipts: (any FoldedReceipts)? { nil }
}

/// The counts of a run's receipts.
package protocol FoldedReceipts: Sendable {
  var counts: ReceiptCounts { get }
  /// The statements of all responses of the run.
  var statements: ReceiptStatements { get }
  /// The original ids of responses after as-of that responses of the run have too.
  var laterIDsFound: Set<ReceiptID> { get }

  /// Returns what the customers did who met a price increase; nothing was added to the fold before.
  func prices(of prices: PriceReport, _ fold: PriceFold) -> PriceFold.Part?
}

/// The results for single files that one thread reuses from earlier runs and keeps for later ones.
package protocol FileMemo: AnyObject {
  /// Recalls the extract of a report or finance file into an empty one.
  ///
  /// The store receives the charges of a SUBSCRIBER report, unless they are skipped. Returns the SHA-256 and length
  /// of the file; `nil`, with nothing changed, when the file must be read.
  func recall(
    _ file: RecognizedFile, _ index: Int, _ extract: inout FileExtract, _ charges: inout ChargeStore
  ) -> StoredBytes?

  /// Returns the result for a file that an earlier step of this run could not read; `nil` if it can be recalled or
  /// read.
  func unreadable(_ index: Int) -> UnreadableFile?

  /// Whether what this keeps is counted elsewhere, so that the run itself holds no charges and responses.
  var isCountedElsewhere: Bool { get }

  func beginReport()

  /// Keeps the next charge of the report.
  func keep(_ charge: ChargeRecord)

  /// Keeps the extract, without charges, of a file that was read to its end.
  ///
  /// It is unchanged, and `inout` only to avoid a copy.
  func keep(
    _ extract: inout FileExtract, _ report: FileReport, of file: RecognizedFile, _ index: Int)

  /// Recalls a dump; adds the contents of its responses to the run's ``SharedReceiptStore``.
  ///
  /// `nil`, with nothing changed, when the dump must be read.
  func recallDump(_ file: RecognizedFile, _ index: Int) -> (
    extract: DumpExtract, bytes: StoredBytes
  )?

  /// Prepares to keep a dump; called again when the reader restarts the dump.
  func beginDump()

  /// Keeps the contents of the dump's next response.
  func keepResponse(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy])

  /// Keeps the rest of the dump's extract after it was read to its end.
  func keepDump(_ extract: DumpExtract, _ report: FileReport, of file: RecognizedFile)

  /// Ends a dump, whether it was kept or not: frees the memory of its responses.
  func endDump()
}

extension FileMemo {
  package var isCountedElsewhere: Bool { false }

  package func unreadable(_ index: Int) -> UnreadableFile? { nil }
}

/// What was found in a file that could not be read to its end.
package struct UnreadableFile: Sendable {
  package var problem: FileProblem
  /// The SHA-256 of its stored bytes; blank if they could not be read.
  package var sha256: String
  /// The number of rows before the fault.
  package var rowsRead: Int

  package init(problem: FileProblem, sha256: String, rowsRead: Int) {
    self.problem = problem
    self.sha256 = sha256
    self.rowsRead = rowsRead
  }
}

/// The hash and length of a file's stored bytes.
package struct StoredBytes {
  /// Their SHA-256 in hexadecimal digits.
  package var sha256: String
  package var count: Int

  package init(sha256: String, count: Int) {
    self.sha256 = sha256
    self.count = count
  }
}

/// The tally of SUBSCRIBER reports, updated from the last run's.
package protocol UpdatedTally: Sendable {
  /// The tally and number of all subscribers, without their chains.
  var result: SubscriberFold.Result { get }

  /// The number of subscribers with a row in a report added or removed since the last run.
  var changedSubscribers: Int { get }

  /// The terms of all charges, with the plans that decide which charges are instalments.
  var termsWithPlans: TermsWithPlans { get }

  /// Updates the last run's tally of price increases; `nil` when all chains must be folded.
  func prices(
    of prices: PriceReport, _ fold: PriceFold, _ terms: [ChargeTerms]
  ) -> PriceFold.Part?
}
