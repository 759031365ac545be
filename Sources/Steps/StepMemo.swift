import AppStoreReports
import Counting
import Files
import Pipeline
import PriceImpact
import Storage
import SubscriptionModel

/// The counts of the folds, which a run reuses.
struct StepMemo: RunMemo {
  let registries: Registries
  /// `nil` if no SUBSCRIBER report counts.
  let tally: StepTally?
  /// `nil` without receipts.
  let foldedReceipts: (any FoldedReceipts)?

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
  var isCountedElsewhere: Bool { false }

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
  /// What the subscribers did who met an increase; `nil` if that is not counted yet.
  var impact: PriceFold.Part?
  let asked = AskedPrices()

  var changedSubscribers: Int { 0 }

  func prices(
    of prices: PriceReport, _ fold: PriceFold, _ terms: [ChargeTerms]
  ) -> PriceFold.Part? { asked.part(of: prices, fold, impact) }
}

/// The counts of the customers of all partitions, in place of responses that the run would fold.
struct StepReceipts: FoldedReceipts {
  let counts: ReceiptCounts
  let statements: ReceiptStatements
  let laterIDsFound: Set<ReceiptID>
  /// What the customers did who met an increase; `nil` if that is not counted yet.
  var impact: PriceFold.Part?
  let asked = AskedPrices()

  func prices(of prices: PriceReport, _ fold: PriceFold) -> PriceFold.Part? {
    asked.part(of: prices, fold, impact)
  }
}

/// The prices of which a run asks the effect.
final class AskedPrices: Sendable {
  private let state = Locked<(prices: Prices.OfSource?, fit: Bool)>((nil, true))

  /// The price changes and planned prices; `nil` as long as the run has not asked.
  var prices: Prices.OfSource? { state.withLock { $0.prices } }

  /// Whether the counted prices are those of the run.
  var fitCounts: Bool { state.withLock { $0.fit } }

  /// Returns the effect that was counted; notes the question.
  func part(
    of prices: PriceReport, _ fold: PriceFold, _ counted: PriceFold.Part?
  ) -> PriceFold.Part {
    var part = fold.part
    var fit = true
    if let counted {
      // All partitions have counted both, even with a count of 0.
      fit =
        (part.impact == nil) == (counted.impact == nil)
        && (part.plan == nil) == (counted.plan == nil)
      if let impact = counted.impact { fit = part.impact?.merge(impact, .plus) == true && fit }
      if let plan = counted.plan { fit = part.plan?.merge(plan) == true && fit }
    }
    let asked = Prices.OfSource(changes: prices.changes, planned: fold.planned)
    state.withLock { [fit] in $0 = (asked, fit) }
    return part
  }
}
