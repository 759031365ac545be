import Counting
import Crypto
import Files
package import Pages
package import Pipeline
import Rendering
import Storage
import SubscriptionModel
package import Tables

/// The files of `report -o DIR`, as bytes.
package struct ReportFiles: Sendable {
  package enum Extent: Sendable {
    case all
    /// Those of rows, and the digest: no pages.
    case tables
    /// None: only the answer is wanted.
    case answer
  }

  /// Each file's name and bytes, the manifest last.
  package let files: [(name: String, bytes: [UInt8])]
  /// The tables, in the order of the files and with their names.
  package let tables: [LongTable]
  package let manifest: Manifest
  package let checks: Checks
  /// The answer in a few lines of plain text, for a mail or a chat message.
  package let brief: String
  package let digest: MorningDigest
  /// `headlines.csv`; `nil` without headlines.
  package let headlines: ReportTable?
  /// The line for the ledger; `nil` without one.
  package let ledgerEntry: LedgerEntry?

  /// Creates the files of a run.
  ///
  /// A conversion adds columns beside the money columns, and makes net proceeds one headline. `evidence` are files that
  /// are made already, the lists of contributions.
  package init(
    _ result: RunResult, conversion: CurrencyConversion? = nil, finance: FinanceReport? = nil,
    ledger: LedgerBefore? = nil, evidence: [(name: String, bytes: [UInt8])] = [],
    extent: Extent = .all, version: String, call: RecordedCall
  ) throws(ConversionError) {
    let ofPrices = Deferred(jobs: result.plan.jobs) {
      (tables: result.priceTables, page: result.pricePage)
    }
    var tables = try result.tables(conversion: conversion)
    if let durations = result.tableMaker().retentionByDuration() {
      tables[.retention, default: []].append(durations)
    }
    let (priceTables, pricePage) = ofPrices.value()
    let headlines = result.headlineMaker(tables, conversion: conversion)
    let months = headlines.map { [$0.month - 1, $0.month - 12] } ?? []
    let drivers = headlines?.drivers(against: months, by: result.driverSplits)
    let checks = Checks(
      result, tables: tables, priceTables: priceTables, drivers: drivers?.checks ?? [],
      finance: finance)
    let whole = LedgerTable.whole(tables, prices: priceTables, settlement: finance?.table())
    let entry = ledger?.entry(result, whole, version: version, call)
    ledgerEntry = entry
    let changes = entry.flatMap { ledger?.changes($0) }
    var content = PageContent(
      result, tables: tables, checks: checks, headlines: headlines, drivers: drivers,
      prices: pricePage, finance: finance,
      convertedTo: conversion?.target)
    content.changes = changes.flatMap { ledger?.changedNumbers($0, result.plan.monthSystem) }
    let summary = SummaryPage(content)
    (brief, digest) = (summary.brief, MorningDigest(summary))
    self.headlines = headlines.map { maker in
      let old = result.earlierHeadlineSource.map(maker.values) ?? []
      return maker.table(of: content.values + old, content.revenue)
    }
    var contents =
      extent == .answer
      ? []
      : Self.contents(
        summary, digest, checks, self.headlines, drivers?.table, priceTables, changes, conversion)
    if extent == .tables {
      contents.removeAll { $0.rows == nil && $0.name != MorningDigest.fileName }
    }
    self.tables = contents.compactMap(\.rows)
    contents += evidence.map { Content.made(name: $0.name, bytes: $0.bytes) }
    (files, manifest) = Self.files(contents, result, version, call, ledger?.part)
    self.checks = checks
  }

  /// Makes the bytes of all files, and the manifest with their hashes.
  private static func files(
    _ contents: [Content], _ result: RunResult, _ version: String, _ call: RecordedCall,
    _ ledger: Ledger.Part?
  ) -> (files: [(name: String, bytes: [UInt8])], manifest: Manifest) {
    // From the last to the first: the pages with figures take longest, so that no thread waits for them at the end.
    let reversed = Workers.map(count: contents.count, jobs: result.plan.jobs) { item in
      let content = contents[contents.count - 1 - item]
      let bytes = content.bytes
      return (name: content.name, bytes: bytes, hash: sha256(of: bytes))
    }
    let made = reversed.reversed()
    let manifest = Manifest(
      version: version, call: call, ledger: ledger, inputs: Manifest.inputs(result),
      outputs: made.map { Manifest.File($0.name, $0.hash) })
    let files = made.map { (name: $0.name, bytes: $0.bytes) }
    return (files + [(OutputListing.manifestName, Array(manifest.text.utf8))], manifest)
  }

  /// Returns the files in their order, before they become bytes.
  private static func contents(
    _ summary: SummaryPage, _ digest: MorningDigest, _ checks: Checks, _ headlines: ReportTable?,
    _ drivers: ReportTable?, _ priceTables: [ReportTable], _ changes: ReportTable?,
    _ conversion: CurrencyConversion?
  ) -> [Content] {
    let content = summary.content
    let (result, finance) = (content.result, content.finance)
    var contents: [Content] = [
      .page(name: PageFile.summary, summary.text),
      .page(name: MorningDigest.fileName, digest.json),
    ]
    if let page = content.prices?.text() {
      contents.append(.page(name: "price_impact.md", page))
    }
    contents += TableKind.allCases.flatMap { content.tables[$0] ?? [] }.map(Content.table)
    if let headlines, let drivers {
      let delays = result.tableMaker().refundDelayTable()
      contents += [headlines, drivers, delays].map(Content.table)
    }
    contents += priceTables.map(Content.table)
    if let finance {
      let tables = [
        finance.table(), finance.productTable(), finance.verdictTable(), finance.dueTable(),
        finance.settlementTable(),
      ]
      contents += tables.map(Content.table)
      contents += finance.pages().map { .page(name: $0.name, $0.text) }
    }
    let ofFiles = [
      result.health(finance?.healthRows ?? []), result.days.longTable, checks.longTable,
    ]
    contents += ofFiles.map(Content.longTable) + [.table(result.rejectTable)]
    if let changes { contents.append(.table(changes)) }
    let names = Set(contents.map(\.name)).union([OutputListing.manifestName])
    let pages = FigurePage.all(summary, files: names, conversion: conversion)
    return contents + pages.map(Content.figurePage)
  }

  /// The content of a file before it becomes bytes.
  private enum Content: Sendable {
    case page(name: String, String)
    case figurePage(FigurePage)
    case table(ReportTable)
    case longTable(LongTable)
    case made(name: String, bytes: [UInt8])

    var name: String {
      switch self {
      case .page(let name, _): name
      case .figurePage(let page): page.name
      case .table(let table): table.fileStem + ".csv"
      case .longTable(let table): table.name + ".csv"
      case .made(let name, _): name
      }
    }

    /// The rows of a table; `nil` for any other content.
    var rows: LongTable? {
      switch self {
      case .table(let table): LongTable(table)
      case .longTable(let table): table
      case .page, .figurePage, .made: nil
      }
    }

    var bytes: [UInt8] {
      switch self {
      case .page(_, let text): Array(text.utf8)
      case .figurePage(let page): page.bytes
      case .table(let table): TableRenderer(.csv).bytes(of: table)
      case .longTable(let table): table.bytes
      case .made(_, let bytes): bytes
      }
    }
  }
}
