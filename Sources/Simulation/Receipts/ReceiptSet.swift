/// The dumps of receipts, written customer by customer.
struct ReceiptSet {
  private var captures: [CaptureFile]
  private var signed: SignedFiles?
  private(set) var truth: ReceiptTruth

  init(
    options: WorldOptions, timeline: Timeline, folder: ReportFolder
  ) throws(SimulationError) {
    let prices = PriceBook(options: options, timeline: timeline)
    captures = Capture.all(of: timeline).map {
      CaptureFile($0, options: options, timeline: timeline, folder: folder)
    }
    if options.notified > 0 {
      signed = try SignedFiles(
        options: options, timeline: timeline, prices: prices, folder: folder)
    }
    truth = ReceiptTruth(timeline: timeline, prices: prices)
  }

  /// Adds the customers in the journal of a finished world.
  mutating func add(_ world: World) throws(SimulationError) {
    guard let journal = world.journal else { return }
    for member in journal.members {
      let history = HistoryBuilder.history(of: member, in: world, journal)
      truth.add(history)
      for place in captures.indices {
        try captures[place].add(history)
      }
      try signed?.add(history)
    }
  }

  /// Writes the remaining lines.
  mutating func finish() throws(SimulationError) {
    for place in captures.indices {
      try captures[place].finish()
    }
    try signed?.finish()
  }
}
