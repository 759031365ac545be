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
    return FigureFrame(
      months: months, events: content.events, titleEnd: titleEnd(source),
      files: files(of: kind.rawValue),
      command: command.line(kind.rawValue, words.joined(separator: " ")))
  }

  /// The headline month from its beginning to its end, and all months.
  var movementSection: PageSection? {
    guard let (source, rows) = content.table(of: .movement, months: detail.months) else {
      return nil
    }
    let frame = frame(.movement, source)
    return PageSection("movement", "Who came and who went") { page in
      if let figure = Figures.monthOfMovement(rows, frame) {
        append(figure, to: &page)
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
