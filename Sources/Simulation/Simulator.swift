/// Writes the reports of a simulated world in Apple's layouts, and the true numbers behind them.
///
/// The reports are for trying, measuring and testing the tool without real data. The numbers in
/// `truth/` come from the world itself, which shares no code with the tool under test.
package enum Simulator {
  /// Simulates a world and writes its reports, its receipts and its truth.
  ///
  /// The folder, which must be new or empty, gets one folder for each kind (`sales`, `subscriber`, `subscription`,
  /// `subscription-event`) with Apple's file names, `receipts`, `finance` if requested, and `truth`. A day without
  /// rows has a file with a header only. Memory is about 100 bytes for each subscriber, and the rows of a few days,
  /// whatever the length of the window. Receipts take some 200 MB more; a large world is then simulated several
  /// times, each time with the histories of another part of its customers.
  @discardableResult
  package static func write(
    world: WorldOptions, to directory: String
  ) throws(SimulationError) -> SimulationSummary {
    // A member's history grows with the number of days; all in memory take some 100 MB. A world is
    // simulated at most ten times, so that the time of a large one stays in proportion.
    let days = Timeline.historyDays + world.lastDayNumber - world.firstDayNumber
    let size = max(100_000_000 / days, world.subscribers / 10)
    return try write(world: world, to: directory, membersAtOnce: size)
  }

  /// Simulates a world with the histories of `membersAtOnce` members in memory at a time.
  package static func write(
    world: WorldOptions, to directory: String, membersAtOnce: Int
  ) throws(SimulationError) -> SimulationSummary {
    let timeline = Timeline(options: world)
    let folder = try ReportFolder(directory)
    var life = World(
      options: world, timeline: timeline,
      reports: try ReportSet(options: world, timeline: timeline, folder: folder))
    var receipts: ReceiptSet?
    var parts = Journal.parts(of: world.subscribers, atOnce: membersAtOnce)[...]
    if world.kinds.contains(.receipts) {
      receipts = try ReceiptSet(options: world, timeline: timeline, folder: folder)
      life.journal = parts.popFirst().map(Journal.init)
    }
    try life.run()
    let (truth, reports, terms) = (life.truth, life.reports, life.commitments?.commitments)
    try receipts?.add(life)
    while receipts != nil, let part = parts.popFirst() {
      life = World(options: world, timeline: timeline, journal: Journal(members: part))
      try life.run()
      try receipts?.add(life)
    }
    try receipts?.finish()
    try TruthWriter(
      truth: truth, timeline: timeline, planted: reports?.planted ?? [], prices: life.prices,
      receipts: receipts?.truth, bridges: reports?.finance?.bridges, plans: world.plans,
      terms: terms
    ).write(to: folder)
    folder.finish()
    return folder.summary
  }
}

/// The numbers of files and rows that a simulation wrote.
package struct SimulationSummary: Sendable, Equatable {
  /// The files and rows of one kind of report, or the files and lines of the receipts.
  package struct Count: Sendable, Equatable {
    /// The number of files, restated ones included.
    package internal(set) var files = 0
    /// The number of rows in the files, without headers.
    package internal(set) var rows = 0
  }

  /// The counts by kind; kinds that were not requested are missing.
  package internal(set) var counts: [WorldOptions.ReportKind: Count] = [:]

  mutating func add(_ kind: WorldOptions.ReportKind, rows: Int) {
    counts[kind, default: Count()].files += 1
    counts[kind, default: Count()].rows += rows
  }
}
