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
    case open(OpenUnits, fraction: String)
    /// Units sold in another bridge that may be settled later, at the mean share of their product.
    case unsettled
  }

  /// Some of the open units.
  struct OpenUnits: Equatable {
    /// Only sales or only returns; `nil` for both.
    var isReturn: Bool?
    /// Only those that add to sums when they are removed from the sales, else only the others.
    var isCredit: Bool

    static let sales = OpenUnits(isReturn: false, isCredit: false)
    static let returns = OpenUnits(isReturn: true, isCredit: false)
    static let all = OpenUnits(isReturn: nil, isCredit: false)

    /// The same kind of units with money of the other sign.
    var credits: OpenUnits { OpenUnits(isReturn: isReturn, isCredit: true) }

    /// Returns whether units are meant.
    ///
    /// - Parameters:
    ///   - milliunits: The amount that removes them from the sales.
    ///   - areReturns: Whether they are returns.
    /// - Returns: Whether they are.
    func contains(_ milliunits: Int128, areReturns: Bool) -> Bool {
      (isReturn ?? areReturns) == areReturns && isCredit == (milliunits >= 0)
    }
  }

  var low: [Part]
  var high: [Part]

  var least: Int128 { low.reduce(0) { $0 + $1.milliunits } }
  var largest: Int128 { high.reduce(0) { $0 + $1.milliunits } }
}

/// The bounds of lines 21 to 25 of a period with FINANCE_DETAIL.
extension BridgeLines {
  private typealias Part = BridgeBounds.Part

  /// Returns a fraction of the proceeds of open units, rounded half to even.
  private func open(
    _ units: BridgeBounds.OpenUnits, _ numerator: Int128, of denominator: Int128, isAdded: Bool
  ) -> Part {
    let open = sums.open
    let sum =
      switch (units.isReturn, units.isCredit) {
      case (nil, false): open.worth
      case (nil, true): open.credit
      case (false, false): open.salesWorth
      case (false, true): open.salesCredit
      case (true, false): open.returnsWorth
      case (true, true): open.returnsCredit
      }
    let amount = (sum * numerator).dividedHalfToEven(by: denominator)
    let fraction = numerator == denominator ? "" : "\(numerator)/\(denominator)"
    return Part(.open(units, fraction: fraction), isAdded ? amount : -amount)
  }

  /// The bounds of line 21: open sales may settle later, at 70 or 85 %, or never.
  var cutoffOutBounds: BridgeBounds {
    let settled = Part(.known, sums[.cutoffOut].milliunits)
    return BridgeBounds(
      low: [
        settled, open(.sales, 85, of: 70, isAdded: false), Part(.unsettled, -sums.unsettledSales),
      ],
      high: [settled, open(.sales.credits, 85, of: 70, isAdded: true)])
  }

  /// The bounds of line 22: those of line 21 for refunds.
  var refundTimingBounds: BridgeBounds {
    let settled = Part(.known, sums[.refundTiming].milliunits)
    return BridgeBounds(
      low: [settled, open(.returns, 85, of: 70, isAdded: false)],
      high: [
        settled, open(.returns.credits, 85, of: 70, isAdded: true),
        Part(.unsettled, sums.unsettledReturns),
      ])
  }

  /// The bounds of line 23: until the period is final, open units may all be settled, or never.
  var notCollectedBounds: BridgeBounds {
    guard !input.isFinal(period) else {
      let amount = [Part(.known, sums[.notCollected].milliunits)]
      return BridgeBounds(low: amount, high: amount)
    }
    return BridgeBounds(
      low: [open(.all, 1, of: 1, isAdded: false)],
      high: [open(.all.credits, 1, of: 1, isAdded: true)])
  }

  /// The bounds of line 24 between Apple's usual rates.
  ///
  /// An open unit sold at 85 % may be settled at 70 %, 15/85 less; one sold at 70 % at 85 %, 15/70 more.
  var shareDifferenceBounds: BridgeBounds {
    let known = Part(.known, (sums.rateDifferences[.usual] ?? .zero).milliunits)
    return BridgeBounds(
      low: [
        known, open(.all, 15, of: 85, isAdded: false),
        open(.all.credits, 15, of: 70, isAdded: false),
      ],
      high: [
        known, open(.all, 15, of: 70, isAdded: true),
        open(.all.credits, 15, of: 85, isAdded: true),
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
    case .cutoffOut: cutoffOutBounds
    case .refundTiming: refundTimingBounds
    case .notCollected: notCollectedBounds
    case .shareDifference where entry.cause == Bridge.rateCause: shareDifferenceBounds
    case .otherRegion: sums.otherRegion[entry.cause].map(otherRegionBounds)
    default: nil
    }
  }
}
