import AppStoreReports
import Metrics
import SubscriptionModel

extension Filter {
  /// Creates the filter of a plan, in which names have been replaced by ids.
  init(_ filters: RunPlan.Filters, _ registries: Registries) {
    let accepted: [Dimension: Set<String>] = [
      .app: Set(filters.apps), .group: Set(filters.groups), .product: Set(filters.products),
      .country: Set(filters.countries.map { $0.uppercased() }),
      .plan: Set(filters.billingPlans), .contingent: Set(filters.contingent),
    ].filter { !$0.value.isEmpty }
    guard !accepted.isEmpty else {
      self.init()
      return
    }
    self.init(dimensions: Set(accepted.keys)) { attributes in
      accepted.allSatisfy { dimension, texts in
        let symbol = attributes.value(of: dimension) ?? .blank
        return texts.contains(registries.text(of: symbol))
      }
    }
  }
}
