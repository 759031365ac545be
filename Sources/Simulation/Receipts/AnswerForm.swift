/// The form of one verifyReceipt answer: differences between dumps with the same meaning.
struct AnswerForm {
  /// IDs are strings, but numbers, flags and times are JSON's own types, as some databases export them.
  var isTyped = false
  /// The answer is inside an object that the publisher's server adds.
  var isWrapped = false
  /// The flat layout of receipts from before iOS 7, with the first and last purchase only.
  var isFlat = false
  /// The latest purchase comes first.
  var isNewestFirst = true
  /// The receipt is a sandbox tester's.
  var isSandbox = false
  /// The receipt is a family member's, with the last purchase only.
  var isFamily = false
  /// The time of a restore on another device, which gave all earlier purchases new IDs.
  var restored: Instant?
  /// The largest number of purchases in the app's own receipt.
  var receiptLimit = 1
  /// The time of the answer.
  var date: Instant

  /// Draws the form of a customer's answer.
  ///
  /// - Parameters:
  ///   - capture: The capture.
  ///   - random: The customer's generator, the same for each capture.
  ///   - hasQuirks: Whether other layouts than the usual one may occur.
  init(_ capture: Capture, _ random: inout SeededRandom, hasQuirks: Bool) {
    date = capture.date + random.below(3_599_000)
    receiptLimit = random.below(5)
    if random.chance(200) { restored = capture.previous }
    guard hasQuirks else { return }
    switch random.below(100) {
    case 0..<6: isTyped = true
    case 6..<10: isWrapped = true
    // Not in the last capture, which must be complete.
    case 10..<16: isFlat = capture.previous == nil
    case 16..<24: isNewestFirst = false
    default: break
    }
  }

  /// The form of a family member's answer to the same request.
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
  /// The time of the capture before; some customers have restored on another device since then.
  let previous: Instant?

  /// Returns the captures of a world: one after two thirds of the window, one at its end; of a single day only this.
  static func all(of timeline: Timeline) -> [Capture] {
    let middle = timeline.firstDay + (timeline.lastDay - timeline.firstDay) * 2 / 3
    guard middle < timeline.lastDay else {
      return [Capture(timeline.lastDay, previous: nil, on: timeline)]
    }
    let first = Capture(middle, previous: nil, on: timeline)
    return [first, Capture(timeline.lastDay, previous: first.date, on: timeline)]
  }

  private init(_ day: Int, previous: Instant?, on timeline: Timeline) {
    self.day = day
    self.previous = previous
    date = timeline.instant(day, Timeline.closingTime)
  }
}
