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
