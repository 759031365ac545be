package import AppStoreReports
package import Counting
import Files
import Receipts
import Scanning
import Storage
package import SubscriptionModel

/// The customers of receipts after a run, to be folded once more, and the dumps that they are from.
package struct KeptReceipts: Sendable {
  package let customers: ReceiptCustomers
  /// The days that the receipts cover.
  package let completeness: Completeness
  /// Prices that reports of the run mark as contingent.
  package let contingent: MarkedPrices
  /// The filter of the run, in which names have been replaced by ids.
  package let filter: Filter
  package let registries: Registries
  /// All files of the run, by their index in ``SubscriptionModel/ReceiptPlace/file``.
  package let files: [RecognizedFile]
  private let columns: ReceiptColumns?

  /// Keeps the customers of an outcome; `nil` if the plan does not keep them.
  init?(_ outcome: ReceiptAssembly.Outcome, _ context: ReadContext) {
    guard context.plan.keepsReceipts, let customers = outcome.customers else { return nil }
    self.customers = customers
    completeness = outcome.source.completeness
    contingent = MarkedPrices.contingent(context.registries)
    filter = context.filter
    registries = context.registries
    files = context.survey.files
    columns = context.plan.receipts.columns
  }

  private func reader(notesPlaces: Bool = false) -> ReceiptReader {
    var options = ReceiptOptions()
    options.columns = columns
    options.notesPlaces = notesPlaces
    return ReceiptReader(symbols: registries.symbols, options: options)
  }

  /// Returns the name of a customer, as tables with a row for each customer have it.
  ///
  /// `places` has that of the first transaction, for a customer without ids.
  package func text(
    of name: CustomerName, _ naming: CustomerTable.Naming, _ places: [ReceiptPlace: FoundPlace]
  ) -> String {
    var lines: [DumpRow: Int] = [:]
    if case .row(let file, let row, let number) = name {
      let place = ReceiptPlace(file: file, row: row, number: number)
      lines[DumpRow(file: file, row: row)] = places[place]?.lineOfRow
    }
    return CustomerPrinter(
      naming, paths: files.map(\.file.relativePath), lines: lines,
      symbols: customers.settings.symbols
    ).text(of: name)
  }
}

// MARK: - Places

/// Finds the lines of transactions and renewal infos, in a second pass over the dumps that hold them.
extension KeptReceipts {
  /// Where an item is in its file.
  package struct FoundPlace: Sendable {
    /// The number of its line, from 1.
    package let line: Int
    /// Its path inside the row; blank if it has none.
    package let path: String
    package let lineOfRow: Int
  }

  /// Reads dumps again on one thread.
  private struct PlaceFinder: ~Copyable {
    var reader: ReceiptReader
    var places: [ReceiptPlace: FoundPlace] = [:]
    var error: KeptCharges.LineError?

    /// Finds items of a file, given by their rows.
    mutating func read(
      _ file: RecognizedFile, _ number: UInt32, _ wanted: [UInt32: [ReceiptPlace]]
    ) {
      var found: [ReceiptPlace: FoundPlace] = [:]
      let path = file.file.shownPath
      do throws(ScanError) {
        _ = try reader.read(
          path: file.file.path, file: number, firstResponse: 0, restart: { found = [:] }
        ) { row in
          for place in wanted[UInt32(clamping: row.number)] ?? [] {
            let item = row.places?.item(at: place)
            found[place] = FoundPlace(
              line: item?.line ?? row.line, path: item?.path ?? "", lineOfRow: row.line)
          }
        }
      } catch {
        self.error = self.error ?? KeptCharges.LineError(path: path, error: error)
        return
      }
      let isUnchanged = file.file.isUnchanged || file.file.status == nil
      let hasAll = wanted.values.allSatisfy { $0.allSatisfy { found[$0] != nil } }
      if !hasAll || !isUnchanged {
        error = error ?? KeptCharges.LineError(path: path, error: nil)
      }
      places.merge(found) { first, _ in first }
    }
  }

  /// Returns where items are in their files; only files that hold one of them are read.
  package func places(
    of items: Set<ReceiptPlace>, jobs: Int
  ) throws(KeptCharges.LineError) -> [ReceiptPlace: FoundPlace] {
    let wanted = Dictionary(grouping: items, by: \.file).sorted { $0.key < $1.key }
    let parts = Workers.run(
      count: wanted.count, jobs: jobs,
      makeState: { PlaceFinder(reader: reader(notesPlaces: true)) },
      work: { finder, place in
        let (file, items) = wanted[place]
        finder.read(files[Int(file)], file, Dictionary(grouping: items, by: \.row))
      }, finish: { (places: $0.places, error: $0.error) })
    // The first of the errors, whichever thread found it.
    if let error = parts.compactMap(\.error).min(by: { $0.path.precedes($1.path) }) { throw error }
    return parts.reduce(into: [:]) { $0.merge($1.places) { first, _ in first } }
  }
}

// MARK: - Ids

extension KeptReceipts {
  package func id(of text: String) -> ReceiptID {
    var symbols = LocalSymbols(registries.symbols)
    return ReceiptID(text, &symbols)
  }

  /// Returns the original ids, or without them the transaction ids, of the row that holds a line, from 1; none
  /// without a transaction.
  package func ids(
    ofLine line: Int, inFile file: Int
  ) throws(KeptCharges.LineError) -> Set<ReceiptID> {
    var reader = reader()
    var ids: Set<ReceiptID> = []
    do throws(ScanError) {
      _ = try reader.read(
        path: files[file].file.path, file: UInt32(file), firstResponse: 0, restart: { ids = [] }
      ) { row in
        guard row.line <= line else { return }
        ids = Set(
          row.transactions.map { $0.originalID.isUsable ? $0.originalID : $0.transactionID }
            .filter(\.isUsable))
      }
    } catch {
      throw KeptCharges.LineError(path: files[file].file.shownPath, error: error)
    }
    return ids
  }
}
