import Counting
import Pipeline
import Storage
import SubscriptionModel

/// One side of a difference: the row of a table in terms of a fold, with the source to fold.
protocol ComparedSide: Sendable {
  associatedtype Source: ExplainedSource where Source.Customers.Found: ComparedContribution
  associatedtype Subscription: ComparedSubscription

  /// What a side without the subscription has of it, such as `no row of the subscription`.
  static var withoutRows: String { get }

  /// The name in sentences, such as `2026-08`.
  var name: String { get }
  var month: Month { get }
  var names: Names { get }
  var source: Source { get }

  /// Returns the customers of the side, for one thread.
  func customers(_ counted: Set<Counted>) -> Source.Customers

  /// Returns the subscription of a contribution.
  func subscription(of contribution: Source.Customers.Found) -> Subscription

  /// Returns the places that the rows of a contribution have in the run of the later side.
  func places(
    _ contribution: Source.Customers.Found
  ) -> ComparedPlaces<Source.Customers.Found.RowPlace>

  /// Returns what the side has of subscriptions.
  ///
  /// - Parameters:
  ///   - subscriptions: The subscriptions.
  ///   - columns: What each of the columns counts.
  ///   - jobs: The number of threads.
  /// - Returns: What was found; nothing for a subscription without rows.
  func traces(
    of subscriptions: Set<Subscription>, _ columns: [Set<Counted>], jobs: Int
  ) -> [Subscription: DifferenceTrace<Source.Customers.Found>]

  /// Returns which files make a difference between two runs.
  ///
  /// - Parameters:
  ///   - own: The files of the side with rows of the subscription.
  ///   - other: Those of the other side.
  ///   - before: The other side.
  /// - Returns: The files in words; none if no row is new.
  func causes(_ own: Set<ExactText>, _ other: Set<ExactText>, _ before: Self) -> [String]
}

/// A subscription that two sides may have.
protocol ComparedSubscription: Hashable, Sendable {
  /// Whether it may be in another part of the customers on each side.
  var isOfText: Bool { get }
}

/// What one side has of a subscription besides its contributions.
struct DifferenceTrace<Found: Sendable>: Sendable {
  /// By the index of the column: the last period or refund of the explained table row that does not count.
  var leftOut: [Int: Found] = [:]
  /// The files with rows of the subscription.
  var files: Set<Int> = []
}
