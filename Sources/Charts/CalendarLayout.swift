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
  private static let monthHeight = 20.0
  private static let yearHeight = 14.0
  private static let gap = 10.0
  /// The least space between two labels.
  private static let labelGap = 4.0
  /// How many weeks a label may stand before its own.
  private static let mostWeeksBefore = 3.0

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

  /// The height of the years, above the months; 0 without any.
  private var yearsHeight: Double {
    calendar.labels.contains { !$0.year.isEmpty } ? Self.yearHeight : 0
  }

  private var labelHeight: Double { Self.monthHeight + yearsHeight }

  private var rowHeight: Double { 7 * pitch + Self.gap }

  private var bandHeight: Double {
    labelHeight + Double(calendar.rows.count) * rowHeight
  }

  /// Writes the calendar and returns its height.
  func draw(into svg: inout SVGWriter) -> Double {
    legend.draw(into: &svg, x: 0, y: 0, width: calendar.width)
    let top = legend.height(in: calendar.width) + 4
    for band in 0..<bandCount {
      let y = top + Double(band) * bandHeight
      drawLabels(into: &svg, band: band, y: y)
      for (index, row) in calendar.rows.enumerated() {
        let middle = y + labelHeight + Double(index) * rowHeight + 3.5 * pitch
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

  /// Writes the months of a band, and the years above them.
  private func drawLabels(into svg: inout SVGWriter, band: Int, y: Double) {
    let own = calendar.labels.filter { label in
      label.day >= 0 && (calendar.weekday + label.day) / 7 / weeksInBand == band
    }
    let weeks = own.map { (calendar.weekday + $0.day) / 7 % weeksInBand }
    let rows = [
      (texts: own.map(\.year), middle: Self.yearHeight / 2),
      (texts: own.map(\.text), middle: yearsHeight + Self.monthHeight / 2),
    ]
    for row in rows {
      for (x, text) in zip(labelPlaces(row.texts, weeks), row.texts) {
        guard let x, !text.isEmpty else { continue }
        svg.text(text.isolated, x: x, middle: y + row.middle, .small)
      }
    }
  }

  /// Returns where labels of a band begin: above their week, or as far before it as the next label needs.
  ///
  /// The first week of the data is often the last one of its month. The label of that month then stands left of the
  /// days, where nothing else is.
  ///
  /// - Parameters:
  ///   - texts: The labels, by ascending week; a blank one takes no place.
  ///   - weeks: The week of each label in its band.
  /// - Returns: The left edges; `nil` for a label that would be too far from its week.
  private func labelPlaces(_ texts: [String], _ weeks: [Int]) -> [Double?] {
    var places = [Double?](repeating: nil, count: texts.count)
    var end = calendar.width
    for index in texts.indices.reversed() where !texts[index].isEmpty {
      let wanted = left + Double(weeks[index]) * pitch
      let x = min(wanted, end - TextStyle.small.width(texts[index]))
      guard x >= 0, wanted - x <= Self.mostWeeksBefore * pitch else { continue }
      places[index] = x
      end = x - Self.labelGap
    }
    return places
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
          let y = top + Double(week / weeksInBand) * bandHeight + labelHeight
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
