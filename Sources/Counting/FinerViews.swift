import Storage
import SubscriptionModel

/// Views with the dimensions of several requested views, which are summed from them at the end.
///
/// A fold adds each fact once to a finer view, not once to each requested view. Example: `country × product`, for the
/// whole population and the views by country and by product. A finer view has at most 2 dimensions, all of rows, such
/// as `country`, or all of chains, such as `start_month`. Beside `product`, `app` and `duration` do not count: they
/// add hardly a cohort, because a product has one app and mostly one duration.
struct FinerViews: Sendable {
  /// A finer view.
  struct View: Sendable {
    var tally: ViewTally
    /// The indices of the requested views that are added up from it.
    let requested: [Int]
  }

  var views: [View] = []
  /// The indices of the requested views to which each fact is added directly.
  let direct: [Int]

  private static let maximumDimensions = 2

  /// Chooses the finer views for a tally's views of every table.
  init(of tally: Tally) {
    let dimensions = { (view: Int) in tally.views[view].index.dimensions }
    let ofRows = tally.fullViews.filter { !dimensions($0).contains(where: \.isOfChain) }
    let ofChains = tally.fullViews.filter {
      !dimensions($0).isEmpty && dimensions($0).allSatisfy(\.isOfChain)
    }
    for requested in [ofRows, ofChains] {
      let together = Set(requested.flatMap(dimensions))
      let deciding =
        together.contains(.product) ? together.subtracting([.app, .duration]) : together
      guard requested.count > 1, deciding.count <= Self.maximumDimensions else { continue }
      let inOrder = Dimension.allCases.filter(together.contains)
      views.append(
        View(tally: tally.views[requested[0]].empty(dimensions: inOrder), requested: requested))
    }
    let finer = Set(views.flatMap(\.requested))
    direct = tally.fullViews.filter { !finer.contains($0) }
  }

  /// Calls `body` with each finer view, and with each view of a tally that has none.
  @inline(__always)
  mutating func forEach(andDirectOf tally: inout Tally, _ body: (inout ViewTally) -> Void) {
    for number in views.indices { body(&views[number].tally) }
    for view in direct { body(&tally.views[view]) }
  }

  /// Adds the finer views to the requested views of a tally.
  func add(to tally: inout Tally) {
    for finer in views {
      for view in finer.requested { tally.views[view].merge(finer.tally) }
    }
  }
}

/// A tally with its finer views, to which rows are added: each fact is added once, not to every view.
struct FinerTally: Sendable {
  /// The counts so far, without those of the finer views.
  var tally: Tally
  private var finer: FinerViews

  /// Creates counts to add to.
  ///
  /// - Parameter tally: An empty tally.
  init(_ tally: Tally) {
    self.tally = tally
    finer = FinerViews(of: tally)
  }

  /// The counts so far, those of the finer views too.
  var total: Tally {
    var total = tally
    finer.add(to: &total)
    return total
  }

  /// Calls `body` with each finer view, and with each view that has none.
  @inline(__always)
  mutating func forEach(_ body: (inout ViewTally) -> Void) {
    finer.forEach(andDirectOf: &tally, body)
  }
}
