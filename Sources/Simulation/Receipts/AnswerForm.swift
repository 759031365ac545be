/// How one verifyReceipt answer is written: what differs in dumps but means the same.
struct AnswerForm {
  /// Ids as strings but numbers, flags and times as JSON's own, as some databases hand them out.
  var isTyped = false
  /// Inside an object of the publisher's own.
  var isWrapped = false
  /// The flat layout of receipts from before iOS 7, which knows the first and last purchase only.
  var isFlat = false
  /// The latest purchase first.
  var isNewestFirst = true
  /// Not a customer but a tester.
  var isSandbox = false
  /// A member of the customer's family, with the last purchase only.
  var isFamily = false
  /// The time of a restore on another device, which gave all earlier purchases new ids.
  var restored: Instant?
  /// The number of purchases in the app's own receipt, at most.
  var receiptLimit = 1
  /// The time of the answer.
  var date: Instant

  /// Draws the form of a customer's answer.
  ///
  /// - Parameters:
  ///   - capture: The capture.
  ///   - random: The customer's chances, the same for each capture.
  ///   - hasQuirks: Whether anything but the usual layout may come up.
  init(_ capture: Capture, _ random: inout SeededRandom, hasQuirks: Bool) {
    date = capture.date + random.below(3_599_000)
    receiptLimit = random.below(5)
    if random.chance(200) { restored = capture.previous }
    guard hasQuirks else { return }
    switch random.below(100) {
    case 0..<6: isTyped = true
    case 6..<10: isWrapped = true
    // Not in the last capture, which leaves out nothing.
    case 10..<16: isFlat = capture.previous == nil
    case 16..<24: isNewestFirst = false
    default: break
    }
  }

  /// Returns the form of a family member's answer to the same request.
  var ofFamilyMember: AnswerForm {
    var form = self
    form.isFlat = false
    form.isFamily = true
    form.restored = nil
    return form
  }
}

/// A day on which every customer's receipt was sent to verifyReceipt.
struct Capture {
  /// The day.
  let day: Int
  /// The time of the first answer; the last is an hour later.
  let date: Instant
  /// The time of the capture before; since then some customers restored on another device.
  let previous: Instant?

  /// Returns the captures of a world: when two thirds of the window are over, and at its end.
  static func all(of timeline: Timeline) -> [Capture] {
    let middle = timeline.firstDay + (timeline.lastDay - timeline.firstDay) * 2 / 3
    let first = Capture(middle, previous: nil, on: timeline)
    return [first, Capture(timeline.lastDay, previous: first.date, on: timeline)]
  }

  private init(_ day: Int, previous: Instant?, on timeline: Timeline) {
    self.day = day
    self.previous = previous
    date = timeline.instant(day, Timeline.closingTime)
  }
}
