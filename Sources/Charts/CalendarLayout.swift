/// The places of all parts of a ``CalendarChart``.
struct CalendarLayout {
  private let calendar: CalendarChart
  private let legend: Legend
  private let left: Double

  /// The distance from one day to the next.
  private let pitch: Double

  /// How many weeks stand side by side; the next ones are below.
  private let weeksInBand: Int
  private let bandCount: Int

  private static let leastPitch = 8.0
  private static let widestPitch = 13.0
  private static let labelHeight = 20.0
  private static let gap = 10.0

  /// Measures the calendar.
  init(_ calendar: CalendarChart) {
    self.calendar = calendar
    legend = Legend(items: calendar.states.map { (.day($0.shape), $0.name) })
    let widest = calendar.rows.map { TextStyle.label.width($0.name) }.max() ?? 0
    left = min(widest, calendar.width * 0.25) + Self.gap
    let days = calendar.rows.map(\.days.count).max() ?? 0
    let weeks = max(1, (calendar.weekday + days + 6) / 7)
    let free = calendar.width - left
    bandCount = (weeks - 1) / max(1, Int(free / Self.leastPitch)) + 1
    weeksInBand = (weeks - 1) / bandCount + 1
    pitch = min(Self.widestPitch, (free / Double(weeksInBand)).rounded(.down))
  }

  private var rowHeight: Double { 7 * pitch + Self.gap }

  private var bandHeight: Double {
    Self.labelHeight + Double(calendar.rows.count) * rowHeight
  }

  /// Writes the calendar and returns its height.
  func draw(into svg: inout SVGWriter) -> Double {
    legend.draw(into: &svg, x: 0, y: 0, width: calendar.width)
    let top = legend.height(in: calendar.width) + 4
    for band in 0..<bandCount {
      let y = top + Double(band) * bandHeight
      drawLabels(into: &svg, band: band, y: y)
      for (index, row) in calendar.rows.enumerated() {
        let middle = y + Self.labelHeight + Double(index) * rowHeight + 3.5 * pitch
        svg.name(row.name, width: left - Self.gap, x: 0, middle: middle)
      }
    }
    for (index, state) in calendar.states.enumerated() {
      let places = places(of: index, top: top)
      guard !places.isEmpty else { continue }
      DayShape(shape: state.shape, side: pitch - 1)
        .draw(into: &svg, at: places, text: state.name.isolated)
    }
    return top + Double(bandCount) * bandHeight
  }

  /// Writes the labels of a band, without those that would overlap.
  private func drawLabels(into svg: inout SVGWriter, band: Int, y: Double) {
    var end = -Self.gap
    for label in calendar.labels where label.day >= 0 {
      let week = (calendar.weekday + label.day) / 7
      guard week / weeksInBand == band else { continue }
      let x = left + Double(week % weeksInBand) * pitch
      let width = TextStyle.small.width(label.text)
      guard x >= end + 6, x + width <= calendar.width else { continue }
      end = x + width
      svg.text(label.text.isolated, x: x, middle: y + Self.labelHeight / 2, .small)
    }
  }

  /// Returns the days of a state; days of the same week below each other are one place.
  private func places(of state: Int, top: Double) -> [DayShape.Place] {
    var places: [DayShape.Place] = []
    for (index, row) in calendar.rows.enumerated() {
      var next: Int?
      for (day, value) in row.days.enumerated() where value == state {
        let (week, weekday) = (calendar.weekday + day).quotientAndRemainder(dividingBy: 7)
        if next == day, weekday > 0 {
          places[places.count - 1].days += 1
        } else {
          let y = top + Double(week / weeksInBand) * bandHeight + Self.labelHeight
          places.append(
            DayShape.Place(
              x: left + Double(week % weeksInBand) * pitch,
              y: y + Double(index) * rowHeight + Double(weekday) * pitch, days: 1))
        }
        next = day + 1
      }
    }
    return places
  }
}
