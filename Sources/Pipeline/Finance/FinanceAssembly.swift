import AppStoreReports
import Files
import Scanning
import Storage
import SubscriptionModel
import Tables

/// Decides which finance files count and combines them: METRICS.md section 7, "Conflicts".
struct FinanceAssembly {
  /// The key that all files of the same report share.
  enum ReportKey: Hashable {
    case statement(vendor: String, FinanceStatement.Form, FiscalPeriod)
    case payments(vendor: String, FiscalPeriod)
    /// A payments CSV of no known vendor, without rows: it says nothing that another could contradict.
    case emptyPayments(FiscalPeriod, textHash: [UInt8])
  }

  private let context: ReadContext
  private var statements: [FinanceFile] = []
  private var payments: [FinanceFile] = []
  /// The payments CSVs that cannot be used, each with what to do about it.
  private var refused: [(file: FinanceFile, advice: String)] = []
  private var found = FinanceData()

  init(_ context: ReadContext, _ results: [ReadResult]) {
    self.context = context
    for result in results { found.merge(result.finance) }
    for var file in results.flatMap(\.financeFiles).sorted(by: { $0.fileIndex < $1.fileIndex }) {
      let vendor = context.survey.files[file.fileIndex].vendor
      if !vendor.isEmpty { file.vendor = vendor }
      switch file.content {
      case .statement: if file.problem == nil { statements.append(file) }
      case .payments:
        if let problem = file.problem {
          refused.append((file, problem.advice))
        } else {
          payments.append(file)
        }
      }
    }
    nameOnlyVendor()
  }

  /// Returns the rows and payments of all files that count; `nil` when no finance file was to be read.
  ///
  /// Rows that do not count are moved to ignored in the reports of the files.
  consuming func content(_ reports: inout [FileReport]) -> FinanceData? {
    guard context.survey.readsFinance else { return nil }
    let filters = context.plan.filters
    findVendors(&reports)
    // Settlements of other vendors were read for that only.
    statements.removeAll { filters.excludesVendor($0.vendor) }
    var counting = chosen(statements, &reports).flatMap(\.used)
    for (key, all, used) in chosen(payments, &reports) {
      counting += used
      guard used.isEmpty, case .payments(_, let period) = key else { continue }
      let rivals = all.filter { reports[$0.fileIndex].problem?.code == "conflicting-files" }
        .map { reports[$0.fileIndex].file.relativePath }
      let count = rivals.count == 2 ? "two" : "\(rivals.count)"
      note(
        "\(count) payments CSVs of \(period) that differ: \(rivals.joined(separator: ", ")); keep the right one",
        period)
    }
    for file in counting {
      switch file.content {
      case .statement(let statement): found.statements.append(statement)
      case .payments(let payments): found.payments.append(payments)
      }
      if file.isNamedInCauses {
        found.fileNames[file.fileIndex] = reports[file.fileIndex].file.relativePath
      }
    }
    for (file, advice) in refused where !hasOther(than: file) {
      let path = reports[file.fileIndex].file.relativePath
      note("\(path) cannot be used: \(advice)", file.period)
    }
    let records = found.sorted()
    ignoreOtherForms(records, &reports)
    noteGuessedRegions(records.statements, &reports)
    return records
  }

  /// Notes why the amounts owed and paid for a period are not known.
  private mutating func note(_ cause: String, _ period: FiscalPeriod) {
    let causes = [found.unusablePayments[period], cause].compactMap(\.self)
    found.unusablePayments[period] = causes.joined(separator: "; ")
  }

  /// Returns whether what a payments CSV that cannot be used may say is known from others: one of its vendor, or of no
  /// known vendor one of each vendor with a settlement.
  private func hasOther(than refused: FinanceFile) -> Bool {
    let payers = Set(found.payments.filter { $0.period == refused.period }.map(\.vendor))
    if !refused.vendor.isEmpty { return payers.contains(refused.vendor) }
    let settled = found.statements.filter { $0.period == refused.period }.map(\.vendor)
    return !payers.isEmpty && payers.isSuperset(of: settled)
  }

  // MARK: Vendors

  /// Sets the vendor of files without one, if all others have the same.
  private mutating func nameOnlyVendor() {
    let vendors = Set((statements + payments).map(\.vendor).filter { !$0.isEmpty })
    guard vendors.count == 1, let only = vendors.first else { return }
    for index in statements.indices { statements[index].vendor = only }
    for index in payments.indices { payments[index].vendor = only }
    for index in refused.indices { refused[index].file.vendor = only }
  }

  /// Finds the vendor of payments CSVs without one by the settled shares; refuses those of none or several vendors.
  private mutating func findVendors(_ reports: inout [FileReport]) {
    let vendors = Set((statements + payments).map(\.vendor).filter { !$0.isEmpty }).sorted()
    let nameless = payments.indices.filter { payments[$0].vendor.isEmpty }
    guard vendors.count > 1, !nameless.isEmpty else { return }
    let shares = SettledShares(statements.compactMap(\.statement), context)
    var others: Set<Int> = []
    for index in nameless {
      let file = payments[index]
      guard case .payments(let payments) = file.content, !payments.rows.isEmpty else { continue }
      let fitting = vendors.filter { shares.fit(payments, $0) }
      if fitting.count == 1 {
        self.payments[index].vendor = fitting[0]
        guard context.plan.filters.excludesVendor(fitting[0]) else { continue }
        reports[file.fileIndex].leaveOut(.otherVendor)
        reports[file.fileIndex].rejects = []
      } else {
        let error = FinanceError.unknownVendor(vendors: vendors, fitting: fitting)
        reports[file.fileIndex].refuse(FileProblem(error))
        refused.append((file, error.advice))
      }
      others.insert(file.fileIndex)
    }
    payments.removeAll { others.contains($0.fileIndex) }
  }

  // MARK: Files of the same report

  private func key(of file: FinanceFile) -> ReportKey {
    switch file.content {
    case .statement(let statement):
      return .statement(vendor: statement.vendor, statement.form, statement.period)
    case .payments(let payments):
      guard payments.rows.isEmpty, payments.vendor.isEmpty else {
        return .payments(vendor: payments.vendor, payments.period)
      }
      return .emptyPayments(payments.period, textHash: file.textHash)
    }
  }

  /// Decides which of the files of each report count.
  private func chosen(
    _ files: [FinanceFile], _ reports: inout [FileReport]
  ) -> [(key: ReportKey, all: [FinanceFile], used: [FinanceFile])] {
    let groups = Dictionary(grouping: files, by: key).sorted {
      $0.value[0].fileIndex < $1.value[0].fileIndex
    }
    return groups.flatMap { key, files in
      pairs(files).map { ($0, Self.choose(key, withoutPending($0, &reports), &reports)) }
        .map { (key, $0, $1) }
    }
  }

  /// Divides the files of a region and period by currency, because a pair is a region and a currency.
  ///
  /// They stay together if a file has no rows, or if two files share only some of their currencies.
  private func pairs(_ files: [FinanceFile]) -> [[FinanceFile]] {
    let groups = Dictionary(grouping: files, by: \.regionCurrencies)
    let isApart =
      groups[[]] == nil
      && groups.keys.reduce(0) { $0 + $1.count } == Set(groups.keys.joined()).count
    return isApart
      ? groups.values.sorted { $0[0].fileIndex < $1[0].fileIndex } : [files]
  }

  /// Ignores files from before a payment beside one from after it; of several of them, all but the last downloaded.
  private func withoutPending(
    _ files: [FinanceFile], _ reports: inout [FileReport]
  ) -> [FinanceFile] {
    let (pending, others) = files.divided(\.isPending)
    // A file with errors never replaces one without.
    let (good, damaged) = others.divided { reports[$0.fileIndex].rows.rejected == 0 }
    if others.isEmpty { return withoutEarlier(pending, &reports) }
    if good.isEmpty,
      let whole = pending.last(where: { !reports[$0.fileIndex].hasFaults })
    {
      let path = reports[whole.fileIndex].file.relativePath
      for file in damaged {
        reports[file.fileIndex].refuse(FileProblem(FinanceError.damagedPayment(used: path)))
      }
      return withoutEarlier(pending, &reports)
    }
    guard let paid = good.first ?? others.first else { return files }
    // A damaged one may be a download of the paid one that was cut off.
    let whole = pending.filter { !reports[$0.fileIndex].hasFaults }.map(\.fileIndex)
    for index in whole { reports[index].leaveOut(.pending, for: paid.fileIndex) }
    return files.filter { !whole.contains($0.fileIndex) }
  }

  /// Ignores all but the last downloaded of several files of a month that is not paid yet.
  private func withoutEarlier(
    _ pending: [FinanceFile], _ reports: inout [FileReport]
  ) -> [FinanceFile] {
    let whole = pending.filter { !reports[$0.fileIndex].hasFaults }
    let good = whole.isEmpty ? pending : whole
    guard let newest = lastDownloaded(good)?.textHash,
      let last = good.first(where: { $0.textHash == newest })
    else { return pending }
    let path = reports[last.fileIndex].file.relativePath
    for file in good where file.textHash != newest {
      reports[file.fileIndex].leaveOut(.restated, for: last.fileIndex)
      reports[file.fileIndex].remarks.append("replaced by \(path)")
    }
    return pending.filter { file in
      file.textHash == newest || !good.contains { $0.fileIndex == file.fileIndex }
    }
  }

  private func lastDownloaded(_ files: [FinanceFile]) -> FinanceFile? {
    guard files.count > 1 else { return files.last }
    let all = context.survey.files
    return DownloadOrder(all.map(\.file)).sorted(files) { all[$0.fileIndex].file }.last
  }

  /// Decides which of several files for the same report counts, if any.
  ///
  /// A file with faults is refused if there is one without. Of identical files, the first in path order counts. Files
  /// that contradict each other are all refused, because no rule says which is better.
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
      var counts: [ExactText: Int] = [:]
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
  var name: String {
    switch self {
    case .statement(_, .region(let region), let period): "file of \(region) for \(period)"
    case .statement(_, .single, let period): "single FINANCIAL file for \(period)"
    case .statement(_, .detail, let period): "FINANCE_DETAIL file for \(period)"
    case .payments(_, let period), .emptyPayments(let period, _): "payments CSV for \(period)"
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
    get {
      switch content {
      case .statement(let statement): statement.vendor
      case .payments(let payments): payments.vendor
      }
    }
    set {
      switch content {
      case .statement(var statement):
        statement.vendor = newValue
        content = .statement(statement)
      case .payments(var payments):
        payments.vendor = newValue
        content = .payments(payments)
      }
    }
  }

  fileprivate var statement: FinanceStatement? {
    if case .statement(let statement) = content { statement } else { nil }
  }

  /// The currencies of the rows of a region file; none of other files.
  fileprivate var regionCurrencies: Set<Symbol> {
    guard case .statement(let statement) = content, case .region = statement.form else { return [] }
    return Set(statement.rows.map(\.currency)).subtracting([.blank])
  }

  /// Whether it is a payments CSV from before the payment.
  fileprivate var isPending: Bool {
    if case .payments(let payments) = content { payments.isPending } else { false }
  }

  /// Whether the file prints sums, and none of them differs from its rows.
  fileprivate var hasMatchingTrailers: Bool {
    problem == nil && trailers.contains { $0.state == .ok }
      && !trailers.contains { $0.state == .failed }
  }

  /// Whether the file prints none of the sums that Apple's files end with.
  fileprivate var lacksTrailers: Bool { trailers.allSatisfy { $0.state == .missing } }

  /// Whether the cause of a line or the reason of a verdict may name the file.
  fileprivate var isNamedInCauses: Bool {
    switch content {
    case .statement(let statement): !statement.rejected.isEmpty
    case .payments: true
    }
  }
}

extension FileReport {
  /// Whether rows were rejected, or the download was cut off inside the last one.
  fileprivate var hasFaults: Bool { rows.rejected > 0 || endsInsideLine }

  /// Ignores the file because another one has the same bytes.
  fileprivate mutating func ignoreAsCopy(of original: InputFile, at index: Int) {
    leaveOut(.duplicateFile, for: index)
    remarks.append("same bytes as \(original.relativePath)")
    trailers = []
  }

  /// Ignores the whole file, because of another one if its index is given.
  fileprivate mutating func leaveOut(_ reason: IgnoredReason, for other: Int? = nil) {
    rows.ignoreAll(reason)
    replacement = other.map { Replacement(file: $0, reason: reason) }
    isUsed = false
  }
}

extension TrailerCheck.Value {
  var cell: ReportTable.Cell {
    switch self {
    case .count(let count): .count(count)
    case .money(let milliunits): .money(milliunits: milliunits)
    case .text: .missing
    }
  }
}
