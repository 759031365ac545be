/// The reports of each day, a strip for each kind.
package struct DayStrips: Chart {
  /// The report of a day.
  package enum State: Hashable, Sendable {
    case there, missing

    /// There, but without content: a thin line.
    case hollow

    /// Nothing is expected: blank.
    case unexpected
  }

  package struct Strip: Hashable, Sendable {
    /// Days in a row of the same state.
    struct Run: Hashable {
      var days: Range<Int>
      var state: State
      var title: String
    }

    let label: String
    let runs: [Run]

    /// Creates a strip; `title` returns the text under the pointer for days in a row that are missing or hollow.
    package init(
      _ label: String, _ states: [State], title: (_ days: Range<Int>, _ state: State) -> String
    ) {
      self.label = label
      var runs: [Run] = []
      for (day, state) in states.enumerated() {
        if let last = runs.indices.last, runs[last].state == state {
          runs[last].days = runs[last].days.lowerBound..<day + 1
        } else {
          runs.append(Run(days: day..<day + 1, state: state, title: ""))
        }
      }
      for place in runs.indices where runs[place].state == .missing || runs[place].state == .hollow
      {
        runs[place].title = title(runs[place].days, runs[place].state)
      }
      self.runs = runs
    }
  }

  /// A month on the axis.
  package struct Month: Hashable, Sendable {
    /// The index of its first day in the figure.
    package var day: Int
    package var label: String
    package var year: String

    package init(_ label: String, year: String, day: Int) {
      (self.label, self.year, self.day) = (label, year, day)
    }
  }

  package var strips: [Strip]

  package var days: Int
  package var months: [Month]

  package init(_ strips: [Strip], days: Int, months: [Month]) {
    (self.strips, self.days, self.months) = (strips, days, months)
  }

  package var isEmpty: Bool { strips.isEmpty || days <= 0 }
  package var margins: ChartMargins { .strip }
  package var height: Double { 30 * Double(strips.count) + 42 }

  package func draw(into svg: inout SVGWriter) {
    let share = 100 / Double(days)
    let names = ChartText.rowNames(strips.map(\.label))
    for (index, strip) in strips.enumerated() {
      let y = 30 * Double(index)
      svg.rowName(names[index], of: strip.label, middle: y + 14, isStrong: false)
      // Missing days lie in front: each is at least half a percent wide.
      for isFront in [false, true] {
        for run in strip.runs where (run.state == .missing) == isFront {
          var place = Rect(
            x: Double(run.days.lowerBound) * share, y: y + 6,
            width: Double(run.days.count) * share, height: 16)
          switch run.state {
          case .there: svg.box(place, "f-lt")
          case .hollow:
            (place.y, place.height) = (y + 12, 4)
            svg.box(place, "f-lt", title: run.title)
          case .missing:
            (place.y, place.height) = (y + 1, 26)
            place.width = max(0.5, place.width)
            place.x = min(place.x, 100 - place.width)
            svg.box(place, ChartFill.missing.rawValue, title: run.title)
          case .unexpected: break
          }
        }
      }
    }
    drawMonths(from: 30 * Double(strips.count) - 2, &svg)
  }

  /// Writes the months and their first days; the first month only if most of it is there.
  private func drawMonths(from y: Double, _ svg: inout SVGWriter) {
    let isShort = months.count > 1 && months[1].day - months[0].day < 20
    let shown = months.dropFirst(isShort ? 1 : 0).map { month in
      (x: Double(month.day) * 100 / Double(days), label: month.label, year: month.year)
    }
    for month in shown { svg.upright(month.x, from: y, to: y + 5, "g0") }
    svg.months(shown, y: y + 19, "ax")
  }
}
