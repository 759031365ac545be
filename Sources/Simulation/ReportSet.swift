/// The requested reports, with one file for each kind and day.
struct ReportSet {
  var snapshot: SnapshotReport?
  private var subscriber: SubscriberReport?
  private var sales: SalesReport?
  private var events: EventReport?
  private(set) var finance: FinanceReport?
  private let folder: ReportFolder
  private let timeline: Timeline
  private let faults: Faults?
  private let plans: PlanColumns
  private(set) var planted: [PlantedFault] = []
  /// The Subscriber rows of an empty day, to be written to the next day's file.
  private var delayed = ReportRows()

  init(
    options: WorldOptions, timeline: Timeline, folder: ReportFolder
  ) throws(SimulationError) {
    self.timeline = timeline
    self.folder = folder
    faults = Faults(options: options, timeline: timeline)
    plans = PlanColumns(options.plans)
    let prices = PriceBook(options: options, timeline: timeline)
    for kind in options.kinds.sorted(by: { $0.rawValue < $1.rawValue }) {
      try folder.makeFolder(kind.rawValue)
      switch kind {
      case .sales: sales = SalesReport(options: options, timeline: timeline, prices: prices)
      case .subscriber: subscriber = SubscriberReport(options: options, timeline: timeline)
      case .subscription: snapshot = SnapshotReport(options: options, prices: prices)
      case .subscriptionEvent: events = EventReport(options: options, timeline: timeline)
      case .finance:
        finance = try FinanceReport(
          options: options, timeline: timeline, prices: prices, folder: folder)
      case .receipts: break  // not a file a day: ``ReceiptSet`` writes them
      }
    }
  }

  /// Adds a charge or refund, in the window or before it, to the reports.
  mutating func add(_ transaction: Transaction) {
    finance?.add(transaction)
    guard transaction.day >= timeline.firstDay else { return }
    subscriber?.add(transaction)
    sales?.add(transaction)
  }

  mutating func add(_ event: LifeEvent) {
    events?.add(event)
  }

  /// Writes the files complete after a day: its sales and snapshot, and the other files of the day before.
  mutating func endDay(_ day: Int) throws(SimulationError) {
    if let rows = sales?.take(day) { try write(rows, .sales, day) }
    if let rows = snapshot?.rows() { try write(rows, .subscription, day) }
    try finance?.endDay(day)
    if day == faults?.unknownEventDay { plantEvent(on: day) }
    if day > timeline.firstDay { try writeOpenFiles(day - 1) }
    if day == timeline.lastDay { try writeOpenFiles(day) }
  }

  private mutating func writeOpenFiles(_ day: Int) throws(SimulationError) {
    if let rows = events?.take(day) { try write(rows, .subscriptionEvent, day) }
    guard var rows = subscriber?.take(day) else { return }
    if delayed.count > 0 {
      delayed.text.append(rows.text.bytes)
      delayed.count += rows.count
      rows = delayed
      delayed = ReportRows()
    }
    switch day {
    case faults?.missingDay:
      note("missing day", .subscriber, day, rows: rows.count, "no file; its rows are lost")
    case faults?.emptyDay:
      let effect = "header only; its rows are in the next day's file"
      note("empty day", .subscriber, day, rows: rows.count, effect)
      delayed = rows
      try write(ReportRows(), .subscriber, day)
    case faults?.restatedDay:
      let first = Self.lackingRows(rows)
      let effect = "rows that only the restated file has"
      note("restated day", .subscriber, day, rows: rows.count - first.count, effect)
      try write(first, .subscriber, day)
      try write(rows, .subscriber, day, suffix: "_restated")
    default:
      try write(rows, .subscriber, day)
    }
  }

  private mutating func plantEvent(on day: Int) {
    guard events != nil else { return }
    let terms = ChargeTerms(product: 1, storefront: 0, surface: 0)
    let quantity = 3
    events?.plant(
      LifeEvent(
        name: EventName(.unknown), terms: terms, state: 0, consecutive: 2,
        originalStart: timeline.firstDay, day: day, serial: 0),
      quantity: quantity)
    let effect = "event Pause with quantity \(quantity); it stands for nothing"
    note("unknown event", .subscriptionEvent, day, rows: 1, effect)
  }

  private mutating func note(
    _ fault: String, _ layout: Layout, _ day: Int, rows: Int, _ effect: String
  ) {
    planted.append(
      PlantedFault(
        fault: fault, kind: layout.kind, day: day, file: path(layout, day), rows: rows,
        note: effect))
  }

  /// Returns the rows without every third one, as the first version of a restated day.
  private static func lackingRows(_ rows: ReportRows) -> ReportRows {
    var first = ReportRows()
    let lines = rows.text.bytes.split(separator: UInt8(ascii: "\n"))
    for (index, line) in lines.enumerated() where index % 3 != 0 {
      first.text.append(line)
      first.endRow()
    }
    return first
  }

  // MARK: Files

  /// The file name and columns of a daily report.
  private struct Layout {
    let kind: WorldOptions.ReportKind
    let name: String
    var hasVersion = true
    let columns: [String]

    static let sales = Layout(
      kind: .sales, name: "S_D", hasVersion: false, columns: SalesReport.columns)
    static let subscriber = Layout(
      kind: .subscriber, name: "Subscriber", columns: SubscriberReport.columns)
    static let subscription = Layout(
      kind: .subscription, name: "Subscription", columns: SnapshotReport.columns)
    static let subscriptionEvent = Layout(
      kind: .subscriptionEvent, name: "Subscription_Event", columns: EventReport.columns)
  }

  private func write(
    _ rows: ReportRows, _ layout: Layout, _ day: Int, suffix: String = ""
  ) throws(SimulationError) {
    var text = ByteText()
    text.bytes.reserveCapacity(rows.text.bytes.count + 1_024)
    text.append((layout.columns + plans.names).joined(separator: "\t"))
    text.appendNewline()
    text.append(rows.text.bytes)
    let path = path(layout, day, suffix: suffix)
    try folder.writeCompressed(text, rows: rows.count, of: layout.kind, to: path)
  }

  private func path(_ layout: Layout, _ day: Int, suffix: String = "") -> String {
    let date = CalendarDay.compactText(timeline.base + day)
    let version = layout.hasVersion ? plans.version : ""
    let name = "\(layout.name)_\(Catalog.vendor)_\(date)\(version)\(suffix)"
    return "\(layout.kind.rawValue)/\(name).txt.gz"
  }
}

/// The faults planted in the reports, and their days.
struct Faults {
  /// The day without a Subscriber file; its rows are lost.
  let missingDay: Int
  /// The day whose Subscriber file has a header only; its rows are in the next day's file.
  let emptyDay: Int
  /// The day with two Subscriber files; the first of them lacks rows.
  let restatedDay: Int
  /// The day with an event whose name is unknown.
  let unknownEventDay: Int

  /// The most days a fault is moved by the seed.
  private static let slack = 3

  /// Chooses the days; nil for a world without faults.
  init?(options: WorldOptions, timeline: Timeline) {
    let days = timeline.lastDay - timeline.firstDay + 1
    guard options.plantsFaults, days >= 7 else { return nil }
    var random = SeededRandom(seed: options.seed, stream: 14)
    let slack = days >= 35 ? Self.slack : 0
    func day(_ fifth: Int) -> Int {
      timeline.firstDay + days * fifth / 5 + random.below(slack + 1)
    }
    missingDay = day(1)
    emptyDay = day(2)
    restatedDay = day(3)
    unknownEventDay = day(4)
  }
}

/// One line of `truth/faults.csv`.
struct PlantedFault {
  let fault: String
  let kind: WorldOptions.ReportKind
  let day: Int
  let file: String
  let rows: Int
  let note: String
}
