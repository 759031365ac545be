package import Evidence

extension ExplainedTable {
  /// The tables whose rows have another form than those of facts.
  package static let others = [priceImpact, reconcile, drivers, health]
}
