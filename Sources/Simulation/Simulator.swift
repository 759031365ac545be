/// Writes a world of subscribers as Apple would report it, and what really happened in it.
///
/// The reports are for trying the tool without anybody's data, for measuring it and for testing it:
/// the numbers in `truth/` come from the world itself, which shares no code with what is tested.
public enum Simulator {
  /// Simulates a world and writes its reports and its truth.
  ///
  /// The folder gets one folder a kind (`sales`, `subscriber`, `subscription`,
  /// `subscription-event`) with Apple's file names, and `truth`. Memory is about 100 bytes a
  /// subscriber and the rows of a few days, however long the window is. A day on which nothing
  /// happened has a file with a header only.
  ///
  /// - Parameters:
  ///   - world: What to simulate.
  ///   - directory: The folder to write to; it is made if need be and must otherwise be empty.
  /// - Returns: How many files and rows were written.
  /// - Throws: ``SimulationError/directoryNotEmpty(_:)``,
  ///   ``SimulationError/cannotWrite(path:code:)`` or
  ///   ``SimulationError/cannotCompress(path:code:)``.
  @discardableResult
  public static func write(
    world: WorldOptions, to directory: String
  ) throws(SimulationError) -> SimulationSummary {
    let timeline = Timeline(options: world)
    let reports = try ReportSet(options: world, timeline: timeline, directory: directory)
    var life = World(options: world, reports: reports, timeline: timeline)
    return try life.run()
  }
}
