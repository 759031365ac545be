import SubscriptionModel

extension ReceiptSummary {
  /// Returns the remarks of health.csv on all receipts, sorted by bytes.
  ///
  /// - Parameter isVerified: Whether signatures were checked.
  /// - Returns: The `note` of the row, for what belongs to no single file.
  func note(isVerified: Bool) -> String {
    let counts = [
      ("chains without a group (group unknown)", chainsWithoutGroup),
      ("conflicting copies", conflicts), ("family chains", familyChains),
      ("expiry not after purchase", withoutLength), ("no expiry", withoutExpiry),
      ("overlapping non-renewing periods", overlaps), ("plan inferred", inferredPlans),
      ("instalments of unknown position, not due", unknownPositions),
    ]
    let notes = counts.filter { $0.1 > 0 }.map { "\($0.0): \($0.1)" }
    return (notes + (isVerified ? ["signatures checked"] : ["signatures not checked"]))
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "; ")
  }
}
