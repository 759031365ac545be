import Counting
import Explain
import Pages
import Pipeline
import Rendering
import ReportFolder
import Scanning
import SubscriptionModel
import Tables

/// The tables that a session reads: files of the folder of `report`, on disk or made at the start of the session.
struct AssistantData {
  /// Files of the folder, and the commands that make them.
  struct Files {
    let names: [String]
    let commands: PageCommand
    /// Returns the bytes of one of ``names``.
    let read: (String) throws(ToolError) -> [UInt8]

    /// Returns the object of `digest.json`.
    func digest() throws(ToolError) -> JSONValue {
      guard names.contains(MorningDigest.fileName) else {
        throw ToolError("the folder was written without a digest; run report again")
      }
      return (try? JSONValue(parsing: try read(MorningDigest.fileName))) ?? .null
    }
  }

  /// A number that is to be explained.
  struct Asked {
    /// Such as `churn.churned`.
    let cell: String
    let month: String?
    let source: String?
    /// Such as `country=US`.
    let conditions: [String]
    let limit: Int
  }

  /// Returns the files as they are now.
  let files: () throws(ToolError) -> Files
  /// The run, and how its subscriptions are named; `nil` for a folder.
  private let run: (result: RunResult, naming: CustomerTable.Naming?)?

  /// Creates the data of a folder that `report` wrote, read again for each answer; `commands` has those of its
  /// manifest.
  init(folder path: String, commands: @escaping (Manifest) -> PageCommand) {
    run = nil
    files = { () throws(ToolError) in
      let found = try Self.reading { () throws(WrittenFolder.FileError) in
        try WrittenFolder(path)
      }
      guard let folder = found else {
        throw ToolError("\(path): error: the folder of report is gone")
      }
      return Files(names: folder.names, commands: commands(folder.manifest)) {
        (name) throws(ToolError) in
        try Self.reading { () throws(WrittenFolder.FileError) in try folder.bytes(of: name) }
      }
    }
  }

  private static func reading<Value>(
    _ body: () throws(WrittenFolder.FileError) -> Value
  ) throws(ToolError) -> Value {
    do throws(WrittenFolder.FileError) {
      return try body()
    } catch {
      throw ToolError(error.line)
    }
  }

  /// Creates the data of a run.
  ///
  /// The run has kept its charges, its receipts and its context. Without a naming, the place of its first row names a
  /// subscription.
  init(
    _ result: RunResult, _ files: ReportFiles, _ commands: PageCommand,
    naming: CustomerTable.Naming?
  ) {
    run = (result, naming)
    let made = Files(names: files.files.map(\.name), commands: commands) {
      (name) throws(ToolError) in files.files.first { $0.name == name }?.bytes ?? []
    }
    self.files = { () throws(ToolError) in made }
  }

  /// Explains a number; `nil` without inputs, for a view that the run lacks, and for tables that only the command
  /// explains.
  func explain(
    _ asked: Asked
  ) throws(ToolError) -> (explanation: Explanation, question: Question, month: String)? {
    guard let (result, naming) = run else { return nil }
    do {
      if ExplainedTable.others.contains(where: { $0.isAsked(asked.cell) }) { return nil }
      let source = asked.source.flatMap(Source.init)
      if let name = asked.source, source == nil {
        let names = Source.allCases.map(\.rawValue)
        throw ToolError("no source \(quotedExcerpt(name)); \(Nearest.advice(name, among: names))")
      }
      let sources = source.map { [$0] } ?? Question.sources
      let question = try Question(asked.cell, where: asked.conditions, from: sources)
      guard result.sources.contains(where: { $0.source == question.source }) else {
        throw ToolError("the reports have no data of \(question.source.rawValue)")
      }
      guard result.plan.views.contains(question.dimensions) else { return nil }
      let system = result.plan.monthSystem
      let named = asked.month.flatMap { $0 == "last" ? nil : $0 }.map(system.month(named:))
      guard let month = named ?? result.lastCompleteMonth(for: question.table) else {
        throw ToolError(
          "month must be such as \(system.name(Month(year: 2026, month: 9))), or last")
      }
      let listing = Listing(naming: naming, limit: asked.limit)
      let found = try Explanation(question, month: month, result, listing)
      guard found.holds else { throw ToolError("\(found.failures[0]): please report this") }
      return (found, question, system.name(month))
    } catch let error as QuestionError {
      throw ToolError(error.message)
    } catch let error as ToolError {
      throw error
    } catch {
      throw ToolError("a file has changed since it was read; start the server again")
    }
  }
}
