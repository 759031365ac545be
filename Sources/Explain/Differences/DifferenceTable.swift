import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Makes the table that lists the differences of subscriptions.
struct DifferenceTable<Source: ExplainedSource> {
  typealias Found = Contribution<Source>

  /// A side with the means to print its contributions.
  private struct Printed {
    let side: ComparedSide<Source>
    let table: ContributionTable<Source>
    let lines: Source.Lines
    let traces: [ComparedKey: ComparedSide<Source>.Trace]

    var name: String { side.side.name }

    /// The files with rows of a subscription.
    func paths(_ key: ComparedKey) -> Set<ExactText> {
      let files = traces[key]?.files ?? []
      return Set<ExactText>(of: files.map { side.source.files[$0].file.relativePath })
    }

    /// The rows of a contribution.
    func places(_ contribution: Found?) -> [String] {
      contribution.map { side.source.places($0.evidence, lines) } ?? []
    }

    /// Why the side counts a contribution, or why it does not.
    func words(_ contribution: Found?, _ key: ComparedKey, _ column: Int) -> String {
      if let contribution { return table.because(contribution) }
      let trace = traces[key]
      if let leftOut = trace?.leftOut[column] { return table.because(leftOut) }
      return trace == nil ? Source.withoutRows : "adds nothing to this number"
    }
  }

  private let after: Printed
  private let before: Printed
  private let columns: [AskedRow.Column]
  private let lists: [DifferenceList<Found>]

  /// Prepares the table of the differences of each column.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  init(
    _ lists: [DifferenceList<Found>], _ columns: [AskedRow.Column], _ after: ComparedSide<Source>,
    _ before: ComparedSide<Source>, jobs: Int
  ) throws {
    (self.columns, self.lists) = (columns, lists)
    let shown = lists.flatMap(\.printed)
    let printed = {
      (
        side: ComparedSide<Source>, own: (ContributionDifference<Found>) -> Found?
      ) throws -> Printed in
      // Two runs are compared file by file, whichever side has the contribution.
      let traced = shown.filter { after.runs.areTwo || own($0) == nil }
      return Printed(
        side: side, table: side.table, lines: try side.table.lines(of: shown.compactMap(own)),
        traces: side.traces(of: Set(traced.map(\.key)), columns.map(\.counted), jobs: jobs))
    }
    self.after = try printed(after, \.after)
    self.before = try printed(before, \.before)
  }

  /// The table.
  var table: ReportTable {
    DifferenceList.table(lists, of: columns) { one, place in
      let (side, column) = (one.after == nil ? before : after, columns[place])
      let own = after.places(one.after)
      let rows = own + before.places(one.before).filter { !own.contains($0) }
      return (
        side.table.cells(column.name, column.measure, one.main, side.lines), because(one, place),
        rows.joined(separator: "; ")
      )
    }
  }

  private func because(_ one: ContributionDifference<Found>, _ place: Int) -> String {
    let measure = columns[place].measure
    var parts = [(after, one.after), (before, one.before)].map { side, contribution in
      let amount = contribution.map { " (\(measure.text($0.value(measure))))" } ?? ""
      let words = side.words(contribution, one.key, place)
      return "\(side.name): \(words)\(one.kind == .changed ? amount : "")"
    }
    if after.side.runs.areTwo { parts.append(cause(one.key)) }
    return parts.joined(separator: "; ")
  }

  /// The files that make the difference between two runs.
  private func cause(_ key: ComparedKey) -> String {
    let causes = after.side.source.causes(
      after.paths(key), before.paths(key), before.side.side.result)
    return causes.isEmpty
      ? "no row of the subscription is new" : causes.joined(separator: "; ")
  }
}

extension Set<ExactText> {
  /// How many files a reason names.
  private static var namedFiles: Int { 5 }

  /// Such as `one.txt, two.txt and 3 more files`.
  var namesOfFiles: String {
    let inOrder = inOrder
    let more = inOrder.count - Self.namedFiles
    let shown = inOrder.prefix(Self.namedFiles).joined(separator: ", ")
    return more > 0 ? "\(shown) and \(counted(more, "more file"))" : shown
  }
}
