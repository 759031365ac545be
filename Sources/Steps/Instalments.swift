import AppStoreReports
import Counting
import ReportCache
import Storage

extension Folding {
  /// Evidence that products are sold in instalments.
  struct Instalments {
    var cover = Cover()
    var evidence = InstalmentEvidence()

    init(_ cover: Cover = Cover(), _ evidence: InstalmentEvidence = InstalmentEvidence()) {
      self.cover = cover
      self.evidence = evidence
    }

    init(_ frame: Frame, _ plan: StepPlan, _ registries: Registries) throws(StepError) {
      try plan.check(frame)
      self.init()
      try frame.read(registries) { code(plan, with: &$0) }
    }

    mutating func add(_ other: Instalments) throws(StepError) {
      try cover.add(other.cover)
      evidence.merge(other.evidence)
    }

    func frame(_ plan: StepPlan, _ registries: Registries) -> Frame {
      var copy = self
      return Frame(Frame.Label(.instalments, plan: plan.identity), registries) {
        copy.code(plan, with: &$0)
      }
    }

    private mutating func code(_ plan: StepPlan, with coder: inout some ExtractCoder) {
      cover.code(plan, with: &coder)
      evidence.code(with: &coder)
    }
  }
}
