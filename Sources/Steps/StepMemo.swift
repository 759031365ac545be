import AppStoreReports
import Counting
import Files
import Pipeline
import PriceImpact
import SubscriptionModel
import Threads

/// The counts of the folds, which a run reuses.
struct StepMemo: RunMemo {
  let registries: Registries
  /// `nil` if no SUBSCRIBER report counts.
  let tally: StepTally?

  func text(of file: InputFile) -> RecognizedText? { nil }
  func registries(keepsTally: Bool) -> Registries { registries }
  func begin(_ context: ReadContext) {}
  func fileMemo(_ context: ReadContext) -> any FileMemo { NoFiles() }
  func stopSkippingCharges() -> Bool { false }

  func updatedTally(
    _ reports: [FileReport], _ days: Completeness, _ charges: [ChargeStore], _ context: ReadContext
  ) -> (any UpdatedTally)? { tally }

  func end(
    _ reports: [FileReport], _ folded: FoldedChains?, isSound: Bool, _ context: ReadContext
  ) {}

  func restarted() -> any RunMemo { self }
}

/// Files without a result of another step.
class NoFiles: FileMemo {
  func recall(
    _ file: RecognizedFile, _ index: Int, _ extract: inout FileExtract, _ charges: inout ChargeStore
  ) -> StoredBytes? { nil }

  func unreadable(_ index: Int) -> UnreadableFile? { nil }
  func beginReport() {}
  func keep(_ charge: ChargeRecord) {}
  func keep(
    _ extract: inout FileExtract, _ report: FileReport, of file: RecognizedFile, _ index: Int
  ) {}

  func recallDump(_ file: RecognizedFile, _ index: Int) -> (
    extract: DumpExtract, bytes: StoredBytes
  )? { nil }

  func beginDump() {}
  func keepResponse(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {}
  func keepDump(_ extract: DumpExtract, _ report: FileReport, of file: RecognizedFile) {}
  func endDump() {}
}

/// The counts of all partitions, in place of charges that the run would fold.
struct StepTally: UpdatedTally {
  let result: SubscriberFold.Result
  let termsWithPlans: TermsWithPlans
  /// Whether the run has asked for the effect of price increases.
  let askedForPrices = Asked()

  /// A question that a run has asked.
  final class Asked: Sendable {
    private let wasAsked = Locked(false)

    var value: Bool { wasAsked.withLock { $0 } }

    func note() { wasAsked.withLock { $0 = true } }
  }

  var changedSubscribers: Int { 0 }

  func prices(
    of prices: PriceReport, _ fold: PriceFold, _ terms: [ChargeTerms]
  ) -> PriceFold.Part? {
    askedForPrices.note()
    return fold.part
  }
}
