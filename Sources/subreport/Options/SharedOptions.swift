import ArgumentParser

/// The flags that most commands share; same name and meaning everywhere.
struct SharedOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Files and folders of reports, receipts and finance files; - is standard input.",
      discussion: "May be left out when the config file has inputs.", valueName: "input"))
  var inputs: [String] = []

  @Option(
    name: .customLong("by"), parsing: .singleValue,
    help: ArgumentHelp(
      "A view: dimensions joined by commas; repeat for more views.",
      discussion: """
        app, group, product, duration, country, device, client, offer, price, proceeds_rate, \
        preserved, start_month, start_quarter, start_week
        """, valueName: "dim[,dim]"))
  var by: [String] = []

  @Option(parsing: .singleValue, help: "Only this source: events, receipts, sales or subscribers.")
  var source: [String] = []

  @Option(parsing: .singleValue, help: "Only this app, by Apple ID or name.")
  var app: [String] = []

  @Option(parsing: .singleValue, help: "Only this subscription group, by id.")
  var group: [String] = []

  @Option(parsing: .singleValue, help: "Only this product, by Apple ID or name.")
  var product: [String] = []

  @Option(parsing: .singleValue, help: "Only this storefront, by 2-letter code.")
  var country: [String] = []

  @Option(parsing: .singleValue, help: "Only files of this vendor number.")
  var vendor: [String] = []

  @Option(help: ArgumentHelp("Ignore everything after this day.", valueName: "date"))
  var asOf: String?

  @Flag(help: "Months are the periods of Apple's fiscal calendar, such as FY2026-P03.")
  var fiscal = false

  @Option(
    help: ArgumentHelp(
      "Regions of finance files: CSV region_code,payments_name,currency,valid_from,countries.",
      valueName: "file"))
  var regions: String?

  @Option(
    help: ArgumentHelp("Add columns converted to this currency; needs --rates.", valueName: "code"))
  var currency: String?

  @Option(help: ArgumentHelp("Exchange rates: CSV date,from,to,rate.", valueName: "file"))
  var rates: String?

  @Option(
    help: ArgumentHelp(
      "Price increases that are known: CSV product,country,effective,old_price,new_price,currency.",
      valueName: "file"))
  var priceChanges: String?

  @Option(
    help: ArgumentHelp(
      "Prices that are planned: CSV product,country,date,new_price,currency.", valueName: "file"))
  var plan: String?

  @Option(
    help: ArgumentHelp(
      "How large an unexplained amount of a settlement may be (default: 0).", valueName: "amount"))
  var tolerance: String?

  @Option(
    help: ArgumentHelp(
      "Receipts of production (the default), sandbox or all.", valueName: "which"))
  var environment: String?

  @Option(
    help: ArgumentHelp(
      "Which receipts are one customer's: CSV customer,original_transaction_id or customer,app_account_token.",
      valueName: "file"))
  var identities: String?

  @Flag(help: "Check the signatures of receipts; needs --root-certificate.")
  var verify = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A certificate that signatures must lead to (DER); repeat for more.", valueName: "file"))
  var rootCertificate: [String] = []

  @Option(name: [.short, .long], help: "Of single tables: table, csv, tsv, md, json or jsonl.")
  var format: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("A file for single tables, a folder for report.", valueName: "path"))
  var output: String?

  @Flag(help: "Replace an output folder that holds other files; they are removed.")
  var force = false

  @Flag(help: "Name customers by their own ids in tables that have a row for each.")
  var noAnonymize = false

  @Option(help: ArgumentHelp("Put up with this many rejected rows (default: 0).", valueName: "n"))
  var maxRejects: Int?

  @Flag(help: "Write nothing when a file or row is bad or a day is missing.")
  var strict = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Exit with 1 when this holds in the last complete month, such as 'churn_rate>0.08'.",
      valueName: "condition"))
  var failIf: [String] = []

  @Option(help: ArgumentHelp("A config file instead of the usual ones.", valueName: "file"))
  var config: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Threads (default: cores). Each costs about 4 MiB.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Keep what files say in this folder, so that the next run reads only new ones.",
      discussion: "Memory: 32 bytes more for each row of a thread's largest file.", valueName: "dir"
    ))
  var cache: String?

  @Option(
    help: ArgumentHelp(
      "Of report: a file for what the last run said and this one says otherwise; needs --cache.",
      valueName: "file"))
  var changes: String?

  @Option(
    help: ArgumentHelp(
      "How much memory charges of Subscriber reports may take, such as 2G.",
      discussion:
        "What is more goes to a temporary file in TMPDIR, 32 bytes a row. Other inputs are not limited.",
      valueName: "limit"))
  var memory: String?

  @Flag(name: [.short, .long], help: "No notes on standard error, only errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "More notes on standard error.")
  var verbose = false

  @Flag(help: "No progress bar.")
  var noProgress = false

  @Option(help: ArgumentHelp("auto, always or never.", valueName: "when"))
  var color: String?

  /// Refuses impossible values while the command is still known, so that its usage is shown.
  func validate() throws { try settings().validate() }

  /// What the command line says, by setting.
  var flags: [SettingKey: [String]] {
    let lists: [SettingKey: [String]] = [
      .inputs: inputs, .by: by, .source: source, .app: app, .group: group, .product: product,
      .country: country, .vendor: vendor, .failIf: failIf, .rootCertificate: rootCertificate,
    ]
    let texts: [SettingKey: String?] = [
      .environment: environment, .identities: identities, .verify: verify ? "true" : nil,
      .output: output, .asOf: asOf, .fiscal: fiscal ? "true" : nil, .regions: regions,
      .currency: currency, .rates: rates, .priceChanges: priceChanges, .plan: plan,
      .tolerance: tolerance, .format: format, .cache: cache, .changes: changes, .memory: memory,
      .maxRejects: maxRejects.map { String($0) }, .jobs: jobs.map { String($0) }, .color: color,
      .strict: strict ? "true" : nil, .quiet: quiet ? "true" : nil,
      .verbose: verbose ? "true" : nil, .progress: noProgress ? "false" : nil,
    ]
    return lists.filter { !$0.value.isEmpty }
      .merging(texts.compactMapValues { $0.map { [$0] } }) { $1 }
  }

  /// The settings in force.
  func settings() throws(UsageError) -> Settings {
    try Settings(flags: flags, configPath: config)
  }
}
