import AppStoreReports
import Crypto
public import Metrics
import Rendering

/// The files of `report -o DIR`, as bytes.
public struct ReportFiles: Sendable {
  /// Each file's name and bytes, the manifest last.
  public let files: [(name: String, bytes: [UInt8])]
  /// The identities that were tested.
  public let checks: Checks

  /// Makes the files of a run.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - conversion: Adds converted columns beside the money columns.
  ///   - finance: The bridges; `nil` without finance files.
  ///   - version: The tool's version, for the manifest.
  ///   - options: The options in force, for the manifest.
  /// - Throws: ``ConversionError`` when a rate is missing.
  public init(
    _ result: RunResult, conversion: CurrencyConversion? = nil, finance: FinanceReport? = nil,
    version: String, options: [(name: String, value: String)]
  ) throws(ConversionError) {
    let tables = try result.tables(conversion: conversion)
    let priceTables = result.priceTables
    let checks = Checks(result, tables: tables, priceTables: priceTables, finance: finance)
    let csv = TableRenderer(.csv)
    var files: [(name: String, bytes: [UInt8])] = []
    let page = SummaryPage(result, tables: tables, checks: checks, finance: finance).text()
    files.append(("summary.md", Array(page.utf8)))
    if let page = result.pricePage?.text() {
      files.append(("price_impact.md", Array(page.utf8)))
    }
    for kind in TableKind.allCases {
      for table in tables[kind] ?? [] {
        files.append((table.fileStem + ".csv", csv.bytes(of: table)))
      }
    }
    for table in priceTables {
      files.append((table.fileStem + ".csv", csv.bytes(of: table)))
    }
    if let finance {
      for table in [finance.table(), finance.productTable()] {
        files.append((table.fileStem + ".csv", csv.bytes(of: table)))
      }
      for page in finance.pages() { files.append((page.name, Array(page.text.utf8))) }
    }
    var health = result.healthTable
    health.rows += finance?.healthRows ?? []
    for table in [health, result.days.table, checks.table, result.rejectTable] {
      files.append((table.name + ".csv", csv.bytes(of: table)))
    }
    let manifest = Manifest(
      version: version, options: options,
      inputs: result.files.map { ($0.file.relativePath, $0.sha256) },
      outputs: files.map { ($0.name, hexadecimal(SHA256.hash(data: $0.bytes))) })
    files.append((OutputListing.manifestName, Array(manifest.text.utf8)))
    self.files = files
    self.checks = checks
  }
}

extension RunResult {
  /// Returns every view of every table that the inputs allow, the whole population first.
  ///
  /// - Parameter conversion: Adds converted columns beside the money columns.
  /// - Returns: The views of each table; tables that no source allows are left out.
  /// - Throws: ``ConversionError`` when a rate is missing.
  public func tables(
    conversion: CurrencyConversion? = nil
  ) throws(ConversionError) -> [TableKind: [ReportTable]] {
    let maker = tableMaker(conversion: conversion)
    var tables: [TableKind: [ReportTable]] = [:]
    for kind in TableKind.allCases {
      for (index, view) in plan.views.enumerated() where maker.allows(kind, by: view) {
        tables[kind, default: []].append(try maker.table(kind, view: index))
      }
    }
    return tables
  }
}

/// What a folder was made from and what is in it, `manifest.json`.
///
/// No time of day, no machine: the same inputs give the same bytes.
struct Manifest {
  /// Raised whenever the meaning of a number changes.
  static let definitionVersion = 1

  let version: String
  let options: [(name: String, value: String)]
  let inputs: [(path: String, sha256: String)]
  let outputs: [(path: String, sha256: String)]

  var text: String {
    let optionLines = options.map {
      "    \(JSONText.quoted($0.name)): \(JSONText.quoted($0.value))"
    }
    return """
      {
        "tool": "subreport",
        "version": \(JSONText.quoted(version)),
        "definitions": \(Self.definitionVersion),
        "options": {\(Self.block(optionLines, closing: "  "))},
        "inputs": [\(Self.block(inputs.map(Self.line), closing: "  "))],
        "outputs": [\(Self.block(outputs.map(Self.line), closing: "  "))]
      }

      """
  }

  private static func line(_ file: (path: String, sha256: String)) -> String {
    "    {\"path\": \(JSONText.quoted(file.path)), \"sha256\": \(JSONText.quoted(file.sha256))}"
  }

  private static func block(_ lines: [String], closing: String) -> String {
    lines.isEmpty ? "" : "\n" + lines.joined(separator: ",\n") + "\n" + closing
  }
}
