import ArgumentParser

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
