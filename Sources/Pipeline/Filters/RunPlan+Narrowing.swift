import Rendering
import SubscriptionModel

extension RunPlan {
  /// What narrows the numbers, in words, such as `only product Pro Monthly, country DE or US; as of 2026-06-30`;
  /// `nil` when nothing does.
  public var narrowing: String? {
    let filters = givenFilters ?? filters
    let values = [
      ("app", filters.apps), ("group", filters.groups), ("product", filters.products),
      ("country", filters.countries), ("vendor", filters.vendors),
    ]
    let kept = values.filter { !$0.1.isEmpty }
      .map { "\($0.0) \($0.1.joined(separator: " or "))" }
    var parts: [String] = []
    if !kept.isEmpty { parts.append("only \(kept.joined(separator: ", "))") }
    if let asOf { parts.append("as of \(asOf)") }
    if monthSystem == .fiscal { parts.append("Apple's fiscal periods") }
    switch receipts.environment {
    case .production: break
    case .sandbox: parts.append("sandbox receipts")
    case .all: parts.append("receipts of production and sandbox")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// The end of a page's title: what narrows the numbers, in parentheses; blank when nothing does.
  var titleEnd: String {
    narrowing.map { " (\(MarkdownText.escaped($0)))" } ?? ""
  }

  /// The end of the title of a settlement, which is about a fiscal period anyway and not about receipts.
  var settlementTitleEnd: String {
    var plan = RunPlan(inputs: [], views: [])
    plan.filters.vendors = filters.vendors
    plan.asOf = asOf
    return plan.titleEnd
  }
}
