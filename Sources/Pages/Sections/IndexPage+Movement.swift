import Counting
import Pipeline
import Rendering
import SubscriptionModel
import Tables

extension IndexPage {
  /// Returns the frame of a table's figures.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - source: The source of the rows.
  ///   - options: The options of the table's command besides the source.
  /// - Returns: The frame, with the events of all months.
  func frame(
    _ kind: TableKind, _ source: Source, options: String = "--all-months"
  ) -> FigureFrame {
    let words = ["--source \(source.rawValue)", options].filter { !$0.isEmpty }
    var frame = FigureFrame(
      months: months, source: source, events: content.events, titleEnd: titleEnd(source),
      files: files(of: kind.rawValue),
      command: command.line(kind.rawValue, words.joined(separator: " ")))
    frame.noteMonths(
      of: kind, content.result, last: detail.months,
      churn: content.tables[.churn]?.first(where: \.dimensions.isEmpty))
    return frame
  }

  /// The headline month from its beginning to its end, and all months.
  var movementSection: PageSection? {
    guard let (source, rows) = content.table(of: .movement, months: detail.months) else {
      return nil
    }
    let frame = frame(.movement, source)
    // Its command would be that of the next figure.
    var frameOfMonth = frame
    frameOfMonth.explanation = content.explainCommand(.movement, source, appID: appID)
    if frameOfMonth.explanation != nil { frameOfMonth.command = nil }
    return PageSection("movement", "Who came and who went") { page in
      page.paragraph(markdown: content.monthWithoutRows(.movement, source))
      if let figure = Figures.monthOfMovement(rows, frameOfMonth) {
        append(figure, to: &page)
        page.paragraph(markdown: content.churnedLater(rows, source))
      } else {
        page.element(
          .p, [.class: "note"],
          text:
            "How many subscriptions there were before the month is not known, so it cannot be shown as steps."
        )
      }
      var figure = Figures.movement(rows, frame)
      figure.choice = choice(.active)
      append(figure, to: &page)
    }
  }
}
