import Counting
import Rendering
import Storage
import SubscriptionModel

extension MonthlyValue {
  /// Returns the calculation in words, such as `59.99 USD a year, times 1/12, is 4.999`; `more` is what else belongs to
  /// the amount, such as `paid up front`.
  func words(_ value: ChargeValue, _ names: Names, _ more: String? = nil) -> String {
    let money = { (amount: Amount) in NumberStyle.money(milliunits: Int128(amount.milliunits)) }
    // Where both are the same, either is right.
    let basis = amount == value.proceeds && amount != value.price ? " of proceeds" : ""
    let usual = term == value.term ? nil : "the usual term of the product"
    let parts = [
      "\(money(amount)) \(names.text(amount.currency))\(basis) \(term.words)", usual, more,
    ]
    return
      "\(parts.compactMap(\.self).joined(separator: ", ")), times \(factorText), is \(money(result))"
  }

  /// The factor, such as `1/12` or, of a week, `365.25/12/7`.
  private var factorText: String {
    if factor.below == 1 { return "\(factor.above)" }
    guard factor.above == 1_461 else { return "\(factor.above)/\(factor.below)" }
    return factor.below == 48 ? "365.25/12" : "365.25/12/\(factor.below / 48)"
  }
}

extension Term {
  /// Such as `a year`, `a week` or `for 3 months`.
  fileprivate var words: String {
    switch (Int(months), Int(days)) {
    case (12, _): "a year"
    case (1, _): "a month"
    case (let months, _) where months > 0: "for \(months) months"
    case (_, 7): "a week"
    case (_, 1): "a day"
    case (_, let days): "for \(counted(days, "day"))"
    }
  }
}

extension Reason {
  /// What the charges of a contribution are worth a month, as the end of its sentence; blank if the list has no values.
  ///
  /// The sentence has the calculation of the fold, and is left out where its result is not the contribution's value.
  func monthlyWords(of column: RecurringColumn? = nil) -> String {
    guard let monthly, let period else { return "" }
    let values = [period, before].compactMap(\.self).filter(\.isPaid).map { charge in
      let value = monthly(charge.value)
      return (
        number: value.result.milliunits, hasCurrency: value.amount.currency != .blank,
        words: value.words(charge.value, data.names, charge.manner)
      )
    }
    if column == .active {
      return values.first?.hasCurrency == false ? "; no price of it is known" : ""
    }
    let size = abs(price)
    if column?.isChange == true {
      guard values.count == 2, abs(values[0].number - values[1].number) == size else { return "" }
      return "; \(values[0].words); the charge before it: \(values[1].words)"
    }
    // Those who switch in come with the value that they had.
    let inOrder = column == .switchedIn ? values.reversed() : values
    return inOrder.first { $0.number == size && $0.hasCurrency }.map { "; \($0.words)" } ?? ""
  }
}

extension RecurringColumn {
  /// Whether it has the difference of two charges.
  fileprivate var isChange: Bool {
    switch self {
    case .expansionProduct, .expansionOffer, .expansionPrice, .contractionProduct,
      .contractionOffer, .contractionPrice:
      true
    default: false
    }
  }
}

extension ExplainedPeriod {
  /// How the charge was paid, where that decides its term: `paid up front`; `nil` for a standard charge.
  fileprivate var manner: String? {
    if isInstalment { return "an instalment" }
    if isContingent { return "a contingent price" }
    return switch offerMode {
    case .payUpFront: "paid up front"
    case .payAsYouGo: "pay as you go"
    case .none, .freeTrial: nil
    }
  }
}
