/// Writes a world of subscribers as Apple would report it, and what really happened in it.
///
/// The reports are for trying the tool without anybody's data, for measuring it and for testing it:
/// the numbers in `truth/` come from the world itself, which shares no code with what is tested.
public enum Simulator {
  /// Simulates a world and writes its reports, its receipts and its truth.
  ///
  /// The folder gets one folder a kind (`sales`, `subscriber`, `subscription`,
  /// `subscription-event`) with Apple's file names, `receipts`, `finance` if asked for, and `truth`. A day on which nothing
  /// happened has a file with a header only. Memory is about 100 bytes a subscriber and the rows of
  /// a few days, however long the window is; with receipts some 200 MB more, and a large world is
  /// lived again for each part of its customers whose histories fit in that.
  ///
  /// - Parameters:
  ///   - world: What to simulate.
  ///   - directory: The folder to write to; it is made if need be and must otherwise be empty.
  /// - Returns: How many files and rows were written.
  /// - Throws: ``SimulationError/directoryNotEmpty(_:)``,
  ///   ``SimulationError/cannotWrite(path:code:)``,
  ///   ``SimulationError/cannotCompress(path:code:)`` or ``SimulationError/cannotSign(_:)``.
  @discardableResult
  public static func write(
    world: WorldOptions, to directory: String
  ) throws(SimulationError) -> SimulationSummary {
    // A member's history grows with the days of the world: some 100 MB in all. A world is lived
    // at most ten times, so that a large one takes its time in proportion.
    let days = Timeline.historyDays + world.lastDayNumber - world.firstDayNumber
    let size = max(100_000_000 / days, world.subscribers / 10)
    return try write(world: world, to: directory, membersAtOnce: size)
  }

  /// Simulates a world with the histories of so many members in memory at a time.
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
    let (truth, reports, terms) = (life.truth, life.reports, life.commitments?.records)
    try receipts?.add(life)
    while receipts != nil, let part = parts.popFirst() {
      life = World(options: world, timeline: timeline, journal: Journal(members: part))
      try life.run()
      try receipts?.add(life)
    }
    var summary = reports?.summary ?? SimulationSummary()
    if let dumps = try receipts?.finish() { summary.merge(dumps) }
    if let finance = reports?.finance { summary.merge(finance.summary) }
    try TruthWriter(
      truth: truth, timeline: timeline, planted: reports?.planted ?? [], prices: life.prices,
      receipts: receipts?.truth, bridges: reports?.finance?.bridges, plans: world.plans,
      terms: terms
    ).write(to: folder)
    return summary
  }
}
