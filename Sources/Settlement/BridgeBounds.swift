import SubscriptionModel

/// The least and the largest amount of a line that is an estimate, each as a sum.
struct BridgeBounds {
  /// A part of a bound.
  struct Part {
    let kind: Kind
    let milliunits: Int128

    init(_ kind: Kind, _ milliunits: Int128) { (self.kind, self.milliunits) = (kind, milliunits) }
  }

  /// Where a part comes from.
  enum Kind: Equatable {
    /// The amount of the line without open units.
    case known
    /// A fraction of the proceeds of open units, which may be settled later.
    case open(isReturn: Bool, fraction: String)
    /// Units sold in another bridge that may be settled later, at the mean share of their product.
    case unsettled
    /// Units at the edge of the period that may count on its other side.
    case edge
  }

  var low: [Part]
  var high: [Part]

  /// Adds what units at the edge of the period may change.
  func adding(_ edge: BridgeSums.Edge?) -> BridgeBounds {
    guard let edge else { return self }
    return BridgeBounds(low: low + [Part(.edge, edge.low)], high: high + [Part(.edge, edge.high)])
  }

  var least: Int128 { low.reduce(0) { $0 + $1.milliunits } }
  var largest: Int128 { high.reduce(0) { $0 + $1.milliunits } }
}

/// The bounds of lines 20 to 25 of a period with FINANCE_DETAIL.
extension BridgeLines {
  private typealias Part = BridgeBounds.Part

  /// Returns a fraction of the proceeds of open sales or returns, rounded half to even.
  private func open(
    _ isReturn: Bool, _ numerator: Int128, of denominator: Int128, isAdded: Bool
  ) -> Part {
    let sum = isReturn ? sums.open.returns : sums.open.sales
    let amount = (sum * numerator).dividedHalfToEven(by: denominator)
    let fraction = numerator == denominator ? "" : "\(numerator)/\(denominator)"
    return Part(.open(isReturn: isReturn, fraction: fraction), isAdded ? amount : -amount)
  }

  private func openSales(_ numerator: Int128, of denominator: Int128, isAdded: Bool) -> Part {
    open(false, numerator, of: denominator, isAdded: isAdded)
  }

  private func openReturns(_ numerator: Int128, of denominator: Int128, isAdded: Bool) -> Part {
    open(true, numerator, of: denominator, isAdded: isAdded)
  }

  /// Returns the bounds of a sum without open units.
  private func exactBounds(_ part: BridgeSums.Part) -> BridgeBounds {
    let amount = [Part(.known, sums[part].milliunits)]
    return BridgeBounds(low: amount, high: amount)
  }

  /// The bounds of line 21: open sales may settle later, at 70 or 85 %, or never.
  var cutoffOutBounds: BridgeBounds {
    let settled = Part(.known, sums[.cutoffOut].milliunits)
    return BridgeBounds(
      low: [
        settled, openSales(85, of: 70, isAdded: false), Part(.unsettled, -sums.unsettledSales),
      ],
      high: [settled])
  }

  /// The bounds of line 22: those of line 21 for refunds.
  var refundTimingBounds: BridgeBounds {
    let settled = Part(.known, sums[.refundTiming].milliunits)
    return BridgeBounds(
      low: [settled],
      high: [
        settled, openReturns(85, of: 70, isAdded: true), Part(.unsettled, sums.unsettledReturns),
      ])
  }

  /// The bounds of line 23: until the period is final, open units may all be settled, or never.
  var notCollectedBounds: BridgeBounds {
    guard !input.isFinal(period) else { return exactBounds(.notCollected) }
    return BridgeBounds(
      low: [openSales(1, of: 1, isAdded: false)], high: [openReturns(1, of: 1, isAdded: true)])
  }

  /// The bounds of line 24 between Apple's usual rates.
  ///
  /// An open unit sold at 85 % may be settled at 70 %, 15/85 less; one sold at 70 % at 85 %, 15/70 more.
  var shareDifferenceBounds: BridgeBounds {
    let known = Part(.known, (sums.rateDifferences[.usual] ?? .zero).milliunits)
    return BridgeBounds(
      low: [
        known, openSales(15, of: 85, isAdded: false), openReturns(15, of: 70, isAdded: false),
      ],
      high: [
        known, openSales(15, of: 70, isAdded: true), openReturns(15, of: 85, isAdded: true),
      ])
  }

  /// Returns the bounds of a row of line 25.
  func otherRegionBounds(_ part: BridgeSums.OtherRegion) -> BridgeBounds {
    let known = Part(.known, part.money.milliunits)
    return BridgeBounds(
      low: [known, Part(.unsettled, -part.unsettledReturns)],
      high: [known, Part(.unsettled, part.unsettledSales)])
  }

  /// Returns the bounds of a row; `nil` if nothing but missing days of SALES makes it an estimate.
  func bounds(of entry: Entry) -> BridgeBounds? {
    switch entry.line {
    case .cutoffIn: exactBounds(.cutoffIn).adding(sums.edges[.cutoffIn])
    case .cutoffOut: cutoffOutBounds.adding(sums.edges[.cutoffOut])
    case .refundTiming: refundTimingBounds.adding(sums.edges[.refundTiming])
    case .notCollected: notCollectedBounds.adding(sums.edges[.notCollected])
    case .shareDifference where entry.cause == Bridge.rateCause: shareDifferenceBounds
    case .otherRegion: sums.otherRegion[entry.cause].map(otherRegionBounds)
    default: nil
    }
  }
}
