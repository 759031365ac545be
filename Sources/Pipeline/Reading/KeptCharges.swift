package import AppStoreReports
package import Counting
package import SubscriptionModel

/// The charges of SUBSCRIBER reports after a run, to be folded once more, and the files that they are from.
package struct KeptCharges: Sendable {
  package let bins: PartitionBins
  /// Whether each file of the run counts.
  package let isUsable: [Bool]
  /// The days on which data are present.
  package let completeness: Completeness
  /// The terms of charges, with their billing plans.
  package let terms: [ChargeTerms]
  /// The filter of the run, in which names have been replaced by ids.
  package let filter: Filter
  /// The first and last month that tables can have.
  package let months: ClosedRange<Month>
  package let registries: Registries
  /// All files of the run, by their index in ``SubscriptionModel/ChargeRecord/order``.
  package let files: [RecognizedFile]

  init(
    bins: PartitionBins, isUsable: [Bool], completeness: Completeness, terms: [ChargeTerms],
    _ context: ReadContext
  ) {
    self.bins = bins
    self.isUsable = isUsable
    self.completeness = completeness
    self.terms = terms
    filter = context.filter
    months = context.survey.months
    registries = context.registries
    files = context.survey.files
  }
}
