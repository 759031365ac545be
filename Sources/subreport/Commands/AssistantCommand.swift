import ArgumentParser
import Explain
import Files
import Pages
import Pipeline
import Rendering
import ReportCache
import ReportFolder
import SubscriptionModel
import Tables

/// `subreport mcp`.
struct AssistantCommand: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Answer an assistant: tables over the Model Context Protocol.",
    discussion: discussion(
      """
      Answers requests of the Model Context Protocol on standard input, one JSON object a line, on \
      standard output until the input ends. An assistant starts it and can then list tables, read \
      rows, explain and define a number, and ask what is wrong with the data. It only reads: it \
      opens no connection, and writes no file but those of --cache. INPUT is a folder that report wrote, whose files are \
      read anew for each answer, or reports and receipts, which are counted once at the start; only \
      from these a number can be explained. Customers are named as explain names them. \
      docs/assistants.md says how to add it to an assistant.
      """,
      HelpExample("Answers from the folder of the nightly job:", "mcp out"),
      HelpExample("From the reports, with explanations:", "mcp reports")))

  @OptionGroup var inputs: InputOptions
  @OptionGroup(.rows) var views: ViewOptions
  @OptionGroup(.rows) var products: ProductOptions
  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup(.rows) var selection: SelectionOptions
  @OptionGroup(.rows) var vendors: VendorOptions
  @OptionGroup(.rows) var asOf: AsOfOptions
  @OptionGroup(.rows) var primary: PrimaryOptions
  @OptionGroup(.output) var currency: CurrencyOptions
  @OptionGroup(.strictness) var strictness: StrictnessOptions
  @OptionGroup(.receipts) var receipts: ReceiptOptions
  @OptionGroup(.prices) var prices: PriceOptions
  @OptionGroup(.finance) var finance: FinanceOptions
  @OptionGroup(.running) var running: RunOptions

  func run() throws { try withInputFailures(serve) }

  private func serve() throws {
    let settings = try settings()
    guard !settings.list(.inputs).contains("-") else {
      throw UsageError(
        "mcp -: standard input has the messages of the assistant; name files or folders")
    }
    let console = try Console(settings)
    let data =
      if let folder = try settings.writtenFolder(of: "mcp") {
        AssistantData(folder: folder.path) { manifest in
          PageCommand(
            (try? Settings(
              repeating: manifest, running: settings, origin: OutputListing.manifestName
            ))?.given ?? settings.given)
        }
      } else {
        try run(settings)
      }
    try answer(AssistantSession(data, version: Subreport.version), console)
  }

  /// Counts reports and receipts, with all that explains the numbers.
  private func run(_ settings: Settings) throws -> AssistantData {
    let command = try RunCommand(ofReport: settings)
    var plan = try command.reportPlan(nil)
    (plan.keepsCharges, plan.keepsReceipts, plan.keepsContext) = (true, true, true)
    let (result, _) = try command.count(plan, for: "mcp")
    do {
      let (_, files, _) = try command.reportFiles(result, try settings.recorded(), nil, .tables)
      command.console.notes(command.cache?.finish() ?? [])
      command.console.detail("\(counted(files.files.count, "table")); waiting for messages")
      let key = settings.text(.anonymizeKey)
      return AssistantData(
        result, files, PageCommand(settings.given { $0 }), naming: key.map { .anonymous(key: $0) })
    } catch let error as ConversionError {
      throw command.console.failure(error.line(settings.text(.rates)))
    }
  }

  /// Answers the lines of standard input until it ends, or the client closes the pipe of the answers.
  private func answer(_ session: consuming AssistantSession, _ console: Console) throws {
    var session = session
    var lines = MessageLines(limit: AssistantSession.longestLine)
    do throws(OutputError) {
      while let line = try lines.next({ () throws(OutputError) in
        try StandardStream.input.readAvailable(1 << 16)
      }) {
        let start = ContinuousClock.now
        let answer =
          switch line {
          case .whole(let bytes): session.answer(bytes)
          case .tooLong: session.answer(nil)
          }
        guard let answer else { continue }
        try StandardStream.output.write(Array((answer + "\n").utf8))
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        console.detail("answered \(answer.utf8.count) bytes in \(Int(milliseconds)) ms")
      }
    } catch {
      guard !error.isOfClosedPipe else { return }
      throw console.failure(error.description)
    }
  }
}
