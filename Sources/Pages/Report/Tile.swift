import Counting
import Pipeline
import Rendering
import SubscriptionModel
import Tables

/// Whether a change is good news; its word and colour follow.
enum Tone: String, Sendable {
  case good, bad, flat

  init(_ change: Double, isGoodUp: Bool) {
    self = change == 0 ? .flat : (change > 0) == isGoodUp ? .good : .bad
  }

  /// The word after a change.
  var word: String {
    switch self {
    case .good: "better"
    case .bad: "worse"
    case .flat: "no change"
    }
  }
}

/// One of the five figures that the page shows first: PAGE.md, "First screen".
struct Tile: Sendable {
  let label: String
  /// Words before the number, such as `at most`.
  var before = ""
  /// The number, such as `13.1%`; blank where it is not known.
  var number = ""
  /// Words after the number, such as the currency.
  var after = ""
  /// The denominator of a rate of fewer than 30.
  var of: String?
  /// The numbers of the last 13 months, the newest last; `nil` where one is not known.
  var line: [Double?] = []
  /// How far the last number can be trusted.
  var standing = Standing.settled
  /// Why the number is compared with nothing, such as `incomplete`; blank where it is.
  var tag = ""
  /// The change since the month before; `nil` where it is not compared.
  var verdict: (text: String, tone: Tone)?
  /// Whether chance may explain the change of a rate; `nil` for counts, money and rates without comparison.
  var mayBeChance: Bool?
  /// The lines below it: earlier numbers.
  var lines: [Phrase] = []
  /// The row of `headlines.csv` with the number; `nil` where it is not known.
  var row: Row?

  /// Names a number of `headlines.csv`.
  struct Row: Sendable {
    let figure: String
    let source: String
    /// As tables write it, such as `2026-09`.
    let month: String
    let currency: String
    let value: ReportTable.Cell
    let state: String
  }

  /// The number with its words, such as `at most 9.2%` or `6 of 8`.
  var text: String {
    let own = of.map { "\(number) of \($0)" } ?? number
    return [before, own, after].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The verdict in words, such as `▲ 7.0 points, worse`.
  var verdictText: String {
    if !tag.isEmpty { return tag }
    guard let verdict else { return "" }
    return verdict.tone == .flat ? verdict.text : "\(verdict.text), \(verdict.tone.word)"
  }
}

extension ReportData {
  /// The months in the line of a tile.
  private static let tileMonths = 13
  /// A rate of fewer is shown as two counts, and compared with none.
  static let fewest = 30

  /// The five figures, in the order of the page.
  var tiles: [Tile] {
    [
      countTile(.active, "Active subscriptions"), countTile(.netChange, "Net new"), churnTile,
      recurringTile ?? moneyTile, trialTile,
    ]
  }

  /// Returns a tile without a number, and which file would bring it.
  private func empty(_ label: String, _ needed: String) -> Tile {
    Tile(label: label, number: "no data", lines: [Phrase(needed)])
  }

  private static let needed = "needs Subscriber or event reports, or receipts"
  /// Returns what would bring the number of active subscriptions, its change, or churn.
  private func needed(for headline: Headline) -> String {
    if let day = missingSnapshot(for: headline) {
      return "needs the Subscription report of \(PageText.day(day, year: false))"
    }
    if source == .receipts, let end = endOfReceipts {
      return "receipts end on \(PageText.day(end, year: false)): take a new dump"
    }
    return lacksFiles ? Self.needed : "needs reports of the month before"
  }

  private func countTile(_ headline: Headline, _ label: String) -> Tile {
    guard let value = value(headline), let now = value.value.count else {
      return empty(label, needed(for: headline))
    }
    let isSigned = headline == .netChange
    let text = { (count: Int) in isSigned ? PageText.signed(count) : PageText.count(count) }
    var tile = Tile(label: label, number: text(now))
    tile.tag = Self.tag(standing(value))
    (tile.before, tile.after) = limitWords(value, "at least")
    let points = history(value, &tile)
    if let then = value.before.today.count {
      let change = now - then
      let share = isSigned ? nil : PageText.change(Int128(now), since: Int128(then))
      tile.verdict = verdict(
        Double(change), PageText.count(abs(change)) + (share.map { " (\($0))" } ?? ""),
        isGoodUp: true)
    }
    tile.lines = earlier(points) {
      $0.value.count.map(text)
    } yearly: { point in
      guard !isSigned, let then = point.value.count else { return "" }
      return Self.arrow(Int128(now), since: Int128(then))
    }
    return tile
  }

  private var churnTile: Tile {
    guard let value = value(.churnRate) else { return empty("Churn", needed(for: .churnRate)) }
    var tile = rateTile("Churn", value, isGoodUp: false)
    (tile.before, tile.after) = limitWords(value, "at most")
    return tile
  }

  private var trialTile: Tile {
    let soFar = value(.conversionSoFar)
    let running = soFar.flatMap { value in
      value.ratio.map { Phrase("\(PageText.shortest(value.month, months)) so far \($0.words)") }
    }
    guard let value = value(.conversionRate) else {
      var tile = empty(
        "Trials that paid",
        soFar == nil ? "needs Subscriber reports or receipts" : "No month is decided yet")
      tile.lines += [running].compactMap(\.self)
      return tile
    }
    var tile = rateTile("Trials that paid, \(name(value.month))", value, isGoodUp: true)
    (tile.before, tile.after) = limitWords(value, "at least")
    tile.lines += [running].compactMap(\.self)
    return tile
  }

  private func rateTile(_ label: String, _ value: HeadlineValue, isGoodUp: Bool) -> Tile {
    guard let counts = value.ratio else { return empty(label, Self.needed) }
    var tile = Tile(label: label)
    let isFew = counts.denominator < Self.fewest
    if isFew {
      tile.number = PageText.count(counts.numerator)
      tile.of = PageText.count(counts.denominator)
    } else {
      tile.number = counts.percent
    }
    tile.tag = Self.tag(standing(value))
    let points = history(value, &tile)
    if let then = value.before.counts {
      if isFew || then.denominator < Self.fewest {
        tile.verdict = ("Too few to compare", .flat)
      } else if let difference = value.before.difference {
        let points = PageText.points(difference.value)
        tile.mayBeChance = difference.spansZero
        tile.verdict =
          difference.spansZero
          ? ("≈ \(points), may be chance", .flat)
          : verdict(difference.value, points, isGoodUp: isGoodUp)
      }
    }
    // The month before as it stood at the same age, if it is compared.
    let (atSameAge, yearBefore) = (value.before.counts, value.yearBefore.counts)
    tile.lines = earlier(points) { point in
      let earlier = point.month == value.month - 1 ? atSameAge : yearBefore
      return (earlier ?? point.counts).flatMap(Self.text)
    } yearly: { _ in
      ""
    }
    return tile
  }

  /// Returns why a number is compared with nothing; blank where it is.
  static func tag(_ standing: Standing) -> String {
    standing.isCompared ? "" : AnswerLines.words(standing)
  }

  /// Returns a rate of an earlier month: of fewer than 30 its counts.
  static func text(_ counts: TwoMonths.Ratio) -> String? {
    if counts.denominator == 0 { return nil }
    return counts.denominator < fewest ? counts.words : counts.percent
  }

  private var moneyTile: Tile {
    guard let currency = mainCurrency, let value = value(.netProceeds, currency),
      let now = value.value.milliunits
    else { return empty("Net proceeds", "needs \(neededForMoney)") }
    var tile = Tile(label: "Net proceeds", number: PageText.amount(now, currency))
    let standing = standing(value)
    tile.tag = Self.tag(standing)
    let isSoFar = standing == .incomplete || !result.isOver(value.month)
    tile.after = currency + (isSoFar ? " so far" : "")
    let points = history(value, &tile)
    if let then = value.before.today.milliunits {
      let share = PageText.change(now, since: then)
      tile.verdict = verdict(
        Double(now - then), share ?? PageText.amount(abs(now - then), currency),
        isGoodUp: true)
    }
    tile.lines = earlier(points) { point in
      // A month before that is compared and has no row had nothing.
      let isBefore = point.month == value.month - 1 && point.value == .missing
      let known = isBefore ? value.before.today : point.value
      return known.milliunits.map { PageText.amount($0, currency) }
    } yearly: {
      $0.value.milliunits.map { Self.arrow(now, since: $0) } ?? ""
    }
    let others = currencies.count - 1
    if others > 0 {
      tile.lines.append(.link(PageText.moreCurrencies(others), "#money"))
    }
    return tile
  }

  /// Returns the last months of a number, and gives its tile their line and the row of the number.
  private func history(_ value: HeadlineValue, _ tile: inout Tile) -> [HeadlinePoint] {
    tile.row = Tile.Row(
      figure: value.headline.rawValue, source: value.source.rawValue,
      month: months.name(value.month), currency: value.currency, value: value.value,
      state: value.state)
    let points = maker.history(of: value, months: Self.tileMonths)
    tile.line = points.map { $0.standing == .noData ? nil : PageText.value($0.value) }
    tile.standing = points.last?.standing ?? .settled
    return points
  }

  func verdict(
    _ change: Double, _ text: String, isGoodUp: Bool
  ) -> (text: String, tone: Tone) {
    let tone = Tone(change, isGoodUp: isGoodUp)
    return tone == .flat ? ("no change", .flat) : ("\(change > 0 ? "▲" : "▼") \(text)", tone)
  }

  static func arrow(_ now: Int128, since then: Int128) -> String {
    guard now != then, let share = PageText.change(now, since: then) else { return "" }
    return " \(now > then ? "▲" : "▼") \(share)"
  }

  /// Returns the lines of the month and the year before.
  private func earlier(
    _ points: [HeadlinePoint], _ text: (HeadlinePoint) -> String?,
    yearly: (HeadlinePoint) -> String
  ) -> [Phrase] {
    guard points.count == Self.tileMonths else { return [] }
    var lines: [Phrase] = []
    let (before, year) = (points[points.count - 2], points[0])
    if before.month >= firstMonth {
      let number = before.standing == .noData ? nil : text(before)
      lines.append("\(name(before.month)) \(number ?? "no data")")
    }
    if year.month >= firstMonth {
      let isKnown = year.standing.isCompared
      let number =
        isKnown ? text(year).map { $0 + yearly(year) } : AnswerLines.words(year.standing)
      lines.append(
        "\(PageText.short(year.month, months)) \(year.standing == .noData ? "no data" : number ?? "no data")"
      )
    }
    return lines
  }
}
