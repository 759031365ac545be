import ArgumentParser
import PriceImpact
import Scanning

/// The option that splits tables that count.
struct ViewOptions: SettingOptions {
  @Option(.by) var by: [String] = []
}

/// The option that splits the rows of price increases; views of the config file are for other tables.
struct ImpactViewOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Split each row by start_month, tenure or offer; repeat for more tables.", valueName: "dim"),
    completion: .list(ImpactView.allCases.filter { $0 != .whole }.map(\.rawValue)))
  var by: [String] = []

  /// Returns the requested views, else the whole.
  func chosen() throws(UsageError) -> [ImpactView] {
    var views: [ImpactView] = []
    for text in by {
      guard let view = ImpactView(rawValue: text), view != .whole else {
        let names = ImpactView.allCases.filter { $0 != .whole }.map(\.rawValue)
        throw UsageError(
          "--by \(text): price-impact knows no such view; \(Nearest.advice(text, among: names))")
      }
      if !views.contains(view) { views.append(view) }
    }
    return views.isEmpty ? [.whole] : views
  }
}

/// The option for the months of price increases.
struct IncreaseMonthOptions: ParsableArguments {
  @Option(.last) var last: Int?

  func validate() throws { try MonthOptions.validate(last: last) }
}
