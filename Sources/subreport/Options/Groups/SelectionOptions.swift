import ArgumentParser

/// The options that select rows, and the kind of months; only tables that count have them.
///
/// Groups are small and not nested: ArgumentParser takes three times as long for each level.
struct SelectionOptions: SettingOptions {
  @Option(parsing: .singleValue, help: "Only this source: events, receipts, sales or subscribers.")
  var source: [String] = []

  @Option(parsing: .singleValue, help: "Only this storefront, by 2-letter code.")
  var country: [String] = []

  @Option(
    parsing: .singleValue, help: "Only this billing plan: upfront, commitment or unknown.")
  var billingPlan: [String] = []

  @Option(
    parsing: .singleValue,
    help: "Only prices that another subscription makes cheaper: yes, no or unknown.")
  var contingent: [String] = []

  @Flag(help: "Months are the periods of Apple's fiscal calendar, such as FY2026-P03.")
  var fiscal = false

  var own: [SettingKey: [String]] {
    .init(
      lists: [
        .source: source, .country: country, .billingPlan: billingPlan, .contingent: contingent,
      ], switches: [.fiscal: fiscal])
  }
}

/// The options that select apps or subscription groups.
struct AppOptions: SettingOptions {
  @Option(parsing: .singleValue, help: "Only this app, by Apple ID or name.")
  var app: [String] = []

  @Option(parsing: .singleValue, help: "Only this subscription group, by id.")
  var group: [String] = []

  var own: [SettingKey: [String]] { .init(lists: [.app: app, .group: group]) }
}

/// The option that selects products.
struct ProductOptions: SettingOptions {
  @Option(parsing: .singleValue, help: "Only this product, by Apple ID or name.")
  var product: [String] = []

  var own: [SettingKey: [String]] { .init(lists: [.product: product]) }
}

/// The option that selects the files of some vendors.
struct VendorOptions: SettingOptions {
  @Option(parsing: .singleValue, help: "Only files of this vendor number.")
  var vendor: [String] = []

  var own: [SettingKey: [String]] { .init(lists: [.vendor: vendor]) }
}

/// The option that ignores data after a day.
struct AsOfOptions: SettingOptions {
  @Option(help: ArgumentHelp("Ignore everything after this day.", valueName: "date"))
  var asOf: String?

  var own: [SettingKey: [String]] { .init(texts: [.asOf: asOf]) }
}
