import Charts
import SubscriptionModel
import Tables

/// What a figure needs besides the numbers: how months are written, the events on its axis, and its origin.
struct FigureFrame {
  let months: MonthSystem
  /// The source of the numbers, which decides what some of them mean; `nil` for numbers that mean the same in all.
  var source: Source?
  /// The events of a month, in a few words; marks on every line over time.
  var events: [Month: String] = [:]
  /// The months whose numbers are `partial` or `provisional`, of tables that have no column for it.
  var states: [Month: String] = [:]
  /// The months that are not over in the data.
  var unfinished: Set<Month> = []
  /// The end of the title, such as ` (receipts)`; often blank.
  var titleEnd = ""
  /// The files that hold the numbers.
  var files: [String] = []
  /// The command that prints the numbers; `nil` without one.
  var command: String?
  /// The command that lists what the main number is made of; `nil` without one.
  var explanation: String?

  /// Returns a figure with this origin.
  ///
  /// - Parameters:
  ///   - id: The id on the page.
  ///   - title: The title without its end.
  ///   - sentence: What the picture shows.
  ///   - chart: The picture.
  ///   - values: The numbers.
  /// - Returns: The figure.
  func figure(
    _ id: String, _ title: String, _ sentence: String, _ chart: any Chart, _ values: ReportTable
  ) -> Figure {
    Figure(
      id: id, title: title + titleEnd, sentence: sentence, chart: chart,
      values: values.withoutEmptyColumns, files: files, command: command, explanation: explanation)
  }
}
