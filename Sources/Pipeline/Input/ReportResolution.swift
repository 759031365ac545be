import AppStoreReports
import SubscriptionModel

/// Decides which file counts when several are the same report: METRICS.md section 8.
package struct ReportResolution {
  /// The key that two files share when they claim to be the same report.
  private struct Claim: Hashable {
    var kind: ReportKind
    var frequency: Frequency?
    var day: Day
  }

  /// The reason for ignoring an older version of a report.
  static let restated = "restated"
  /// The reason for ignoring a second copy of a file.
  static let duplicate = "duplicate file"

  /// The reason for ignoring reports that no table uses.
  static let otherReport = "other report"
  /// The reason for ignoring reports of longer periods.
  static let otherFrequency = "other frequency"

  /// The reason for ignoring a finance file without a vendor in its name when vendors are filtered.
  static let noVendor = "no vendor"

  /// The reason for ignoring rows and files of later days.
  package static let afterAsOf = "after as-of"

  private let plan: RunPlan
  private let jobs: Int

  init(_ plan: RunPlan) {
    self.plan = plan
    jobs = plan.jobs
  }

  /// Sets the role of each file, overwriting earlier roles.
  func resolve(_ files: inout [ScoutedFile]) {
    let financeVendors = Set(files.filter(\.kind.isFinance).map(\.vendor).filter { !$0.isEmpty })
    let onlyVendor = financeVendors.count == 1 ? financeVendors.first : nil
    for index in files.indices {
      files[index].role = .use
      leaveAsideAlone(&files[index], onlyVendor)
    }
    leaveOtherFrequencies(&files)
    leaveDuplicateDumps(&files)
    var claims: [Claim: [Int]] = [:]
    for (index, file) in files.enumerated() where file.isToBeUsed {
      guard let day = file.day, !file.kind.isFinance else { continue }
      claims[Claim(kind: file.kind, frequency: file.frequency, day: day), default: []]
        .append(index)
    }
    let contested = claims.values.filter { $0.count > 1 }
    hashTexts(of: contested.flatMap { $0 }.sorted(), &files)
    for claim in contested { settle(claim, &files) }
  }

  /// Ignores all but the first, in path order, of identical dumps.
  ///
  /// Only dumps of equal length can be identical, so only those are hashed.
  private func leaveDuplicateDumps(_ files: inout [ScoutedFile]) {
    var sameLength: [UInt32: [Int]] = [:]
    for (index, file) in files.enumerated() where file.isReceiptDump && file.isToBeUsed {
      if let length = Scout.textLength(of: file.file) {
        sameLength[length, default: []].append(index)
      }
    }
    let candidates = sameLength.values.filter { $0.count > 1 }
    hashTexts(of: candidates.flatMap { $0 }.sorted(), &files)
    for indices in candidates { leaveCopies(among: indices, &files) }
  }

  private func leaveCopies(among indices: [Int], _ files: inout [ScoutedFile]) {
    var first: [[UInt8]: Int] = [:]
    for index in indices where files[index].role == .use {
      guard let hash = files[index].textHash else { continue }
      if let original = first[hash] {
        files[index].role = .leaveFor(original, reason: Self.duplicate)
      } else {
        first[hash] = index
      }
    }
  }

  /// Ignores a file for a reason of its own, such as another source or vendor.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - financeVendor: The vendor of all finance files, if there is only one. Files without a vendor in their
  ///     name, which payments CSVs always are, belong to it.
  private func leaveAsideAlone(_ file: inout ScoutedFile, _ financeVendor: String?) {
    if file.isReceiptDump, !plan.sources.contains(.receipts) {
      file.role = .leave(reason: "other source")
    }
    guard file.problem == nil, file.header != nil, file.kind != .unknown else { return }
    if file.kind.isFinance {
      leaveFinanceAsideAlone(&file, financeVendor)
      return
    }
    guard let source = file.source else {
      file.role = .leave(reason: Self.otherReport)
      return
    }
    if !plan.sources.contains(source) {
      file.role = .leave(reason: "other source")
    } else if !plan.filters.vendors.isEmpty, !plan.filters.vendors.contains(file.vendor) {
      file.role = .leave(reason: "other vendor")
    } else if file.day == nil, !file.lacksReadableDates {
      file.role = .leave(reason: "no date")
    } else if file.kind == .subscription, let asOf = plan.asOf, let day = file.day, day > asOf {
      file.role = .leave(reason: Self.afterAsOf)
    }
  }

  /// Ignores a finance file that is not to be reconciled.
  ///
  /// Which of several finance files counts is decided later, after all are read.
  private func leaveFinanceAsideAlone(_ file: inout ScoutedFile, _ onlyVendor: String?) {
    let vendor = file.vendor.isEmpty ? onlyVendor ?? "" : file.vendor
    if !plan.readsFinance {
      file.role = .leave(reason: Self.otherReport)
    } else if !plan.sources.contains(.sales) {
      file.role = .leave(reason: "other source")
    } else if !plan.filters.vendors.isEmpty, !plan.filters.vendors.contains(vendor) {
      file.role = .leave(reason: file.vendor.isEmpty ? Self.noVendor : "other vendor")
    } else if plan.filters.isByRow {
      file.role = .leave(reason: "filtered run")
    }
  }

  /// Ignores all SALES reports but those of the finest frequency: the others repeat the same sales.
  ///
  /// A frequency without a file that can be read to its end does not count.
  private func leaveOtherFrequencies(_ files: inout [ScoutedFile]) {
    let sales = files.indices.filter {
      files[$0].kind == .sales && files[$0].role == .use && files[$0].problem == nil
    }
    let present = Set(sales.compactMap { files[$0].frequency })
    guard present.count > 1 else { return }
    let finest = Frequency.allCases.first { frequency in
      sales.contains { files[$0].frequency == frequency && isReadable(&files[$0]) }
    }
    for index in sales where files[index].frequency != finest && files[index].problem == nil {
      files[index].role = .leave(reason: Self.otherFrequency)
    }
  }

  /// Returns whether a file can be read to its end; notes the problem if not.
  private func isReadable(_ file: inout ScoutedFile) -> Bool {
    guard case .failure(let problem) = Scout.hashText(of: file.file) else { return true }
    file.problem = problem
    return false
  }

  private func hashTexts(of indices: [Int], _ files: inout [ScoutedFile]) {
    let scouted = files
    let results = Workers.run(
      count: indices.count, jobs: jobs, makeState: { [(Int, Result<[UInt8], FileProblem>)]() },
      work: { found, item in
        let file = scouted[indices[item]]
        found.append((indices[item], Scout.hashText(of: file.file, file.header)))
      }, finish: { $0 })
    for (index, result) in results.joined() {
      switch result {
      case .success(let hash): files[index].textHash = hash
      case .failure(let problem): files[index].problem = problem
      }
    }
  }

  /// Decides which files of one claim count.
  ///
  /// Of identical files, the first in path order counts; of different versions of one vendor's report, the last in
  /// path order. A damaged file never replaces a good one.
  private func settle(_ claim: [Int], _ files: inout [ScoutedFile]) {
    let readable = claim.filter { files[$0].problem == nil }
    let vendors = Set(readable.map { files[$0].vendor }.filter { !$0.isEmpty })
    var versions: [String: [Int]] = [:]
    for index in readable {
      let own = files[index].vendor
      let vendor = own.isEmpty && vendors.count == 1 ? vendors.first ?? own : own
      versions[vendor, default: []].append(index)
    }
    for indices in versions.values {
      guard let last = indices.last else { continue }
      for index in indices where files[index].textHash != files[last].textHash {
        files[index].role = .leaveFor(last, reason: Self.restated)
      }
    }
    leaveCopies(among: readable, &files)
  }
}
