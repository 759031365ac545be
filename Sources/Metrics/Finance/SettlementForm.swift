import SubscriptionModel

/// The downloads in which Apple settles, in the order in which they count.
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

  /// What the download is called in `evidence`.
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
