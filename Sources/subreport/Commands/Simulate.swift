import ArgumentParser
import Files
import Pages
import Scanning
import Simulation

struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract:
      "Write a seeded set of Apple-format reports and receipts with a truth folder of known answers.",
    discussion: discussion(
      """
      The same options give the same bytes, but for the ES256 signatures of receipts. Nothing in \
      it is anybody's data. A missing day, an empty day, a restated day and an unknown event are \
      planted, unless --clean. The folder receipts has the receipts of the same subscribers, in \
      every layout, with root.cer, the root of their certificates. Memory: about 100 bytes a \
      subscriber, with receipts some 200 MB more.

      Products of --price-increase and --price-change are named as in the reports, and have no \
      other change of price; truth/prices.csv has the effects. New subscribers pay a price from \
      its date on, others from their next renewal; preserved lets those keep theirs.

      Sales of --finance settle up to 20 days late, a few never or at the other rate; \
      truth/reconcile.csv has the lines that reconcile must find. Instalments of --commitments \
      begin on 2026-04-27, and not in the US store; truth/terms.csv has each term and its end. \
      With --contingent reports are of version 1_4.
      """,
      HelpExample("A world to try subreport on:", "simulate -o world --subscribers 300"),
      HelpExample(
        "With Apple's payments, for reconcile:", "simulate -o paid --subscribers 300 --finance")))

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The folder to write: new or empty.", valueName: "dir"),
    completion: .directory)
  var output: String

  @Option(help: ArgumentHelp("How many subscribers.", valueName: "n"))
  var subscribers = 640

  @Option(help: ArgumentHelp("The first day with reports.", valueName: "date"))
  var from = "2026-01-01"

  @Option(help: ArgumentHelp("The last day with reports.", valueName: "date"))
  var to = "2026-09-30"

  @Option(
    help: ArgumentHelp("What chance begins with: another number, another world.", valueName: "n"))
  var seed: UInt64 = 2026

  @Option(
    help: ArgumentHelp("How many customers have signed notifications and pages.", valueName: "n"))
  var notified = WorldOptions.usualNotified

  @Flag(help: "Write finance files too, of the fiscal periods from the first day to the last.")
  var finance = false

  @Flag(help: "Plant no faults.")
  var clean = false

  @Option(
    parsing: .singleValue,
    help: "Only this kind: sales, subscriber, subscription, subscription-event or receipts.")
  var kind: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Raise a price: extra is added to the probability that the first renewal at it fails to come.",
      valueName: "product,country,date,new_price,extra"))
  var priceIncrease: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Change a price otherwise: decrease, preserved, glitch (one day) or the new currency.",
      valueName: "product,country,date,new_price,kind"))
  var priceChange: [String] = []

  @Option(
    help: ArgumentHelp(
      "How many new subscribers of products of one year pay monthly instalments, from 0 to 1.",
      valueName: "share"))
  var commitments = "0"

  @Option(
    help: ArgumentHelp(
      "How many customers pay a lower price because of another app, from 0 to 1.",
      valueName: "share"))
  var contingent = "0"

  @Flag(help: "Write the columns Billing Plan and Billing Period into reports.")
  var planColumns = false

  @Flag(help: "Let the developer's share of a price depend on storefront and day.")
  var commissions = false

  @Option(.logFormat) var logFormat: LogFormat?

  func run() throws {
    do {
      var kinds = try askedKinds()
      if finance { kinds.insert(.finance) }
      let world = try WorldOptions(
        subscribers: subscribers, firstDay: from, lastDay: to, seed: seed, plantsFaults: !clean,
        kinds: kinds, notified: notified, prices: plantedPrices(), plans: plans())
      Interruption.watch()
      try Simulator.write(world: world, to: output)
    } catch let error as SimulationError {
      if case .unknownWord(let found, let words) = error {
        throw UsageError("price \"\(found)\": \(Nearest.advice(found, among: words))")
      }
      guard !error.isUsage else { throw UsageError(error.description) }
      throw Console.standard.failure(error.line(output))
    }
  }
}

extension Simulate {
  /// Returns the kinds of `--kind`; the usual ones without it.
  private func askedKinds() throws -> Set<WorldOptions.ReportKind> {
    let usual = WorldOptions.ReportKind.usual
    let names = usual.map(\.rawValue)
    if let word = kind.first(where: { !names.contains($0) }) {
      throw UsageError("--kind \(word): \(Nearest.advice(word, among: names))")
    }
    return kind.isEmpty ? Set(usual) : Set(usual.filter { kind.contains($0.rawValue) })
  }

  private func plantedPrices() throws(SimulationError) -> [PlantedPrice] {
    var prices: [PlantedPrice] = []
    for text in priceIncrease { prices.append(try PlantedPrice(increase: text)) }
    for text in priceChange { prices.append(try PlantedPrice(change: text)) }
    return prices
  }

  private func plans() throws(SimulationError) -> PlanOptions {
    PlanOptions(
      commitments: try Share(commitments, of: "--commitments"),
      contingent: try Share(contingent, of: "--contingent"), hasPlanColumns: planColumns,
      hasCommissions: commissions)
  }
}

extension SimulationError {
  /// The error as one line that names a path once.
  fileprivate func line(_ output: String) -> String {
    switch self {
    case .directoryNotEmpty(let path):
      "\(path): error: the folder is not empty; choose a new or empty folder [simulate]"
    case .cannotWrite(let path, let code):
      OutputError.system(operation: "write", path: path, number: code).description
    case .cannotCompress(let path, let code):
      "\(path): error: cannot compress (zlib error \(code)) [simulate]"
    default: "\(output): error: \(description) [simulate]"
    }
  }

  /// Whether the options are at fault and not the folder.
  fileprivate var isUsage: Bool {
    switch self {
    case .directoryNotEmpty, .cannotWrite, .cannotCompress, .cannotSign: false
    default: true
    }
  }
}
