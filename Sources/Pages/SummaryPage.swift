import Rendering
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
      let all = fold.notes + section.parts.flatMap(\.notes)
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

  /// The most lines of the answer in brief.
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
