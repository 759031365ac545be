import Counting
import Pages
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

  /// Returns why churn of the last month is more than movement shows; blank where the two are equal.
  ///
  /// They differ for events only. A subscription that lapses at the end of Apple's retry counts as churned then. It
  /// has left the paid subscriptions before, when the payment failed.
  ///
  /// - Parameters:
  ///   - movement: Rows of `movement` of one source.
  ///   - source: The source.
  /// - Returns: The sentence.
  private func churnedLater(_ movement: ReportTable, _ source: Source) -> String {
    guard source == .events, let row = movement.namedRows.last, let here = row["churned"],
      let month = months.month(named: row.text("month"))
    else { return "" }
    let churn = content.tables[.churn]?.first(where: \.dimensions.isEmpty)
    let same = churn?.namedRows.first {
      $0.source == source.rawValue && $0.text("month") == row.text("month")
    }
    guard let all = same?["churned"], all > here else { return "" }
    return """
      Churn in \(month.longName(months)) is \(NumberStyle.grouped(all)), \(NumberStyle.grouped(all - here)) more than \
      the \(NumberStyle.grouped(here)) churned here: for those, Apple's tries to collect a failed payment ended without one. \
      They left here when the payment failed, up to 60 days before.
      """
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
      if let figure = Figures.monthOfMovement(rows, frameOfMonth) {
        append(figure, to: &page)
        page.paragraph(markdown: churnedLater(rows, source))
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
