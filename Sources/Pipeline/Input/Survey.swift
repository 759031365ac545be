import AppStoreReports
import Scanning
package import SubscriptionModel

/// The role of every file, decided before any row counts.
///
/// Built from the results of ``FileRecognizer``. Files that may be the same report, and one file after as-of, are
/// read to their end for it. When files turn out to be damaged while they are read, the survey is corrected and all files are
/// read again. Apart from this, reading a file does not depend on other files.
package struct Survey: Sendable {
  /// All files in path order, each with its role: used, or ignored with a reason.
  package let files: [RecognizedFile]
  /// The last day whose rows count, by source; no entry for sources that end by as-of.
  package let cutoff: [Source: Day]
  /// Whether there is a finance file to reconcile with SALES.
  package let readsFinance: Bool
  /// The first and last month that tables can have.
  package let months: ClosedRange<Month>
  /// Whether there are SUBSCRIBER reports of several vendors, between which an app may have moved.
  let hasSeveralVendors: Bool

  /// The day of the newest SUBSCRIPTION report; `nil` without any.
  var newestSnapshot: Day? {
    files.lazy.filter { $0.kind == .subscription && $0.isToBeUsed }.compactMap(\.day).max()
  }

  /// The month of the first rows accepted: the App Store opened in July 2008, earlier years are rejected.
  private static let firstMonth = Month(year: 2008, month: 1)

  /// Creates the survey, giving files their roles.
  package init(_ recognized: [RecognizedFile], _ plan: RunPlan) {
    var files = recognized
    ReportResolution(plan).resolve(&files)
    self.init(withRoles: files, plan)
  }

  /// Creates a survey of files in path order that have their roles; `cutoff` has the last day whose rows count.
  package init(files: [RecognizedFile], cutoff: [Source: Day], months: ClosedRange<Month>) {
    self.files = files
    self.cutoff = cutoff
    self.months = months
    readsFinance = files.contains { $0.kind.isFinance && $0.isToBeUsed }
    hasSeveralVendors = Self.hasSeveralVendors(files)
  }

  private init(withRoles files: [RecognizedFile], _ plan: RunPlan) {
    var cutoff: [Source: Day] = [:]
    var lastDay = Day(number: 0)
    for source in Source.allCases {
      let own = files.filter { $0.source == source && $0.isToBeUsed && $0.day != nil }
      lastDay = max(lastDay, own.compactMap(\.day).max() ?? lastDay)
      if let asOf = plan.asOf, Self.reaches(beyond: asOf, own) { cutoff[source] = asOf }
    }
    // Rows of the last day's report may be dated in the next month, and count subscriptions as active in the one after.
    let lastMonth = plan.monthSystem.month(of: lastDay) + 2
    self.init(
      files: files, cutoff: cutoff, months: Self.firstMonth...max(Self.firstMonth, lastMonth))
  }

  /// Returns the survey for reading all files again, corrected for problems found while reading; `nil` if this one
  /// was right.
  ///
  /// A report with bad rows is replaced by an older version without. Rows of a dump are merged with those of others
  /// and cannot be removed again, so if a dump is damaged or turns out to be another kind, all files are read again.
  /// So they are if a SALES report that cannot be used had a part in the choice between days, weeks and months, or if
  /// the rows of reports show that their names are wrong.
  func corrected(by reports: [[(index: Int, report: FileReport)]], _ plan: RunPlan) -> Survey? {
    let read = Dictionary(reports.joined().map { ($0.index, $0.report) }) { $1 }
    let damaged = RowFaults.damagedVersions(self.files) { index in
      read[index].map { $0.rows.rejected > 0 || self.files[index].endsInsideLine } == true
    }
    let wrong = reports.joined().filter { index, report in
      guard self.files[index].isReceiptDump, self.files[index].isToBeUsed else { return false }
      return report.problem != nil || (report.wasReadTwice && !self.files[index].isReadTwice)
    }
    let sales = salesProblems { index in read[index]?.problem }
    if wrong.isEmpty, damaged.isEmpty, sales.isEmpty {
      return learning(plan) { read[$0]?.eventDays }
    }
    var files = self.files
    for (index, report) in wrong {
      files[index].problem = report.problem
      files[index].isReadTwice = report.wasReadTwice
    }
    for (index, problem) in damaged + sales { files[index].problem = problem }
    return damaged.isEmpty && sales.isEmpty
      ? Survey(withRoles: files, plan) : Survey(files, plan)
  }

  /// Returns the SALES reports that cannot be used, each with its problem, if there are reports of weeks, months or
  /// years.
  private func salesProblems(
    _ problem: (Int) -> FileProblem?
  ) -> [(index: Int, problem: FileProblem)] {
    let isOfRows: Set<String> = [
      Reject.Code.repeatedHeader.rawValue, HeaderError.severalReportsCode,
    ]
    guard files.contains(where: { $0.kind == .sales && $0.frequency != .daily }) else { return [] }
    return files.indices.compactMap { index in
      guard files[index].kind == .sales, files[index].isToBeUsed, let problem = problem(index),
        problem.isCorruption || isOfRows.contains(problem.code)
      else { return nil }
      return (index, problem)
    }
  }

  /// Returns the survey with the Event Dates of SUBSCRIBER and SUBSCRIPTION_EVENT reports; `nil` if it has the same
  /// days and roles.
  private func learning(_ plan: RunPlan, _ eventDays: (Int) -> EventDays?) -> Survey? {
    var learned = files
    var isNew = false
    for index in files.indices where files[index].isToBeUsed && files[index].eventDays == nil {
      guard [.subscriber, .subscriptionEvent].contains(files[index].kind),
        let days = eventDays(index)
      else { continue }
      learned[index].eventDays = days
      isNew = true
    }
    guard isNew else { return nil }
    let isOfSameBytes = SameBytes.find(&learned)
    guard isOfSameBytes || !DownloadDays(learned).fits(files) else { return nil }
    return Survey(learned, plan)
  }

  /// Returns the survey corrected for faults in the examined contents of files, before any file is read.
  ///
  /// It is the survey with which a run of the same files ends.
  package func foreseeingFaults(_ plan: RunPlan) -> Survey {
    var survey = self
    while true {
      let (files, cutoff, readsFinance) = (survey.files, survey.cutoff, survey.readsFinance)
      let damaged = RowFaults.damagedVersions(files) { index in
        guard let content = files[index].examined else { return false }
        let first = readsFinance ? content.firstReject : content.firstRejectOfSubscriptions
        let last = files[index].source.flatMap { cutoff[$0] } ?? .last
        // Rejected rows after as-of are ignored.
        let isRejected = first.map { $0 <= last } == true
        return content.endsInsideLine || files[index].isToBeUsed && isRejected
      }
      var corrected = files
      var isChanged = false
      for index in files.indices where files[index].isReceiptDump && files[index].isToBeUsed {
        guard case .failure(let problem) = files[index].examined?.text else { continue }
        corrected[index].problem = problem
        isChanged = true
      }
      let sales = survey.salesProblems { index in
        switch files[index].examined?.text {
        case .failure(let problem): problem
        case .success: files[index].examined?.joinedReports
        case nil: nil
        }
      }
      for (index, problem) in damaged + sales { corrected[index].problem = problem }
      guard isChanged || !damaged.isEmpty || !sales.isEmpty else {
        guard let learned = survey.learning(plan, { files[$0].examined?.eventDays }) else { break }
        survey = learned
        continue
      }
      survey =
        damaged.isEmpty && sales.isEmpty
        ? Survey(withRoles: corrected, plan) : Survey(corrected, plan)
    }
    return survey.withEventDays
  }

  /// The survey with the rows by day of all files that count, from which later steps learn nothing new.
  private var withEventDays: Survey {
    var known = files
    for index in files.indices where files[index].isToBeUsed {
      known[index].eventDays = files[index].eventDays ?? files[index].examined?.eventDays
    }
    return Survey(files: known, cutoff: cutoff, months: months)
  }

  private static func hasSeveralVendors(_ files: [RecognizedFile]) -> Bool {
    var first = ""
    return files.contains { file in
      guard file.kind == .subscriber, !file.vendor.isEmpty else { return false }
      if first.isEmpty { first = file.vendor }
      return file.vendor != first
    }
  }

  /// Returns whether a source has a report after as-of that can be read to its end.
  private static func reaches(beyond asOf: Day, _ files: [RecognizedFile]) -> Bool {
    files.filter { ($0.day ?? asOf) > asOf && $0.kind != .subscription }
      .sorted { ($1.day ?? asOf) < ($0.day ?? asOf) }
      .contains { (try? $0.hashedText().get()) != nil }
  }
}
