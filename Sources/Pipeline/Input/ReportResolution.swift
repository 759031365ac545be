import AppStoreReports
import Scanning
import Storage
import SubscriptionModel

/// Decides which file counts when several are the same report: METRICS.md section 8.
package struct ReportResolution {
  /// The key that all files of the same report share.
  private struct ReportKey: Hashable {
    var kind: ReportKind
    var frequency: Frequency?
    var day: Day
  }

  let plan: RunPlan
  private let jobs: Int

  init(_ plan: RunPlan) {
    self.plan = plan
    jobs = plan.jobs
  }

  /// Sets the role of each file, overwriting earlier roles, and the days of names that say the day of the download.
  func resolve(_ files: inout [RecognizedFile]) {
    DownloadDays(files).setDays(of: &files)
    let financeVendors = Set(files.filter(\.kind.isFinance).map(\.vendor).filter { !$0.isEmpty })
    let onlyVendor = financeVendors.count == 1 ? financeVendors.first : nil
    let needsAllVendors =
      financeVendors.count > 1
      && files.contains { $0.kind == .payments && $0.vendor.isEmpty && $0.header != nil }
    for index in files.indices {
      let reason = reasonToIgnore(files[index], onlyVendor, needsAllVendors: needsAllVendors)
      files[index].role = reason.map(RecognizedFile.Role.ignore) ?? .use
    }
    ignoreDuplicateDumps(&files)
    SameBytes.ignore(&files)
    var groups: [ReportKey: [Int]] = [:]
    for (index, file) in files.enumerated() where file.isToBeUsed {
      guard let day = file.day, !file.kind.isFinance else { continue }
      groups[ReportKey(kind: file.kind, frequency: file.frequency, day: day), default: []]
        .append(index)
    }
    let repeated = groups.values.filter { $0.count > 1 }
    hashTexts(of: repeated.flatMap { $0 }.sorted(), &files)
    let order = DownloadOrder(repeated.isEmpty ? [] : files.map(\.file))
    for group in repeated { chooseVersions(group, order, &files) }
    decideFrequencies(&files)
  }

  /// Returns the files whose text a run may compare with that of another, whatever its options are; roles do not
  /// matter.
  ///
  /// These are all reports of one kind, frequency and day, and all dumps of one length. A name may say a day up to 3
  /// days later than its report (``DownloadDays``).
  package static func compared(_ files: [RecognizedFile]) -> Set<Int> {
    var reports: [ReportKey: [Int]] = [:]
    var dumps: [UInt32: [Int]] = [:]
    for (index, file) in files.enumerated() where file.isToBeUsed {
      if file.isReceiptDump {
        guard let length = FileRecognizer.textLength(of: file.file) else { continue }
        dumps[length, default: []].append(index)
      } else if let day = file.day, !file.kind.isFinance {
        let isUndated = file.name.date == nil && file.kind != .sales
        for late in isUndated ? 0...3 : 0...0 {
          let key = ReportKey(kind: file.kind, frequency: file.frequency, day: day + late)
          reports[key, default: []].append(index)
        }
      }
    }
    return Set((Array(reports.values) + Array(dumps.values)).filter { $0.count > 1 }.joined())
  }

  /// Ignores all but the first, in path order, of identical dumps.
  ///
  /// Only dumps of equal length can be identical, so only those are hashed.
  private func ignoreDuplicateDumps(_ files: inout [RecognizedFile]) {
    var sameLength: [UInt32: [Int]] = [:]
    for (index, file) in files.enumerated() where file.isReceiptDump && file.isToBeUsed {
      // Examined files are hashed already, and need not be there.
      let length = file.examined.map(\.statedLength) ?? FileRecognizer.textLength(of: file.file)
      if let length {
        sameLength[length, default: []].append(index)
      }
    }
    let candidates = sameLength.values.filter { $0.count > 1 }
    hashTexts(of: candidates.flatMap { $0 }.sorted(), &files)
    for indices in candidates { ignoreCopies(among: indices, &files) }
  }

  private func ignoreCopies(among indices: [Int], _ files: inout [RecognizedFile]) {
    var first: [[UInt8]: Int] = [:]
    for index in indices where files[index].role == .use {
      guard let hash = files[index].textHash else { continue }
      if let original = first[hash] {
        files[index].role = .ignoreFor(original, .duplicateFile)
      } else {
        first[hash] = index
      }
    }
  }

  /// Returns why a file is ignored whatever other files there are, such as another source or vendor; `nil` if it may
  /// count.
  ///
  /// If all finance files have one vendor, those without a vendor in their name, which payments CSVs mostly are,
  /// belong to it. `needsAllVendors`: the settlements of all vendors are read to find that of payments CSVs.
  private func reasonToIgnore(
    _ file: RecognizedFile, _ financeVendor: String?, needsAllVendors: Bool
  ) -> IgnoredReason? {
    if file.isReceiptDump, !plan.sources.contains(.receipts) { return .otherSource }
    guard file.problem == nil, file.header != nil, file.kind != .unknown else { return nil }
    if file.kind.isFinance {
      return financeReason(file, financeVendor, needsAllVendors: needsAllVendors)
    }
    guard let source = file.source else { return .otherReport }
    if !plan.sources.contains(source) { return .otherSource }
    if isOtherVendor(file.vendor) { return .otherVendor }
    if file.day == nil, !file.lacksReadableDates {
      return file.name.hasTwoDates ? .twoDates : .noDate
    }
    if file.kind == .subscription, let asOf = plan.asOf, let day = file.day, day > asOf {
      return .afterAsOf
    }
    return nil
  }

  /// Returns why a finance file is not to be reconciled.
  ///
  /// Which of several finance files counts is decided later, after all are read.
  private func financeReason(
    _ file: RecognizedFile, _ onlyVendor: String?, needsAllVendors: Bool
  ) -> IgnoredReason? {
    if !plan.readsFinance { return .otherReport }
    if !plan.sources.contains(.sales) { return .otherSource }
    // Payments CSVs without a vendor, and the settlements of all vendors.
    let isReadForVendors =
      needsAllVendors && (file.kind == .payments) == file.vendor.isEmpty
    if !isReadForVendors, isOtherVendor(file.vendor.isEmpty ? onlyVendor ?? "" : file.vendor) {
      return file.vendor.isEmpty ? .noVendor : .otherVendor
    }
    return plan.filters.isByRow ? .filteredRun : nil
  }

  private func isOtherVendor(_ vendor: String) -> Bool {
    !plan.filters.vendors.isEmpty && !plan.filters.vendors.contains(vendor)
  }

  private func hashTexts(of indices: [Int], _ files: inout [RecognizedFile]) {
    let recognized = files
    let results = Workers.run(
      count: indices.count, jobs: jobs, makeState: { [(Int, Result<[UInt8], FileProblem>)]() },
      work: { found, item in
        let file = recognized[indices[item]]
        found.append((indices[item], file.hashedText(ofOneReport: true)))
      }, finish: { $0 })
    for (index, result) in results.joined() {
      switch result {
      case .success(let hash): files[index].textHash = hash
      case .failure(let problem): files[index].problem = problem
      }
    }
  }

  /// Decides which files for the same report count.
  ///
  /// Of identical files, the first in path order counts; of different versions of one vendor's report, the last in
  /// download order. A damaged file never replaces a good one.
  private func chooseVersions(
    _ indices: [Int], _ order: DownloadOrder, _ files: inout [RecognizedFile]
  ) {
    let readable = indices.filter { files[$0].problem == nil }
    let vendors = Set(readable.map { files[$0].vendor }.filter { !$0.isEmpty })
    var versions: [String: [Int]] = [:]
    for index in readable {
      let own = files[index].vendor
      let vendor = own.isEmpty && vendors.count == 1 ? vendors.first ?? own : own
      versions[vendor, default: []].append(index)
    }
    for indices in versions.values {
      guard let last = order.sorted(indices, by: { files[$0].file }).last else { continue }
      for index in indices where files[index].textHash != files[last].textHash {
        files[index].role = .ignoreFor(last, .restated)
      }
    }
    ignoreCopies(among: readable, &files)
  }
}
