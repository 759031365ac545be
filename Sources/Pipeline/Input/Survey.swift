import AppStoreReports
package import SubscriptionModel

/// What must be known of all files before the rows of any of them count.
///
/// It is made from what ``Scout`` has found out about each file; files that claim to be the same report, and one after
/// as-of, are read to their end for it. When files turn out to be damaged as they are read, it is corrected, and all are
/// read again. What a file says depends on no other file but for this.
package struct Survey: Sendable {
  /// All files in path order, each with its role: which counts, and which is left aside for which other.
  package let files: [ScoutedFile]
  /// For each source the day after which rows are ignored; nothing for sources that end before as-of.
  package let cutoff: [Source: Day]
  /// Whether there is a finance file to reconcile SALES with.
  package let readsFinance: Bool
  /// The first and last month that tables can have.
  let months: ClosedRange<Month>

  /// The App Store opened in July 2008; rows dated earlier than that year are rejected.
  private static let firstMonth = Month(year: 2008, month: 1)

  /// Gives files their roles.
  init(_ scouted: [ScoutedFile], _ plan: RunPlan) {
    var files = scouted
    ReportResolution(plan).resolve(&files)
    self.init(withRoles: files, plan)
  }

  private init(withRoles files: [ScoutedFile], _ plan: RunPlan) {
    self.files = files
    var cutoff: [Source: Day] = [:]
    var lastDay = Day(number: 0)
    for source in Source.allCases {
      let own = files.filter { $0.source == source && $0.isToBeUsed && $0.day != nil }
      lastDay = max(lastDay, own.compactMap(\.day).max() ?? lastDay)
      if let asOf = plan.asOf, Self.reaches(beyond: asOf, own) { cutoff[source] = asOf }
    }
    self.cutoff = cutoff
    readsFinance = files.contains { $0.kind.isFinance && $0.isToBeUsed }
    // Rows of the last day's report may be of the next month, and what they begin counts in the one after it.
    let lastMonth = plan.monthSystem.month(of: lastDay) + 2
    months = Self.firstMonth...max(Self.firstMonth, lastMonth)
  }

  /// Corrects the survey by what turned out only when files were read to their end.
  ///
  /// A report with bad rows makes way for an older version without. What a dump has said is merged with what others
  /// say and cannot be taken out again, so when it turns out to be damaged, or to be something else, all is read once
  /// more.
  ///
  /// - Parameters:
  ///   - reports: What each thread found in the files that it read, by index.
  ///   - plan: The run.
  /// - Returns: The survey by which all files are to be read again; `nil` when this one was right.
  func corrected(by reports: [[(index: Int, report: FileReport)]], _ plan: RunPlan) -> Survey? {
    let damaged = RowFaults.damagedVersions(files, reports)
    let wrong = reports.joined().filter { index, report in
      guard self.files[index].isReceiptDump, self.files[index].isToBeUsed else { return false }
      return report.problem != nil || (report.wasReadTwice && !self.files[index].isReadTwice)
    }
    if wrong.isEmpty, damaged.isEmpty { return nil }
    var files = self.files
    for (index, report) in wrong {
      files[index].problem = report.problem
      files[index].isReadTwice = report.wasReadTwice
    }
    for (index, problem) in damaged { files[index].problem = problem }
    return damaged.isEmpty ? Survey(withRoles: files, plan) : Survey(files, plan)
  }

  /// Whether a source has a report of a day after as-of that can be read to its end.
  private static func reaches(beyond asOf: Day, _ files: [ScoutedFile]) -> Bool {
    files.filter { ($0.day ?? asOf) > asOf && $0.kind != .subscription }
      .sorted { ($1.day ?? asOf) < ($0.day ?? asOf) }
      .contains { (try? Scout.hashText(of: $0.file).get()) != nil }
  }
}
