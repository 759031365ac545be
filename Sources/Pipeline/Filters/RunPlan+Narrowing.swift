import Counting
import Rendering
package import SubscriptionModel

extension RunPlan {
  /// The filters and options that narrow the numbers, in words; `nil` without any.
  ///
  /// Such as `only product Pro Monthly, country DE or US; as of 2026-06-30`.
  var narrowing: String? {
    let filters = givenFilters ?? filters
    var kept = filters.byRow.map { "\($0.name) \($0.values.joined(separator: " or "))" }
    if !filters.vendors.isEmpty {
      kept.append("vendor \(filters.vendors.joined(separator: " or "))")
    }
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

  /// The sources that are read, if not all, and ``narrowing``; blank without any.
  var limits: String {
    let names = Source.allCases.filter(sources.contains).map(\.rawValue)
    let isWhole = names.count == Source.allCases.count
    let parts = (isWhole ? [] : ["source \(names.joined(separator: ", "))"]) + [narrowing ?? ""]
    return parts.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// The end of a page's title: ``limits`` in parentheses, in Markdown; blank without any.
  var titleEnd: String { limits.isEmpty ? "" : " (\(MarkdownText.escaped(limits)))" }
}

extension RunResult {
  /// The filters and options that narrow the numbers, in words; `nil` without any.
  package var narrowing: String? { effectivePlan.narrowing }

  /// The end of a page's title: ``narrowing`` in parentheses; blank without any.
  package var titleEnd: String { effectivePlan.titleEnd }

  /// Returns what the numbers of a table are limited to, in words.
  ///
  /// - Parameter source: The one source of the table; `nil` for all sources of the run.
  /// - Returns: Such as `source events; only country DE`; blank for nothing.
  package func limits(from source: Source? = nil) -> String {
    var plan = effectivePlan
    if let source { plan.sources = [source] }
    return plan.limits
  }

  /// The end of a settlement's title: only vendor and as-of, as it is by fiscal period and without receipts.
  package var settlementTitleEnd: String { settlementPlan.titleEnd }

  /// What settlements are limited to, in words; blank for nothing.
  package var settlementLimits: String { settlementPlan.limits }

  private var settlementPlan: RunPlan {
    var shown = RunPlan(inputs: [], views: [])
    shown.filters.vendors = plan.filters.vendors
    shown.asOf = effectivePlan.asOf
    return shown
  }

  /// The plan with as-of limited to the end of the data.
  private var effectivePlan: RunPlan {
    var plan = plan
    var ends = sources.map(\.completeness.asOf)
    ends += (finance?.statements ?? []).map(\.period.lastDay)
    ends += (finance?.payments ?? []).map(\.period.lastDay)
    ends += finance?.salesDays ?? []
    if let asOf = plan.asOf, let end = ends.max() { plan.asOf = min(asOf, end) }
    return plan
  }
}
