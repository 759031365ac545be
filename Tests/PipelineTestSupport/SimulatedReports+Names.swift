package import SubreportTestSupport
package import SubscriptionModel

extension SimulatedReports {
  /// Names the daily reports of a kind by a later day, as if by the day of the download.
  package mutating func nameLate(by days: Int, _ isOfKind: (String) -> Bool) {
    reports = Dictionary(
      uniqueKeysWithValues: reports.map { name, text in
        (isOfKind(name) ? Self.name(name, laterBy: days) ?? name : name, text)
      })
  }

  /// Returns the name of a report of a later day; `nil` for a name without a day.
  package static func name(_ name: String, laterBy days: Int) -> String? {
    guard
      let digits = name.split(whereSeparator: { "_.".contains($0) }).first(where: { isDay($0) }),
      let day = Day("\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))")
    else { return nil }
    return name.replacing(digits, with: (day + days).description.filter { $0 != "-" })
  }

  private static func isDay(_ text: Substring) -> Bool {
    text.count == 8 && text.hasPrefix("20") && text.allSatisfy(\.isNumber)
  }

  /// Downloads some reports a second time, as browsers name them: the first download lacks the last rows.
  ///
  /// Beside some of them lies a copy made by hand, with still fewer rows.
  package mutating func downloadAgain(_ random: inout SeededGenerator) {
    for (name, bytes) in reports.sorted(by: { $0.key < $1.key })
    where Int.random(in: 0..<5, using: &random) == 0 {
      let stem = name.dropLast(".txt".count)
      let rows = bytes.split(separator: 0x0A).map { Array($0) + [0x0A] }
      let kept = Int.random(in: 1...rows.count, using: &random)
      let mark = [" (1)", " (3)", "-2", " 2"][Int.random(in: 0..<4, using: &random)]
      reports["\(stem)\(mark).txt"] = bytes
      reports[name] = Array(rows.prefix(kept).joined())
      if kept > 1, Bool.random(using: &random) {
        reports["\(stem) copy.txt"] = rows[0]
      }
    }
  }

  /// Adds the SALES report of a month, with the rows of its days.
  ///
  /// - Parameters:
  ///   - month: The month.
  ///   - keepsDays: Whether the daily reports stay.
  package mutating func addSales(of month: Month, keepsDays: Bool = true) {
    addSales("S_M_", month.firstDay...month.lastDay, keepsDays: keepsDays)
  }

  /// Adds the SALES report of a week, with the rows of its days.
  package mutating func addSales(ofWeekFrom monday: Day) { addSales("S_W_", monday...(monday + 6)) }

  private mutating func addSales(
    _ prefix: String, _ days: ClosedRange<Day>, keepsDays: Bool = true
  ) {
    var lines: [Substring] = []
    var path = ""
    for number in days.lowerBound.number...days.upperBound.number {
      let digits = Day(number: number).description.filter { $0 != "-" }
      guard let name = reports.keys.first(where: { $0.contains("S_D_") && $0.contains(digits) }),
        let bytes = reports[name]
      else { continue }
      if !keepsDays { reports[name] = nil }
      path = name.replacing("S_D_", with: prefix)
        .replacing(digits, with: "DAY")
      let text = String(decoding: bytes, as: UTF8.self)
      let rows = text.replacing(american(Day(number: number)), with: "DAY").split(separator: "\n")
      lines += rows.dropFirst(lines.isEmpty ? 0 : 1)
    }
    guard let header = lines.first?.split(separator: "\t"),
      let end = header.firstIndex(of: "End Date")
    else { return }
    let rows = lines.map { line in
      var cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      for place in cells.indices where cells[place] == "DAY" {
        cells[place] = american(place == end ? days.upperBound : days.lowerBound)
      }
      return cells.joined(separator: "\t") + "\n"
    }
    let digits = days.upperBound.description.filter { $0 != "-" }
    path = path.replacing("DAY", with: digits.prefix(prefix == "S_W_" ? 8 : 6))
    reports[path] = Array(rows.joined().utf8)
  }
}

/// Returns a day as SALES reports write it, such as `01/31/2026`.
package func american(_ day: Day) -> String {
  let parts = day.description.split(separator: "-")
  return "\(parts[1])/\(parts[2])/\(parts[0])"
}
