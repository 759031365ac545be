import SubscriptionModel

/// The downloads in which Apple reports a settlement, in order of precedence.
enum SettlementForm: Int, Comparable {
  case regions, single, detail

  init(_ form: FinanceStatement.Form) {
    self =
      switch form {
      case .region: .regions
      case .single: .single
      case .detail: .detail
      }
  }

  /// The name of the download in `evidence`.
  var text: String {
    switch self {
    case .regions: "FINANCIAL by region"
    case .single: "FINANCIAL ZZ"
    case .detail: "FINANCE_DETAIL"
    }
  }

  static func < (left: SettlementForm, right: SettlementForm) -> Bool {
    left.rawValue < right.rawValue
  }
}
