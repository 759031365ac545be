import ReportCache
import Storage

extension Folding {
  /// The partitions that a frame covers.
  struct Cover {
    private(set) var partitions: [Int] = []

    init(_ partitions: [Int] = []) { self.partitions = partitions }

    /// Adds the partitions of another part.
    ///
    /// - Throws: ``StepError`` for a partition that is covered already.
    mutating func add(_ other: Cover) throws(StepError) {
      let own = Set(partitions)
      if let twice = other.partitions.first(where: own.contains) {
        throw StepError(.misplaced, "found partition \(twice) twice")
      }
      partitions = (partitions + other.partitions).sorted()
    }

    /// Checks that all partitions are covered.
    func checkIsWhole(_ plan: StepPlan, _ kind: Frame.Kind) throws(StepError) {
      let own = Set(partitions)
      if let missing = (0..<plan.partitionCount).first(where: { !own.contains($0) }) {
        throw StepError(
          .misplaced, "found no frame \"\(kind.rawValue)\" of partition \(missing)")
      }
    }

    mutating func code<Coder: ExtractCoder>(_ plan: StepPlan, with coder: inout Coder) {
      coder.list(&partitions, blank: 0) { $1.integer(&$0) }
      if partitions.contains(where: { !(0..<plan.partitionCount).contains($0) }) { coder.fail() }
    }
  }
}
