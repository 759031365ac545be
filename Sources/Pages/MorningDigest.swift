import Rendering
import SubscriptionModel
import Tables

/// The answer for the morning: at most six lines of plain text, or one JSON object, the file `digest.json`.
///
/// It has the words and numbers of `summary.md`. An example of its lines is
///
///     Larkspur: Subscriptions in September 2026
///     Active subscriptions 301  ▼ 8 (2.6%), worse  (August 309); Net new −8  ▼ 21, worse  (August +13)
///     Churn 9.4%  ≈ 1.3 points, may be chance  (August 8.1%); Recurring revenue 881.37 USD  ▼ 3.0%, worse  (August 908.96)
///     Trials that paid 5 of 9  Too few to compare  (of June; May 4 of 8)
///     September is complete. 1 older report is missing (Subscriber, 26 Feb 2026); no key figure uses it.
///     No number of the whole population has changed since the last run.
package struct MorningDigest: Sendable {
  /// The file of `report -o DIR` with the JSON object.
  package static let fileName = "digest.json"
  package static let mostLines = 6
  package static let width = 180
  /// The most problems of the data in JSON; the others are counted.
  private static let mostProblems = 40

  private let answer: Answer
  private var content: PageContent { answer.content }

  package init(_ page: SummaryPage) { answer = page.answer }

  /// The lines without line breaks, control characters or marks of direction.
  ///
  /// Title, figures, missing reports, and changes since the last run; without a ledger the first change of the month.
  package var lines: [String] {
    let subtitle = Self.line(answer.subtitle)
    // A long name of an app leaves room for the month.
    let room = max(Self.width / 3, Self.width - subtitle.count - 2)
    let figures = answer.tiles.map { VisibleText.of($0.brief) }
    let pairs = stride(from: 0, to: figures.count, by: 2).map {
      figures[$0..<min($0 + 2, figures.count)].joined(separator: "; ")
    }
    let history = content.changes?.brief ?? answer.bullets.first?.text.plain
    let all =
      ["\(SummaryPage.shortened(VisibleText.of(answer.title), room)): \(subtitle)"] + pairs
      + ["\(answer.status.headline). \(answer.status.detail)\(waiting)"]
      + [history].compactMap(\.self)
    return all.prefix(Self.mostLines).map(Self.line)
  }

  private static func line(_ text: String) -> String {
    SummaryPage.shortened(VisibleText.of(text), width)
  }

  private var missing: Int { content.health.days.count(.missing) }
  private var pending: Int { content.health.days.count(.pending) }

  /// How many reports may still come, where the status does not say it.
  private var waiting: String {
    pending == 0 || answer.status.detail.contains("may still come")
      ? "" : " \(PageText.counted(pending, "report")) may still come."
  }

  /// The digest as one JSON object on a line of its own; its member `lines` has the text.
  package var json: String {
    let problems = content.health.problems.map { InlineMarkdown.plain($0.line) }
    let object: JSONValue = .object([
      "title": .text(answer.title), "subtitle": .text(answer.subtitle),
      "month": JSONValue(content.headlines.map { content.months.name($0.month) }),
      "complete": .bool(answer.status.isComplete), "status": .text(answer.status.headline),
      "detail": .text(answer.status.detail), "missing_days": .count(missing),
      "pending_days": .count(pending), "figures": .list(answer.tiles.map(Self.figure)),
      "what_changed": .texts(answer.bullets.map(\.text.plain)),
      "since_last_run": content.changes.map(Self.changes) ?? .null,
      "problems": .texts(problems.prefix(Self.mostProblems)),
      "more_problems": .count(max(0, problems.count - Self.mostProblems)), "lines": .texts(lines),
    ])
    return object.text + "\n"
  }

  /// Returns the lines of a `digest.json`; none for another text.
  package static func lines(inJSON bytes: [UInt8]) -> [String] {
    guard let object = try? JSONValue(parsing: bytes), case .list(let lines)? = object["lines"]
    else { return [] }
    return lines.compactMap(\.words).map(VisibleText.of)
  }

  private static func figure(_ tile: Tile) -> JSONValue {
    let row = tile.row
    return .object([
      "label": .text(tile.label), "number": .text(tile.text),
      "change": JSONValue(tile.verdictText),
      "may_be_chance": tile.mayBeChance.map(JSONValue.bool) ?? .null,
      "earlier": .texts(tile.lines.map(\.plain).filter { !$0.isEmpty }),
      "figure": JSONValue(row?.figure), "source": JSONValue(row?.source),
      "month": JSONValue(row?.month), "currency": JSONValue(row?.currency),
      "value": JSONValue(row?.value ?? .missing), "state": JSONValue(row?.state),
    ])
  }

  private static func changes(_ changes: ChangedNumbers) -> JSONValue {
    let names = changes.table?.columns.map(\.name) ?? []
    let rows = (changes.table?.shownRows ?? []).map { row in
      JSONValue.object(zip(names, row).map { JSONValue.Member($0, .text($1)) })
    }
    return .object([
      "sentence": .text(InlineMarkdown.plain(changes.sentence)), "numbers": .list(rows),
    ])
  }
}
