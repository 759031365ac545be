/// The verifyReceipt answers of one capture, one for each customer with a purchase by then.
struct CaptureFile {
  private let capture: Capture
  private let options: WorldOptions
  private let ids: ReceiptID
  private var file: DumpFile

  init(_ capture: Capture, options: WorldOptions, timeline: Timeline, folder: ReportFolder) {
    self.capture = capture
    self.options = options
    ids = ReceiptID(seed: options.seed)
    let day = CalendarDay.compactText(timeline.base + capture.day)
    file = DumpFile("verify-receipt_\(day)", in: folder)
  }

  /// Adds a customer's answer and, if faults are planted, sometimes an error or a family member's answer.
  mutating func add(_ history: CustomerHistory) throws(SimulationError) {
    var random = SeededRandom(
      seed: options.seed, stream: 2 << 32 + UInt64(history.customer))
    let form = AnswerForm(capture, &random, hasQuirks: options.plantsFaults)
    guard let answer = VerifyReceiptAnswer(history, form, ids) else { return }
    let hasFamily = random.chance(30)
    let failsFirst = random.chance(8)
    if options.plantsFaults, failsFirst {
      try file.addLine { json in json.object { $0.member("status", 21_002) } }
    }
    try file.addLine(answer.append)
    guard options.plantsFaults, hasFamily, history.purchases.allSatisfy({ $0.refunded == nil }),
      let family = VerifyReceiptAnswer(history, form.ofFamilyMember, ids)
    else { return }
    try file.addLine(family.append)
  }

  /// Adds the sandbox testers, if faults are planted, and writes the remaining lines.
  mutating func finish() throws(SimulationError) {
    if options.plantsFaults {
      for number in 0..<3 {
        try addTester(number)
      }
    }
    try file.finish()
  }

  /// Adds a sandbox tester, whose months last five minutes.
  private mutating func addTester(_ number: Int) throws(SimulationError) {
    let month = 5 * 60_000
    let customer = options.subscribers + number
    let terms = ChargeTerms(product: 1, storefront: 0, surface: 0)
    var history = CustomerHistory(customer: customer, storefront: Catalog.storefronts[0])
    let begin = capture.date - (number + 1) * Timeline.dayLength
    for serial in 1...6 {
      let date = begin + serial * month
      history.events.append(
        CustomerEvent(kind: .purchased, date: date, purchase: serial - 1))
      history.purchases.append(
        Purchase(
          serial: serial, terms: terms, cause: serial == 1 ? .start : .renewal, purchased: date,
          expires: date + month))
    }
    history.events.append(
      CustomerEvent(kind: .expired(.canceled), date: begin + 7 * month, purchase: 5))
    var random = SeededRandom(seed: options.seed, stream: 23)
    var form = AnswerForm(capture, &random, hasQuirks: false)
    form.isSandbox = true
    guard let answer = VerifyReceiptAnswer(history, form, ids) else { return }
    try file.addLine(answer.append)
  }
}
