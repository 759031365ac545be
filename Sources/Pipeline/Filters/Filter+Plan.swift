import AppStoreReports
import Counting
import Storage
import SubscriptionModel

extension Filter {
  /// Creates the filter of a plan, in which names have been replaced by ids.
  init(_ filters: RunPlan.Filters, _ registries: Registries) {
    var accepted: [Dimension: Set<ExactText>] = [:]
    for (dimension, _, values) in filters.byRow {
      accepted[dimension] = Set<ExactText>(
        of: dimension == .country ? values.map { $0.uppercased() } : values)
    }
    guard !accepted.isEmpty else {
      self.init()
      return
    }
    self.init(dimensions: Set(accepted.keys)) { [accepted] attributes in
      accepted.allSatisfy { dimension, texts in
        let symbol = attributes.value(of: dimension) ?? .blank
        return texts.contains(registries.text(of: symbol))
      }
    }
  }
}
