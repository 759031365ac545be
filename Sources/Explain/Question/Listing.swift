package import Pipeline

/// Which contributions to each column are listed, and how.
package struct Listing: Sendable {
  /// How subscriptions are named; `nil` for the place of their first row.
  package var naming: CustomerTable.Naming?
  package var order: ContributionOrder
  /// How many contributions are printed; `nil` for all.
  package var limit: Int?
  /// Whether to list what belongs to the row and does not count, in place of the contributions.
  package var leavingOut: Bool

  package init(
    naming: CustomerTable.Naming? = nil, order: ContributionOrder = .subscription,
    limit: Int? = nil, leavingOut: Bool = false
  ) {
    (self.naming, self.order) = (naming, order)
    (self.limit, self.leavingOut) = (limit, leavingOut)
  }
}
