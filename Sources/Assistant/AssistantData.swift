import Counting
import Explain
package import Pages
package import Pipeline
import Rendering
package import ReportFolder
import SubscriptionModel
import Tables

/// The tables that a session reads: files of the folder of `report`, on disk or made at the start of the session.
package protocol AssistantData {
  /// Returns the files as they are now.
  func files() throws(ToolError) -> AssistantFiles

  /// Explains a number from the inputs.
  ///
  /// - Returns: The explanation, and the source and the month of the row; `nil` without inputs.
  func explain(_ asked: AskedNumber) throws(ToolError) -> ExplainedNumber?
}

/// Files of the folder of `report`, and the commands that make them.
package struct AssistantFiles {
  let names: [String]
  let commands: PageCommand
  /// The folder in the commands that name a file; `out` where there is none yet.
  let folder: String
  fileprivate let read: (String) throws(ToolError) -> [UInt8]

  /// Returns the bytes of a file; `nil` when it is none of them.
  func bytes(of name: String) throws(ToolError) -> [UInt8]? {
    names.contains(name) ? try read(name) : nil
  }
}

/// A number that is to be explained.
package struct AskedNumber {
  /// Such as `churn.churned`.
  let cell: String
  let month: String?
  let source: String?
  /// Such as `country=US`.
  let conditions: [String]
  let limit: Int
  let isLeftOut: Bool
}

package struct ExplainedNumber {
  let explanation: Explanation
  let question: Question
  let month: String
}

// MARK: A folder

/// A folder that `report` wrote, read again for each answer, so that a night's new folder is seen.
package struct AssistantFolder: AssistantData {
  private let path: String
  private let commands: (Manifest) -> PageCommand

  /// Creates the data of a folder.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - commands: Returns the commands with the inputs and options of a manifest.
  package init(_ path: String, commands: @escaping (Manifest) -> PageCommand) {
    (self.path, self.commands) = (path, commands)
  }

  package func files() throws(ToolError) -> AssistantFiles {
    let found = try reading { () throws(WrittenFolder.FileError) in try WrittenFolder(path) }
    guard let folder = found else {
      throw ToolError("\(path): error: the folder of report is gone")
    }
    return AssistantFiles(
      names: folder.names, commands: commands(folder.manifest), folder: path
    ) { (name) throws(ToolError) in
      try reading { () throws(WrittenFolder.FileError) in try folder.bytes(of: name) }
    }
  }

  private func reading<Value>(
    _ body: () throws(WrittenFolder.FileError) -> Value
  ) throws(ToolError) -> Value {
    do throws(WrittenFolder.FileError) {
      return try body()
    } catch {
      throw ToolError(error.line)
    }
  }

  package func explain(_ asked: AskedNumber) throws(ToolError) -> ExplainedNumber? { nil }
}

// MARK: A run

/// A run that has kept what explains its numbers, with its files.
package struct AssistantRun: AssistantData {
  private let result: RunResult
  private let contents: [String: [UInt8]]
  private let names: [String]
  private let commands: PageCommand
  private let naming: CustomerTable.Naming?

  /// Creates the data of a run.
  ///
  /// - Parameters:
  ///   - result: The run; it has kept its charges, its receipts and its context.
  ///   - files: Its tables.
  ///   - commands: The commands with its inputs and options.
  ///   - naming: How subscriptions are named; `nil` for the place of their first row.
  package init(
    _ result: RunResult, _ files: ReportFiles, _ commands: PageCommand,
    naming: CustomerTable.Naming?
  ) {
    (self.result, self.commands, self.naming) = (result, commands, naming)
    names = files.files.map(\.name)
    contents = Dictionary(files.files.map { ($0.name, $0.bytes) }) { first, _ in first }
  }

  package func files() throws(ToolError) -> AssistantFiles {
    let contents = contents
    return AssistantFiles(names: names, commands: commands, folder: "out") {
      (name) throws(ToolError) in contents[name] ?? []
    }
  }

  package func explain(_ asked: AskedNumber) throws(ToolError) -> ExplainedNumber? {
    do {
      let sources = asked.source.flatMap(Source.init).map { [$0] } ?? Question.sources
      let question = try Question(asked.cell, where: asked.conditions, from: sources)
      guard result.sources.contains(where: { $0.source == question.source }) else {
        throw ToolError("the reports have no data of \(question.source.rawValue)")
      }
      guard result.plan.views.contains(question.dimensions) else { return nil }
      let system = result.plan.monthSystem
      let named = asked.month.flatMap { $0 == "last" ? nil : $0 }
      guard
        let month = named.map(system.month(named:)) ?? result.lastCompleteMonth(for: question.table)
      else { throw ToolError("month must be such as 2026-09, or last") }
      if question.table != .retention, question.table != .lifetime,
        let data = result.monthsOfData(for: question.table, from: question.source),
        !data.contains(month)
      {
        throw ToolError(
          "\(question.table.rawValue) of \(system.name(month)): the data of \(question.source.rawValue) cover \(result.text(data))"
        )
      }
      let listing = Listing(naming: naming, limit: asked.limit, leavingOut: asked.isLeftOut)
      let explanation = try Explanation(question, month: month, result, listing)
      guard explanation.holds else {
        throw ToolError("\(explanation.failures[0]): please report this")
      }
      return ExplainedNumber(
        explanation: explanation, question: question, month: system.name(month))
    } catch let error as QuestionError {
      throw ToolError(error.message)
    } catch let error as ToolError {
      throw error
    } catch {
      throw ToolError("a file has changed since it was read; start the server again")
    }
  }
}
