import AppStoreReports
import Files
import Scanning
import Storage
import SubscriptionModel
import Tables
import UserTables

/// Decides which finance files count and combines them: METRICS.md section 7, "Conflicts".
struct FinanceAssembly {
  /// The key that all files of the same report share.
  fileprivate enum ReportKey: Hashable {
    case statement(vendor: String, FinanceStatement.Form, FiscalPeriod)
    case payments(FiscalPeriod)
  }

  private let context: ReadContext
  private var files: [FinanceFile]
  private var found = FinanceData()

  init(_ context: ReadContext, _ results: [ReadResult]) {
    self.context = context
    files = results.flatMap(\.financeFiles).sorted { $0.fileIndex < $1.fileIndex }
    for result in results { found.merge(result.finance) }
    nameOnlyVendor()
  }

  /// Returns the rows and payments of all files that count.
  ///
  /// - Parameter reports: The reports of the files; rows that do not count are moved to ignored.
  /// - Returns: The content of the files; `nil` when no finance file was to be read.
  consuming func content(_ reports: inout [FileReport]) -> FinanceData? {
    guard context.survey.readsFinance else { return nil }
    var groups: [ReportKey: [FinanceFile]] = [:]
    for file in files { groups[Self.key(of: file), default: []].append(file) }
    var counting: [FinanceFile] = []
    for (key, candidates) in groups {
      let used = Self.choose(key, candidates, &reports)
      counting += used
      if used.isEmpty, case .payments(let period) = key {
        found.conflictingPayments[period] = candidates.map { reports[$0.fileIndex] }
          .filter { !$0.isDuplicate }.map(\.file.relativePath)
      }
    }
    for file in counting {
      switch file.content {
      case .statement(let statement): found.statements.append(statement)
      case .payments(let payments): found.payments.append(payments)
      }
      if file.hasRejected {
        found.fileNames[file.fileIndex] = reports[file.fileIndex].file.relativePath
      }
    }
    let records = found.sorted()
    ignoreOtherForms(records, &reports)
    noteGuessedRegions(records.statements, &reports)
    return records
  }

  /// Sets the vendor of statements without one, if all other statements have the same.
  private mutating func nameOnlyVendor() {
    let vendors = Set(files.map(\.vendor).filter { !$0.isEmpty })
    guard vendors.count == 1, let only = vendors.first else { return }
    for index in files.indices {
      guard case .statement(var statement) = files[index].content else { continue }
      statement.vendor = only
      files[index].content = .statement(statement)
    }
  }

  private static func key(of file: FinanceFile) -> ReportKey {
    switch file.content {
    case .statement(let statement):
      .statement(vendor: statement.vendor, statement.form, statement.period)
    case .payments(let payments): .payments(payments.period)
    }
  }

  /// Decides which of several files for the same report counts.
  ///
  /// A file with faults is refused if there is one without. Of identical files, the first in path order counts. Files that
  /// contradict each other are all refused, because no rule says which is better.
  ///
  /// - Returns: The file that counts, or none.
  private static func choose(
    _ key: ReportKey, _ all: [FinanceFile], _ reports: inout [FileReport]
  ) -> [FinanceFile] {
    var candidates = all
    if all.contains(where: { $0.textHash != all[0].textHash }) {
      var (good, damaged) = all.divided { !reports[$0.fileIndex].hasFaults }
      // A download that was cut off between two rows has no trailers.
      if good.contains(where: \.hasMatchingTrailers) {
        let (whole, cutOff) = good.divided { !$0.lacksTrailers }
        good = whole
        damaged += cutOff
      }
      if let used = good.first {
        let path = reports[used.fileIndex].file.relativePath
        for file in damaged {
          reports[file.fileIndex].refuse(FileProblem(FinanceError.damagedCopy(of: path)))
        }
        candidates = good
      }
    }
    let first = candidates[0]
    for file in candidates.dropFirst() where file.textHash == first.textHash {
      reports[file.fileIndex].ignoreAsCopy(of: reports[first.fileIndex].file, at: first.fileIndex)
    }
    let others = candidates.filter { $0.textHash != first.textHash }
    guard let other = others.first else { return [first] }
    for file in candidates where !reports[file.fileIndex].isDuplicate {
      let rival = file.fileIndex == first.fileIndex ? other : first
      let path = reports[rival.fileIndex].file.relativePath
      reports[file.fileIndex].refuse(
        FileProblem(FinanceError.conflictingFiles(other: path, report: key.name)))
    }
    return []
  }

  /// Ignores rows of single files that count from another form.
  private func ignoreOtherForms(_ records: FinanceData, _ reports: inout [FileReport]) {
    let singles = records.statements.filter { $0.form == .single }
    guard !singles.isEmpty else { return }
    let forms = context.forms(records)
    for statement in singles {
      let count = statement.rows.count { !forms.settles(statement.pair($0), of: statement) }
      reports[statement.fileIndex].rows.ignore(count, .otherForm)
    }
  }
}

extension FinanceAssembly {
  /// Adds a remark for each country that no region lists: its settlement region is a guess.
  private func noteGuessedRegions(
    _ statements: [FinanceStatement], _ reports: inout [FileReport]
  ) {
    for statement in statements {
      if case .region = statement.form { continue }
      // The number of rows by country, currency and day.
      var rows: [Symbol: [Symbol: [Day: Int]]] = [:]
      for row in statement.rows where row.currency != .blank {
        let day = row.transactionDay ?? statement.period.firstDay
        rows[row.country, default: [:]][row.currency, default: [:]][day, default: 0] += 1
      }
      var counts: [String: Int] = [:]
      for (country, currencies) in rows {
        for (currency, days) in currencies {
          let country = context.registries.text(of: country)
          let currency = context.registries.text(of: currency)
          for (day, count) in days {
            let region = context.plan.financeRegions.region(
              country: country, currency: currency, on: day)
            if !region.isListed {
              counts["\(country) \(currency) as \(region.code)", default: 0] += count
            }
          }
        }
      }
      reports[statement.fileIndex].remarks += counts.sorted { $0.key < $1.key }.map {
        "region not known, \($0.key): \($0.value)"
      }
    }
  }
}

extension ReadContext {
  /// Returns which forms of the settlements count.
  func forms(_ records: FinanceData) -> FinanceForms {
    var lookup = RegionLookup(plan.financeRegions, records) { [registries] in
      registries.text(of: $0)
    }
    return FinanceForms(records.statements, &lookup)
  }
}

extension FinanceAssembly.ReportKey {
  /// The report in words, for messages.
  fileprivate var name: String {
    switch self {
    case .statement(_, .region(let region), let period): "file of \(region) for \(period)"
    case .statement(_, .single, let period): "single FINANCIAL file for \(period)"
    case .statement(_, .detail, let period): "FINANCE_DETAIL file for \(period)"
    case .payments(let period): "payments CSV for \(period)"
    }
  }
}

extension Array {
  /// Returns the elements that meet a condition, and the others.
  fileprivate func divided(_ holds: (Element) -> Bool) -> (those: [Element], others: [Element]) {
    (filter(holds), filter { !holds($0) })
  }
}

extension FinanceFile {
  fileprivate var vendor: String {
    if case .statement(let statement) = content { statement.vendor } else { "" }
  }

  /// Whether the file prints sums, and none of them differs from its rows.
  fileprivate var hasMatchingTrailers: Bool {
    problem == nil && trailers.contains { $0.state == .ok }
      && !trailers.contains { $0.state == .failed }
  }

  /// Whether the file prints none of the sums that Apple's files end with.
  fileprivate var lacksTrailers: Bool { trailers.allSatisfy { $0.state == .missing } }

  fileprivate var hasRejected: Bool {
    switch content {
    case .statement(let statement): !statement.rejected.isEmpty
    case .payments(let payments): !payments.rejected.isEmpty
    }
  }
}

extension FileReport {
  /// Whether rows were rejected, or the download was cut off inside the last one.
  fileprivate var hasFaults: Bool { rows.rejected > 0 || file.endsInsideLine }

  /// Ignores the file because another one has the same bytes.
  fileprivate mutating func ignoreAsCopy(of original: InputFile, at index: Int) {
    rows.ignoreAll(.duplicateFile)
    replacement = Replacement(file: index, reason: .duplicateFile)
    remarks.append("same bytes as \(original.relativePath)")
    trailers = []
    isUsed = false
  }
}

extension TrailerCheck.Value {
  /// The value as a table prints it.
  var cell: ReportTable.Cell {
    switch self {
    case .count(let count): .count(count)
    case .money(let milliunits): .money(milliunits: milliunits)
    }
  }
}
