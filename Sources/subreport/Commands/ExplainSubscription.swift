import ArgumentParser
import Explain
import Files
import Pipeline
import Rendering
import SubscriptionModel

/// `subreport explain --subscription`.
extension ExplainCommand {
  /// Prints the story of a subscription: as lines to read out, unless another format is chosen.
  func printStory(of subscription: String) throws {
    let settings = try settings()
    let asked = try sources(settings)
    guard let source = [Source.subscribers, .receipts].first(where: asked.contains) else {
      throw UsageError(
        "\(settings.origin(.source)): rows of events and sales name no subscription; a story needs subscribers or receipts"
      )
    }
    try answer(format: storyFormat) { plan, _ in
      plan = self.plan([[]], source, plan)
      // The story names the cells of price increases too.
      plan.prices = try settings.prices()
      plan.prices?.planned = []
    } missing: { result, command in
      guard result.charges == nil, result.receipts == nil else { return false }
      noteNeeded(source, "explain --subscription", result, command)
      return true
    } printing: { result, command, format in
      let naming = names(command.settings)
      let story = try command.making { try Story(of: subscription, result, naming: naming) }
      return try show(story, result, command, format)
    }
  }

  /// Returns the format of a story; `table` are the lines to read out.
  private func storyFormat(_ settings: Settings) throws -> OutputFormat {
    let isStated = try settings.statedFormat() != nil || output.output != nil
    let format = isStated ? try settings.format() : .table
    let given = [("--sort", shape.sort != nil), ("--top", shape.top != nil)]
    let shaping = (given + [("--columns", shape.columns != nil)]).first(where: \.1)
    if format == .table, let shaping {
      throw UsageError("\(shaping.0) needs a table: give a format too, such as -f csv")
    }
    return format
  }

  private func show(
    _ story: Story, _ result: RunResult, _ command: RunCommand, _ format: OutputFormat
  ) throws -> Set<ExitReason> {
    guard format == .table else {
      let out = TableOutput(command, format, shape, path: output.output)
      let page = TablePage(title: "What happened to a subscription", limits: result.limits())
      return try out.print([story.table], page: page)
    }
    let text = story.lines.map { $0 + "\n" }.joined()
    return try command.print(Array(text.utf8), to: output.output)
  }
}
