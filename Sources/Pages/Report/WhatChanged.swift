import AppStoreReports
import Charts
import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// A sentence about what changed, with the colour of its dot.
struct Bullet: Sendable {
  let text: Phrase
  let mark: Mark

  enum Mark: String, Sendable {
    case good = "i"
    case bad = "o"
    case missing = "w"
    case none = ""

    init(_ tone: Tone) {
      self = tone == .good ? .good : tone == .bad ? .bad : .none
    }
  }

  /// Creates a sentence that begins with bold words.
  init(_ bold: String, _ rest: String = "", mark: Mark) {
    (text, self.mark) = (.bold(bold) + Phrase(rest), mark)
  }
}

/// What changed, in three sentences: PAGE.md, "First screen".
extension ReportData {
  var bullets: [Bullet] {
    let own = [ratesBullet, activeBullet, moneyBullet]
    return switchedSource.map { [$0] + own.prefix(2) } ?? own
  }

  // MARK: Another source than the month before

  private var switchedSource: Bullet? {
    guard let old = switchedFrom, let now = source else { return nil }
    let rate = { (source: Source) in churnText(source, month) }
    let isFirstYear = now == .subscribers && result.plan.primary == nil
    let start = isFirstYear ? "From \(name(month)) on" : "In \(name(month))"
    let comparison =
      rate(old).isEmpty
      ? "\(Self.words(old).capitalizedFirst), counted in \(name(month - 1)), have no rate."
      : "Counted from \(Self.words(old)), as in \(name(month - 1)), it would be \(rate(old))."
    return Bullet(
      "\(start) churn is counted from \(Self.words(now)): \(rate(now)).", " \(comparison)",
      mark: .none)
  }

  /// The headline source of the month before, where it is another one and the new one has a rate.
  var switchedFrom: Source? {
    let old = result.earlierHeadlineSource
    return source.map { churnText($0, month).isEmpty } == true ? nil : old
  }

  /// Returns the churn rate of a source in a month; blank where it is not known.
  private func churnText(_ source: Source, _ month: Month) -> String {
    row(.churn, source, month).map { PageText.rate($0.cell(.churnRate)) } ?? ""
  }

  // MARK: Rates

  /// A rate that is compared with that of the month before.
  private struct Compared {
    let value: HeadlineValue
    let now: TwoMonths.Ratio
    let then: TwoMonths.Ratio
    let difference: RateDifference

    /// How large the change is beside its interval.
    var weight: Double {
      let width = difference.high - difference.low
      return width > 0 ? abs(difference.value) / width : 0
    }
  }

  private func compared(_ value: HeadlineValue?) -> Compared? {
    guard let value, let now = value.ratio, let then = value.before.counts,
      let difference = value.before.difference, now.denominator >= Self.fewest,
      then.denominator >= Self.fewest
    else { return nil }
    return Compared(value: value, now: now, then: then, difference: difference)
  }

  /// The rates in the order of the sentence without a change.
  private var comparedRates: [(name: String, rate: Compared)] {
    [
      ("churn", value(.churnRate)), ("renewals", value(.renewalRate)),
      ("trials", value(.conversionRate)), ("refunds", settledRefunds),
    ].compactMap { name, value in compared(value).map { (name, $0) } }
  }

  private var ratesBullet: Bullet {
    guard let churn = value(.churnRate) else {
      return Bullet(
        "Churn is not known:",
        " \(result.reasonWithoutChurn(month, from: source))\(source.map(completeCount) ?? "")",
        mark: .missing)
    }
    let standing = standing(churn)
    if standing == .incomplete || standing == .noData { return incompleteRates(churn) }
    let all = comparedRates
    let changed = all.filter { !$0.rate.difference.spansZero }.max {
      $0.rate.weight < $1.rate.weight
    }
    if let changed { return sentence(changed.name, changed.rate) }
    guard !all.isEmpty else {
      let why =
        standing == .notAllSeen
        ? "subscriptions from before \(PageText.day(firstDay)) are not all seen yet"
        : month <= firstMonth
          ? "reports begin in \(PageText.long(firstMonth, months))"
          : "fewer than \(Self.fewest) were active in a month, or \(name(month - 1)) is incomplete"
      let own = churn.ratio.map { counts in
        let rate = counts.denominator < Self.fewest ? "" : " (\(Self.text(counts) ?? ""))"
        return " \(counts.words) left\(rate)."
      }
      return Bullet(
        "Nothing can be compared with \(name(month - 1)):", " \(why).\(own ?? "")", mark: .none)
    }
    let own = "\(all.map(\.name).inWords()) changed no more than chance explains."
    let then = maker.history(of: churn, months: 2)[0]
    let isOpen = then.value == .missing || [.incomplete, .noData].contains(then.standing)
    if !all.contains(where: { $0.name == "churn" }), month > firstMonth, isOpen {
      let before = name(month - 1)
      let why =
        then.value == .missing ? "that of \(before) is not known" : "\(before) is incomplete"
      return Bullet("Churn cannot be compared: \(why).", " \(own.capitalizedFirst)", mark: .missing)
    }
    return Bullet("Nothing stands out:", " \(own)", mark: .none)
  }

  /// The first day of the headline source's data.
  private var firstDay: Day {
    source.flatMap(report)?.completeness.firstDay ?? months.firstDay(of: month)
  }

  private var noData: String {
    if let day = missingSnapshot(for: .active) {
      return "the Subscription report of \(PageText.day(day, year: false)) is missing"
    }
    if source == .receipts, let end = endOfReceipts {
      return "receipts end on \(PageText.day(end, year: false)); take a new dump"
    }
    return source.map {
      lacksFiles
        ? "\(name(month)) has no \(Self.words($0))" : "it needs reports of the month before"
    }
      ?? "it needs Subscriber or event reports, or receipts"
  }

  private func sentence(_ kind: String, _ rate: Compared) -> Bullet {
    let (value, now, then) = (rate.value, rate.now, rate.then)
    let isUp = rate.difference.value > 0
    let tone = Tone(
      rate.difference.value, isGoodUp: kind == "renewals" || kind == "trials")
    let (verb, before) = (isUp ? "rose" : "fell", name(value.month - 1))
    let age = isAtSameAge(value) ? " at the same age" : ""
    let (subject, counts) =
      switch kind {
      case "churn":
        ("Churn", "\(now.words) left, \(PageText.count(then.numerator)) in \(before)\(age)")
      case "renewals":
        ("Renewals", "\(now.words) due were renewed, \(then.words) in \(before)\(age)")
      case "trials":
        (
          "Trials that paid",
          "\(now.words) begun in \(name(value.month)) became paying, \(then.words) in \(before)"
        )
      default:
        (
          "Refunds",
          "\(PageText.count(now.numerator)) of the \(PageText.count(now.denominator)) charges of \(name(value.month)) were refunded, \(then.words) in \(before)"
        )
      }
    let drivers = drivers(of: value.headline, in: value.month, rate.difference.value)
    return Bullet(
      "\(subject) \(verb) to \(now.percent) from \(then.percent), more than chance explains:",
      " \(counts).\(drivers.isEmpty ? "" : " \(drivers)")", mark: .init(tone))
  }

  /// Returns whether the month before is shown as it was known earlier, and differs today by 0.1 points or more.
  func isAtSameAge(_ value: HeadlineValue) -> Bool {
    guard let then = PageText.value(value.before.atSameAge),
      let today = PageText.value(value.before.today)
    else { return false }
    return abs(then - today) >= 0.001
  }

  /// Returns the parts of a rate's change that chance seldom makes, as a sentence.
  func drivers(of headline: Headline, in month: Month, _ change: Double) -> String {
    let isSplit = (content.drivers?.rows ?? []).contains {
      $0.headline == headline && $0.month == month
    }
    guard isSplit else { return "" }
    let found = [Dimension.product, .country].compactMap { dimension -> (Dimension, Driver)? in
      let part = parts(headline, by: dimension).first { driver in
        driver.isNamed && !driver.isMaybeChance && (driver.size > 0) == (change > 0)
      }
      return part.map { (dimension, $0) }
    }
    guard let (dimension, first) = found.first else {
      return "No product or country stands out."
    }
    let own =
      "\(PageText.points(first.size).replacing(" points", with: "")) of the \(PageText.points(change))"
    let rates = [first.cell("after"), first.cell("before")].map(PageText.rate)
    let verb = headline == .churnRate ? " left" : ""
    let detail =
      rates.contains("") ? "" : " (\(rates[0])\(verb), \(rates[1]) in \(name(first.against)))"
    let start = dimension == .product ? "Biggest driver: " : "Biggest driver by country: "
    let other = found.dropFirst().first.map { dimension, part in
      "; by \(dimension.words) \(part.value), \(PageText.points(part.size))"
    }
    return "\(start)\(first.value), \(own)\(detail)\(other ?? "")."
  }

  /// The sentence of a month that lacks days.
  private func incompleteRates(_ churn: HeadlineValue) -> Bullet {
    let own = Self.missing(missingDays.ofMonth, of: churn.source)
    let why =
      own.map { "the \($0)" } ?? emptyReports(churn.source, month)
      ?? gapWords(churn.source) ?? "a report near the month’s first or last day is missing"
    var rest = ""
    if let counts = churn.ratio, counts.denominator > 0 {
      let isLimit = isLimit(churn)
      let end =
        isLimit
        ? ": renewals of such a day look like losses."
        : lastReport(churn).map { " until \(PageText.day($0, year: false))." } ?? "."
      rest = " \(isLimit ? "At most " : "")\(counts.words) left (\(counts.percent))\(end)"
    }
    return Bullet(
      "Churn cannot be compared: \(why).", rest + completeCount(besides: churn.source),
      mark: .missing)
  }

  /// Returns how many left by a source that lacks nothing, other than a source, as a sentence; blank without one.
  private func completeCount(besides source: Source) -> String {
    guard let other = completeSource(besides: source),
      let left = row(.churn, other, month)?[.churned]
    else { return "" }
    let (rate, before) = (churnText(other, month), churnText(other, month - 1))
    let earlier = before.isEmpty ? "" : " after \(before) in \(name(month - 1))"
    let name = (other == .events ? "Apple’s " : "") + Self.words(other)
    return " \(name.capitalizedFirst) are complete and count \(PageText.count(left))"
      + (rate.isEmpty ? "." : ", \(rate)\(earlier).")
      + (other == .events ? " They date failed payments later." : "")
  }

  /// Returns the missing reports of a source, such as `Subscriber report of 21 September is missing`.
  private static func missing(_ kinds: [MissingDays.Kind], of source: Source) -> String? {
    let names = PageContent.kinds(source).map { name(ofKind: $0.rawValue) }
    let own = kinds.filter { names.contains($0.name) }
    guard let first = own.first else { return nil }
    if own.count == 1, first.days.count == 1 {
      return "\(first.reports(1)) of \(PageText.day(first.days[0], year: false)) is missing"
    }
    let days = own.map { "\($0.reports(2)) of \(text($0.days, year: false, atMost: 3))" }
    return "\(days.inWords()) are missing"
  }

  /// Returns the source of churn whose month lacks nothing, other than a source.
  private func completeSource(besides source: Source) -> Source? {
    HeadlineMaker.possibleSources.first { other in
      other != source
        && report(other).map { maker.standing(.churnRate, $0, in: month) }?.isCompared == true
    }
  }

  // MARK: Active subscriptions

  private var activeBullet: Bullet {
    guard let value = value(.active), let now = value.value.count else {
      return Bullet("How many are active is not known: \(noData).", mark: .missing)
    }
    let standing = standing(value)
    if standing == .incomplete || standing == .noData {
      let last = lastReport(value)
      let be = last == nil ? ("is", "are") : ("was", "were")
      let counted = PageText.counted(now, "subscription \(be.0)", "subscriptions \(be.1)")
      let day = last.map { "on \(PageText.day($0, year: false)), the day of the last report" }
      var rest = " \(day ?? "for the same reason")"
      if value.source == .subscribers, let row = row(.movement, .events, month),
        let snapshot = row[.closeObserved]
      {
        let change = row[.open].map { open -> String in
          let (more, word) = (snapshot - open, snapshot >= open ? "more" : "fewer")
          return ", \(PageText.count(abs(more))) \(word) than in \(name(month - 1))"
        }
        rest += "; Apple’s own snapshot counts \(PageText.count(snapshot))\(change ?? "")"
      }
      return Bullet(
        "\(isLimit(value) ? "At least " : "")\(counted) active\(last == nil ? "," : "")",
        rest + ".", mark: .missing)
    }
    guard let then = value.before.today.count else {
      return Bullet(
        "\(PageText.counted(now, "subscription is", "subscriptions are")) active.",
        " \(comeAndGone(value.source).capitalizedFirst)", mark: .none)
    }
    let change = now - then
    let verb = change == 0 ? "stayed at" : change > 0 ? "grew by" : "fell by"
    let number =
      change == 0 ? PageText.count(now) : "\(PageText.count(abs(change))) to \(PageText.count(now))"
    let before = maker.history(of: value, months: 3)
    var earlier = ""
    if let older = before[0].value.count, before[0].standing != .noData {
      earlier = " (\(name(month - 1)): \(PageText.signed(then - older)))"
    }
    let parts = parts(.active, by: .product).filter(\.isNamed)
    let first = parts.first
    let second =
      parts.dropFirst().first { part in
        first.map { ($0.size > 0) != (part.size > 0) } ?? false
      } ?? parts.dropFirst().first
    let named = [first, second].compactMap { part in
      part.map { "\($0.value), \(PageText.signed(Int($0.size)))" }
    }
    let biggest = named.isEmpty ? "" : " Biggest change: \(named.joined(separator: "; "))."
    return Bullet(
      "Active subscriptions \(verb) \(number)",
      "\(earlier): \(comeAndGone(value.source))\(biggest)",
      mark: .init(Tone(Double(change), isGoodUp: true)))
  }

  /// Returns how many came and went, such as `47 came, 38 went.`; blank where it is not known.
  func comeAndGone(_ source: Source) -> String {
    guard let flows = Flows(row(.movement, source, month)) else { return "" }
    return "\(PageText.count(flows.came)) came, \(PageText.count(flows.went)) went."
  }

  // MARK: Money

  /// The reports that would bring the net proceeds of the headline month.
  var neededForMoney: String {
    result.sources.contains { $0.source == .sales }
      ? "Sales reports of \(name(month))" : "Sales or Subscriber reports"
  }

  private var moneyBullet: Bullet {
    guard let currency = mainCurrency, let value = value(.netProceeds, currency),
      let now = value.value.milliunits
    else {
      return Bullet(
        "Net proceeds are not known:", " \(neededForMoney) would bring them.", mark: .missing)
    }
    let standing = standing(value)
    if !standing.isCompared || !result.isOver(value.month) {
      let own = Self.missing(missingDays.ofMonth, of: value.source)
      let why = own.map { ": the \($0)" } ?? ""
      return Bullet(
        "Net proceeds so far are \(PageText.amount(now, currency)) \(currency)\(why).",
        mark: .missing)
    }
    guard currencies.count > 1 else { return moneyOfOne(value, now, currency) }
    return moneyOfSeveral(currency)
  }

  private func moneyOfOne(
    _ value: HeadlineValue, _ now: Int128, _ currency: String
  ) -> Bullet {
    let amount = "\(PageText.amount(now, currency)) \(currency)"
    guard let then = value.before.today.milliunits else {
      return Bullet("Net proceeds were \(amount).", mark: .none)
    }
    let tone = Tone(Double(now - then), isGoodUp: true)
    if now == then { return Bullet("Net proceeds stayed at \(amount).", mark: .init(tone)) }
    let by = PageText.change(now, since: then) ?? PageText.amount(abs(now - then), currency)
    return Bullet(
      "Net proceeds \(now > then ? "rose" : "fell") by \(by) to \(amount).",
      moneyDrivers(currency, isUp: now > then, start: "Biggest driver"), mark: .init(tone))
  }

  /// Returns which product and country changed an amount most, in its direction.
  private func moneyDrivers(_ currency: String, isUp: Bool, start: String) -> String {
    let texts = [Dimension.product, .country].compactMap { dimension -> (Dimension, String)? in
      let all = parts(.netProceeds, by: dimension, currency)
      guard let part = all.first(where: { $0.isNamed && ($0.size > 0) == isUp }),
        let amount = part.total.milliunits, dimension == .product || all.count > 1
      else { return nil }
      return (dimension, "\(part.value), \(PageText.signedAmount(amount, currency))")
    }
    guard let (dimension, first) = texts.first else { return "" }
    let second = texts.dropFirst().first.map { "; by country \($0.1)" } ?? ""
    return " \(start)\(dimension == .product ? "" : " by country"): \(first)\(second)."
  }

  private func moneyOfSeveral(_ main: String) -> Bullet {
    struct Change {
      let currency: String
      let now: Int128
      let then: Int128
      var share: Double { then > 0 ? Double(now - then) / Double(then) : 0 }
    }
    let changes = currencies.compactMap { code -> Change? in
      guard let value = value(.netProceeds, code), let now = value.value.milliunits,
        let then = value.before.today.milliunits
      else { return nil }
      return Change(currency: code, now: now, then: then)
    }
    guard !changes.isEmpty else {
      let amounts = currencies.prefix(3).compactMap { code in
        value(.netProceeds, code)?.value.milliunits.map { "\(code) \(PageText.amount($0, code))" }
      }
      return Bullet(
        "Net proceeds in \(currencies.count) currencies:", " \(amounts.inWords()).", mark: .none)
    }
    let text = { (change: Change) -> String in
      let share = PageText.change(change.now, since: change.then).map {
        " (\(change.now < change.then ? "\u{2212}" : "+")\($0))"
      }
      return "\(change.currency) \(PageText.amount(change.now, change.currency))\(share ?? "")"
    }
    let rising = changes.filter { $0.now > $0.then }
    let falling = changes.filter { $0.now < $0.then }
    let key = Self.risen(rising.count, fallen: falling.count, of: changes.count)
    // The main currency, and the one that rose most.
    let mainRise = rising.filter { $0.currency == main }
    let mainFall = falling.first { $0.currency == main }
    let most = rising.filter { $0.currency != main }.max { $0.share < $1.share }
    var parts: [String] = []
    let rises = (mainRise + [most].compactMap(\.self)).prefix(2).map(text)
    if !rises.isEmpty { parts.append(rises.joined(separator: ", ")) }
    if let fall = falling.min(by: { $0.share < $1.share }) {
      let own = mainFall.flatMap { $0.currency == fall.currency ? nil : $0 }
      let most = "they fell most in \(text(fall))"
      parts.append(own.map { "\(most), and in \(text($0))" } ?? most)
    }
    let own = changes.first { $0.currency == main }
    let drivers = own.map {
      moneyDrivers(main, isUp: $0.now > $0.then, start: "Biggest driver in \(main)")
    }
    let tone = own.map { Tone(Double($0.now - $0.then), isGoodUp: true) } ?? .flat
    return Bullet(
      key + (parts.isEmpty ? "." : ":"),
      (parts.isEmpty ? "" : " \(parts.joined(separator: "; ")).") + (drivers ?? ""),
      mark: .init(tone))
  }
}

/// The changes of active subscriptions in a month, as the page groups them.
struct Flows {
  let row: ReportTable.NamedRow
  /// The subscriptions that came: new ones, first seen, trials that paid, and returns.
  let came: Int
  /// Those that left, and those whose payment is failing.
  let went: Int
  /// Changes of plan, those to it less those from it.
  let changed: Int
  let unexplained: Int

  /// The columns beside those of who came and went, which tables have where they are not 0.
  static let besides = ["changed plan", "unexplained"]

  /// Reads a row of `movement`; `nil` where a flow is not known.
  init?(_ row: ReportTable.NamedRow?) {
    guard let row else { return nil }
    let columns: [ColumnName] = [
      .started, .firstSeen, .converted, .reactivated, .recovered, .churned, .enteredRetry,
    ]
    let counts = columns.compactMap { row[$0] }
    guard counts.count == columns.count else { return nil }
    self.row = row
    came = counts[..<5].reduce(0, +)
    went = counts[5...].reduce(0, +)
    changed = (row[.switchedIn] ?? 0) - (row[.switchedOut] ?? 0)
    unexplained = row[.unexplained] ?? 0
  }

  /// Returns the way from one number of active subscriptions to the next; `limit` is the sign before the last, such as
  /// `≥ `.
  func waterfall(
    from: String, to: String, caption: String, isIncomplete: Bool, limit: String
  ) -> SectionFigure? {
    guard let open = row[.open], let end = row[.closeObserved] else { return nil }
    let flows: [(String, ColumnName, sign: Int)] = [
      ("New subscribers", .started, 1), ("First seen", .firstSeen, 1),
      ("Trials that paid", .converted, 1), ("Came back", .reactivated, 1),
      ("Payment recovered", .recovered, 1), ("Left", .churned, -1),
      ("Payment failing", .enteredRetry, -1),
    ]
    let flow = { (label: String, count: Int, kind: Waterfall.Kind) in
      Waterfall.Row(label, kind, Double(count), text: PageText.signed(count))
    }
    var rows = [Waterfall.Row(from, .stock(), Double(open), text: PageText.count(open))]
    rows += flows.compactMap { label, column, sign in
      row[column].flatMap { $0 == 0 ? nil : flow(label, sign * $0, .flow) }
    }
    if changed != 0 { rows.append(flow("Changed plan", changed, .flow)) }
    if unexplained != 0 { rows.append(flow("Unexplained", unexplained, .unexplained)) }
    rows.append(
      Waterfall.Row(
        to, .stock(isIncomplete: isIncomplete), Double(end), text: limit + PageText.count(end)))
    return .waterfall(caption, rows, in: "came", out: "went")
  }
}
