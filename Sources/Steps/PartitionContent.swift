import AppStoreReports
import Pipeline
import ReportCache
import Storage
import SubscriptionModel

/// The charges and responses of a partition.
struct PartitionContent {
  var charges: ChargeStore
  /// The responses that were added to the step's store.
  var responses = PlaceSum()
  /// Their original ids that responses after as-of have too.
  var laterIDsFound: Set<ReceiptID> = []
  private var sum = PlaceSum()

  init(charges: ChargeStore) { self.charges = charges }

  var isWithoutReceipts: Bool { responses.count == 0 }

  var bins: PartitionBins { PartitionBins([charges], keeps: false) }

  /// Reads the frames of a partition, and checks that the charges are those that were read from the files.
  mutating func read(
    _ frames: inout FrameSource, of partition: Int, _ pass: Folding.Pass, _ plan: StepPlan,
    _ whole: StepPlan.Whole, _ context: ReadContext, termCount: Int
  ) throws {
    var reader = ExtractReader(context.registries)
    let isOwn = { (frame: Frame) in frame.label.partition == partition }
    while let frame = try frames.next(where: isOwn) {
      let isRead: Bool
      switch frame.label.kind {
      case .charges:
        try check(frame, of: partition, plan, made: whole.plan)
        reader.open(frame.bytes, frame.content)
        isRead = add(&reader, plan, termCount: termCount)
      case .receipts where pass != .instalments:
        try check(frame, of: partition, plan, made: plan.identity)
        isRead = try Responses(frame, plan).forEach(context.registries) { response in
          responses.add(file: response.file, number: response.number)
          context.receipts.add(response.transactions, response.renewals)
          for copy in response.transactions where whole.later.originalIDs.contains(copy.originalID)
          {
            laterIDsFound.insert(copy.originalID)
          }
        }
      default:
        let expected =
          pass == .instalments ? "frames \"charges\"" : "frames \"charges\" and \"receipts\""
        throw StepError(
          .misplaced, "found the frame \"\(frame.label.text)\"; fold expects \(expected)")
      }
      guard isRead else { throw StepError.unreadable(frame) }
    }
    guard sum == whole.charges[partition] else {
      let expected = whole.charges[partition].count
      throw StepError(
        .misplaced,
        "found \(sum.count) charges of partition \(partition), expected the \(expected) that were read"
      )
    }
  }

  private func check(
    _ frame: Frame, of partition: Int, _ plan: StepPlan, made identity: String
  ) throws(StepError) {
    try plan.check(frame, plan: identity)
    guard frame.label.partition == partition,
      frame.label.partitionCount == plan.partitionCount
    else {
      throw StepError(
        .misplaced,
        "found the frame \"\(frame.label.text)\", expected those of partition \(partition)")
    }
  }

  /// Adds the charges of one task.
  ///
  /// - Returns: Whether all could be read, and have only terms of the plan: those among the first `termCount`.
  private mutating func add(
    _ reader: inout ExtractReader, _ plan: StepPlan, termCount: Int
  ) -> Bool {
    var columns = ChargeColumns()
    while true {
      var isThere = false
      reader.flag(&isThere)
      guard isThere else { return reader.close() }
      var file = 0
      reader.integer(&file)
      columns.removeAll()
      columns.read(with: &reader)
      guard reader.isValid, (0..<plan.fileCount).contains(file),
        columns.terms.allSatisfy({ $0 < termCount })
      else { return false }
      columns.forEach(inFile: file, columns.terms) { charge in
        charges.append(charge)
        sum.add(charge.order)
      }
    }
  }
}
