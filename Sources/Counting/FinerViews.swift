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

/// Numbers of paid charges by terms and month.
///
/// Views without chain dimensions use them: there a charge's cohort and money depend only on its terms. So money is
/// added at the end, once per set of terms and month, not once per view and chain.
struct ChargeCounts: Sendable {
  private struct Key: Hashable {
    var terms: Int
    package var month: Month
  }

  private let firstMonth: Month
  private let monthCount: Int
  /// The index of the first count of each set of terms; -1 for terms without a charge so far.
  private var starts: [Int32]
  /// For each set of terms with charges, one count per month from the first month on.
  private var counts: [UInt32] = []
  /// Counts of months outside the data; if `counts` would be too long, all counts.
  ///
  /// Rows may be dated before or after all reports.
  private var sparseCounts: [Key: UInt32] = [:]

  /// The largest number of counts: 8 MiB, three times as much as 30 million simulated rows of two years need.
  private static let longestList = 1 << 21

  init(terms: Int, _ completeness: Completeness) {
    firstMonth = completeness.firstMonth
    let months = max(0, completeness.lastMonth - firstMonth + 1)
    monthCount = terms * months <= Self.longestList ? months : 0
    starts = Array(repeating: -1, count: terms)
  }

  /// Counts a paid charge.
  @inline(__always)
  mutating func add(terms: Int, month: Month) {
    let offset = month - firstMonth
    if offset >= 0, offset < monthCount {
      if starts[terms] < 0 { begin(terms) }
      counts[Int(starts[terms]) &+ offset] &+= 1
    } else {
      sparseCounts[Key(terms: terms, month: month), default: 0] &+= 1
    }
  }

  private mutating func begin(_ terms: Int) {
    starts[terms] = Int32(counts.count)
    counts.append(contentsOf: repeatElement(0, count: monthCount))
  }

  /// Calls `body` for every count other than 0.
  func forEach(_ body: (_ count: Int, _ terms: Int, _ month: Month) -> Void) {
    for (terms, start) in starts.enumerated() where start >= 0 {
      for offset in 0..<monthCount where counts[Int(start) + offset] != 0 {
        body(Int(counts[Int(start) + offset]), terms, firstMonth + offset)
      }
    }
    for (key, count) in sparseCounts { body(Int(count), key.terms, key.month) }
  }
}

extension ViewTally {
  /// Adds paid charges to a view without chain dimensions.
  mutating func add(_ charges: ChargeCounts, _ terms: [ChargeTerms]) {
    charges.forEach { count, number, month in
      let own = terms[number]
      let cohort = index.cohort(terms: number, attributes: own.attributes, chainPart: 0)
      guard let cohort else { return }
      money.addCharge(
        price: own.price, proceeds: own.proceeds, count: count, cohort: cohort, month: month)
    }
  }
}
