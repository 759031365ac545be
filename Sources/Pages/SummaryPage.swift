import Rendering
import SubscriptionModel
import Tables

extension Tile {
  /// The figure on one line, such as `Churn 13.1%  ▲ 7.0 points, worse  (August 6.2%)`; of trials with their month.
  var brief: String {
    let parts = label.split(separator: ", ", maxSplits: 1).map(String.init)
    let before = lines.lazy.map(\.plain).first { !$0.isEmpty }
    let notes = parts.dropFirst().map { "of \($0)" } + [before].compactMap(\.self)
    let earlier = notes.isEmpty ? "" : "(\(notes.joined(separator: "; ")))"
    return ["\(parts[0]) \(text)", verdictText, earlier].filter { !$0.isEmpty }
      .joined(separator: "  ")
  }
}

/// The page for readers as text, `summary.md`, and its first lines, `--brief`: PAGE.md, "Text".
package struct SummaryPage: Sendable {
  /// What `index.html` prints too.
  let answer: Answer
  package var content: PageContent { answer.content }

  /// The most lines of the page, and the rows of side tables with which it is tried.
  private static let mostLines = 200
  private static let rowLimits = [SideTable.mostRows, 4, 2, 0]

  package init(_ content: PageContent) {
    answer = Answer(
      content,
      apps: AppPage.all(content.result, content.tables, content.headlines?.sourceOrder ?? []))
  }

  /// The page, with as many rows of side tables as fit.
  package var text: String {
    var text = ""
    for limit in Self.rowLimits {
      text = self.text(rows: limit)
      if text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) <= Self.mostLines { break }
    }
    return text
  }

  private func text(rows limit: Int) -> String {
    let status = answer.status
    var page =
      "# \(MarkdownText.escaped("\(answer.title): \(answer.subtitle)".replacing(": Subscriptions", with: ": subscriptions")))\n\n"
    page +=
      "\(status.isComplete ? "✓" : "⚠") **\(MarkdownText.escaped(status.headline)).** \(MarkdownText.escaped(status.detail))\n\n"
    if !answer.tiles.isEmpty {
      page += "|  | number | change | earlier |\n| --- | ---: | --- | --- |\n"
      for tile in answer.tiles {
        let cells = [
          tile.label, tile.text, tile.verdictText,
          tile.lines.map(\.plain).filter { !$0.isEmpty }.joined(separator: "; "),
        ]
        page += "| " + cells.map(MarkdownText.escaped).joined(separator: " | ") + " |\n"
      }
      page += "\n"
      for bullet in answer.bullets { page += "- \(bullet.text.markdown)\n" }
      page += "\n"
    }
    for section in answer.sections { page += text(section, rows: limit) }
    return page + (answer.footer.isEmpty ? "" : answer.footer + "\n")
  }

  /// The most sentences of a fold that the text has.
  private static let mostNotes = 12

  private func text(_ section: Section, rows limit: Int) -> String {
    var text = "## \(section.title)\n\n"
    if !section.lead.isEmpty { text += section.lead.markdown + "\n\n" }
    for var table in section.side where limit > 0 {
      let rest = table.rows.count - limit
      table.rows = Array(table.rows.prefix(limit))
      text += table.markdown
      if rest > 0 { text += "… and \(rest) more.\n\n" }
    }
    guard let fold = section.fold else { return text }
    let isOfNotes = ["health", "definitions", "money"].contains(section.id)
    if isOfNotes {
      let all =
        (fold.textNotes.isEmpty ? fold.notes : fold.textNotes) + section.parts.flatMap(\.notes)
      let notes = all.prefix(section.id == "health" ? Self.mostNotes : Int.max)
      text += notes.map { "- \($0)\n" }.joined() + (notes.isEmpty ? "" : "\n")
      let rest = all.count - notes.count
      if rest > 0 { text += "… and \(counted(rest, "more line")).\n\n" }
    }
    let files = fold.files.map { "`\($0)`" }.joined(separator: ", ")
    let command = fold.command.map { " \(fold.beforeCommand) `\($0)`." } ?? ""
    if !files.isEmpty || !command.isEmpty {
      text += (files.isEmpty ? "" : "Files: \(files).") + command + "\n\n"
    }
    return text
  }

  /// The widest line of the brief.
  private static let width = 100

  /// The answer in at most twelve lines of plain text: title, status, five figures, what changed.
  package var brief: String {
    let status = answer.status
    var lines = ["\(answer.title): \(answer.subtitle)", "\(status.headline). \(status.detail)"]
    lines += answer.tiles.map(\.brief)
    var spare = Self.mostBriefLines - lines.count - answer.bullets.count
    lines = lines.map { Self.shortened(VisibleText.of($0), Self.width) }
    for bullet in answer.bullets {
      let text = VisibleText.of(bullet.text.plain)
      // Each bullet has its line, and the first long ones a second.
      let isLong = spare > 0 && text.count > Self.width
      let end = isLong ? text.prefix(Self.width).lastIndex(of: " ") : nil
      if let end {
        spare -= 1
        let rest = text[text.index(after: end)...]
        lines += [
          String(text[..<end]), "  " + Self.shortened(String(rest), Self.width - 2),
        ]
      } else {
        lines.append(Self.shortened(text, Self.width))
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static let mostBriefLines = 12

  /// Ends a line that is too long at a sentence, else with dots at a clause or a word.
  static func shortened(_ line: String, _ width: Int) -> String {
    guard line.count > width else { return line }
    let cut = line.prefix(width - 1)
    let marks = cut.indices.dropLast().filter { cut[cut.index(after: $0)] == " " }
    let least = cut.index(cut.startIndex, offsetBy: width / 3)
    if let end = marks.last(where: { cut[$0] == "." && $0 > least }) { return String(cut[...end]) }
    let clause = marks.last { ";,".contains(cut[$0]) && $0 > least }
    return String(cut[..<(clause ?? cut.lastIndex(of: " ") ?? cut.endIndex)]) + "…"
  }
}

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
