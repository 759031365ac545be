import ArgumentParser
import Metrics

/// The option that splits tables that count.
struct ViewOptions: SettingOptions {
  @Option(
    name: .customLong("by"), parsing: .singleValue,
    help: ArgumentHelp(
      "A view: dimensions joined by commas; repeat for more views.",
      discussion: """
        app, group, product, duration, country, device, client, offer, price, proceeds_rate, \
        preserved, plan, contingent, start_month, start_quarter, start_week
        """, valueName: "dim[,dim]"))
  var by: [String] = []

  var own: [SettingKey: [String]] { .init(lists: [.by: by]) }
}

/// The option that splits the rows of price increases; views of the config file are for other tables.
struct ImpactViewOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Split each row by start_month, tenure or offer; repeat for more tables.", valueName: "dim"))
  var by: [String] = []

  /// Returns the requested views, else the whole.
  func chosen() throws(UsageError) -> [ImpactView] {
    var views: [ImpactView] = []
    for text in by {
      guard let view = ImpactView(rawValue: text), view != .whole else {
        throw UsageError("--by \(text): price-impact knows start_month, tenure and offer")
      }
      if !views.contains(view) { views.append(view) }
    }
    return views.isEmpty ? [.whole] : views
  }
}
