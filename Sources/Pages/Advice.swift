import AppStoreReports
import Files
package import Pipeline
import Rendering
import Scanning
import Storage
import SubscriptionModel

extension DayCoverage {
  /// The lines of `check` about days that an archive of `fetch` explains, without those on which Apple has nothing.
  fileprivate var fetchedLines: [String] {
    entries.compactMap { entry in
      guard let fetched = entry.fetched, fetched.state != .none else { return nil }
      return "\(entry.stateText): \(entry.kind) \(entry.day)\(vendorText(entry)): \(fetched.note)"
    }
  }
}

extension RunResult {
  /// Returns the lines of `check`, one for each problem; bad files and rows have their own on standard error.
  package func advice(_ checks: Checks) -> [String] {
    let days = days.unaccepted
    return days.stopLines + missingDayAdvice(days) + shortEmptyAdvice(days) + fileAdvice()
      + sharedMonthAdvice() + versionAdvice() + failures(checks)
  }

  /// The lines about the input data, without what the user accepts: one for each day.
  package var dataAdvice: [String] { advice(about: days.unaccepted) }

  /// All lines about the input data, with what the user accepts: what a run is compared by with the next one.
  package var findings: [String] { advice(about: days) }

  private func advice(about days: DayCoverage) -> [String] {
    days.stopLines + missingDayAdvice(days) + emptyDayAdvice(days) + fileAdvice()
  }

  /// Returns the changes since the last run without new findings that the user accepts.
  package func unaccepted(changes: [String]) -> [String] {
    let (all, said) = (findings, Set(dataAdvice))
    // A line about several days stays whole where only some are accepted.
    guard said.isSubset(of: all) else { return changes }
    let silent = all.filter { !said.contains($0) }
    return silent.isEmpty
      ? changes : changes.filter { line in !silent.contains { line.hasSuffix(": " + $0) } }
  }

  /// The lines that `report` prints about the data: as ``dataAdvice``, but one line for all days of a kind.
  package var briefAdvice: [String] {
    let days = days.unaccepted
    return days.stopLines + briefMissingAdvice(days)
      + days.groups(in: .empty).map { dayAdvice(.empty, $0, "a header and no rows") } + fileAdvice()
  }

  /// Returns the advice about files and words rather than days.
  private func fileAdvice() -> [String] {
    emptyLongerAdvice() + restatementAdvice() + duplicateAdvice() + unusedAdvice()
      + unknownEventAdvice()
      + unknownCountAdvice()
      + unitsAdvice()
      + instalmentNotes.map { "instalments: \($0)" }
      + leftAsideLines
  }

  /// Returns the lines that `check` prints about identities that do not hold.
  package func failures(_ checks: Checks) -> [String] {
    checks.failed.map {
      "check failed: \($0.name): \($0.scope): found \($0.found), expected \($0.expected); please report this as a bug"
    }
  }

  private func missingDayAdvice(_ days: DayCoverage) -> [String] {
    let daily = days.entries.filter {
      $0.state == .missing && !$0.isAfterEnd && !days.longerKinds.contains($0.kind)
    }
    let longer = days.groups(in: .missing).filter { days.longerKinds.contains($0.kind) }
    return days.fetchedLines
      + daily.filter { $0.fetched == nil }.map {
        "missing: \($0.kind) \($0.day)\(days.vendorText($0)): \($0.isOfUnusableFile ? "its file cannot be used; " : "")download it again; \(Self.keptDays)"
      } + longer.map(longerAdvice)
  }

  /// How long missing days can be downloaded.
  static let keptDays = "Apple keeps daily reports for 365 days"

  /// Returns the advice on missing days of a kind with reports of weeks, months or years.
  private func longerAdvice(_ group: DayCoverage.Group) -> String {
    "missing: \(counted(group.days.count, "day")) of \(group.name): \(group.dayText(atMost: Self.namedDays)); download the weeks or months with these days again"
  }

  /// Returns the lines about missing days, one for all days of a kind.
  private func briefMissingAdvice(_ days: DayCoverage) -> [String] {
    days.groups(in: .missing).map { group in
      if let fetched = group.fetched {
        let state = fetched.state == .missing ? "missing" : "missing, \(fetched.state.rawValue)"
        return
          "\(state): \(counted(group.days.count, "day")) of \(group.name): \(group.dayText(atMost: Self.namedDays)); \(fetched.note)"
      }
      return days.longerKinds.contains(group.kind)
        ? longerAdvice(group) : dayAdvice(.missing, group, Self.keptDays)
    }
  }

  private func sharedMonthAdvice() -> [String] {
    sharedMonths.map {
      "longer files: \($0.text); these months are partial: download daily reports, or those of whole months"
    }
  }

  private func emptyDayAdvice(_ days: DayCoverage) -> [String] {
    days.entries.filter { $0.state == .empty && $0.fetched == nil }.map {
      "empty: \($0.kind) \($0.day)\(days.vendorText($0)): \($0.file) has a header and no rows; download it again if there were sales on that day"
    }
  }

  /// Returns ``emptyDayAdvice(_:)`` with one line for many days of a kind: apps with few sales have many.
  private func shortEmptyAdvice(_ days: DayCoverage) -> [String] {
    let lines = emptyDayAdvice(days)
    return lines.count <= Self.namedDays
      ? lines
      : days.groups(in: .empty).filter { $0.fetched == nil }.map { group in
        "empty: \(counted(group.days.count, "day")) of \(group.name), with a header and no rows: \(group.dayText(atMost: Self.namedDays)); download \(group.days.count == 1 ? "it" : "them") again if there were sales"
      }
  }

  /// Returns one line for each financial report whose number of units is not that of its rows.
  private func unitsAdvice() -> [String] {
    files.flatMap { file in
      file.trailers.filter { $0.state == .warning }.map { trailer in
        "units differ: \(file.file.relativePath): \(trailer.name) is \(trailer.printed.map(\.description) ?? ""), the rows have \(trailer.sum); its other totals hold, so it counts; download it again"
      }
    }
  }

  /// Returns one line for each SALES report of a week or a month without rows: what that makes of its days.
  private func emptyLongerAdvice() -> [String] {
    files.compactMap { file in
      guard file.kind == .sales, let frequency = file.frequency, frequency != .daily,
        file.problem == nil, file.rows.read == 0,
        file.isUsed || file.isIgnored(.emptyBesideShorter)
      else { return nil }
      let effect =
        file.isUsed
        ? "so proceeds has no sales of these days" : "so the shorter reports of its days count"
      return
        "empty: sales \(file.period): \(file.file.relativePath) has a header and no rows, \(effect); download it again if there were sales"
    }
  }

  /// The number of days of one kind and vendor that the short form names; more are counted.
  private static let namedDays = 5

  private func dayAdvice(
    _ state: DayCoverage.State, _ group: DayCoverage.Group, _ hint: String
  ) -> String {
    "\(state.rawValue): \(counted(group.days.count, "day")) of \(group.name): \(group.dayText(atMost: Self.namedDays)); download \(group.days.count == 1 ? "it" : "them") again (\(hint))"
  }

  private func restatementAdvice() -> [String] {
    restatements.map {
      "restated: \($0.new) counts, not \($0.old) (\($0.reason.rawValue)): \(counted($0.oldRows, "row")) became \($0.newRows)"
    }
  }

  private func duplicateAdvice() -> [String] {
    files.filter { $0.isDuplicate && !isOtherVendorsEmptyDay($0) && !isOfOtherDay($0) }.map {
      file in
      let remarks = file.remarks.joined(separator: "; ")
      if let misnaming = misnaming(file) {
        return
          "wrong period: \(misnaming); \(file.file.relativePath): \(remarks); download it again"
      }
      let other = file.replacement.map { files[$0.file].vendor } ?? file.vendor
      let advice =
        other == file.vendor
        ? "remove one of them" : "they have two vendors, so one is wrong; download both again"
      return "duplicate: \(file.file.relativePath): \(remarks); \(advice)"
    }
  }

  /// Returns whether a file holds the bytes of another day's report: ``oddFileNotes`` name it.
  func isOfOtherDay(_ copy: FileReport) -> Bool {
    guard copy.isDuplicate, let original = copy.replacement?.file else { return false }
    return copy.day != files[original].day
  }

  /// Returns which of two files with the same bytes has another period in its name; `nil` for neither.
  func misnaming(_ copy: FileReport) -> String? {
    let pair = [copy] + [copy.replacement.map { files[$0.file] }].compactMap(\.self)
    return pair.lazy.compactMap { file in
      file.misnaming.map { "\(file.file.relativePath) \($0)" }
    }.first
  }

  /// Returns whether a file without rows is a copy of another vendor's: neither had sales, both files are good.
  func isOtherVendorsEmptyDay(_ file: FileReport) -> Bool {
    guard let original = file.replacement?.file, file.rows.read == 0 else { return false }
    return file.vendor != files[original].vendor
  }

  private func unusedAdvice() -> [String] {
    files.filter { $0.isIgnored(.twoDates) }.map {
      "two dates in the name: \($0.file.relativePath): the report's day must be the only date, or stand right behind the vendor number; give it Apple's name back, such as Subscription_80012345_20260115.txt.gz"
    }
      + files.filter { $0.rows.ignored[.noDate] != nil }.map {
        "no date: \($0.file.relativePath): a SUBSCRIPTION report says its day only in its name; give it Apple's name back, such as Subscription_80012345_20260115.txt.gz"
      }
  }

  /// The dumps that were read but have no row that counts, with the reason.
  var unusedDumps: [(file: InputFile, reason: String)] {
    let (other, option) =
      plan.receipts.environment == .sandbox
      ? ("production", "leave out --environment") : ("sandbox", "use --environment sandbox")
    return files.filter {
      $0.isReceiptDump && $0.problem == nil && $0.rows.used == 0 && $0.rows.rejected == 0
        && $0.rows.read > 0 && $0.replacement == nil
    }.compactMap { file in
      let counts = file.rows.ignored
      if counts[.otherEnvironment] == file.rows.read {
        return (file.file, "has only \(other) receipts; \(option)")
      }
      guard counts[.afterAsOf] == nil, counts[.otherSource] == nil else { return nil }
      let reasons = counts.map { "\($0.key.rawValue): \($0.value)" }.sorted()
      return (
        file.file,
        "has no purchase that counts (\(reasons.joined(separator: ", ")) of \(counted(file.rows.read, "row")))"
      )
    }
  }

  /// Lines about dumps that have no row that counts.
  package var unusedDumpNotes: [String] {
    unusedDumps.map { "\($0.file.shownPath): this dump \($0.reason)" }
  }

  private func unknownEventAdvice() -> [String] {
    files.flatMap { file in
      file.unknownEvents.map {
        "unknown word: \(file.file.relativePath): \($0); it is in no number: a newer subreport may know it"
      }
    }
  }

  /// Returns one line for each unknown count column of snapshots, with its sum on the newest day.
  private func unknownCountAdvice() -> [String] {
    var newest: [ExactText: (day: Day, count: UnknownCount)] = [:]
    for file in files where file.isUsed {
      guard let day = file.day else { continue }
      for count in file.unknownCounts where newest[count.column].map({ $0.day < day }) != false {
        newest[count.column] = (day, count)
      }
    }
    return newest.sorted { $0.key < $1.key }.map { column, newest in
      let use =
        newest.count.isActive
        ? "it is counted as active"
        : newest.count.isOfStatus ? "it is counted in status only" : "it is in no number"
      return
        "unknown column: \"\(column)\" of subscription reports: \(newest.count.sum) on \(newest.day); \(use): a newer subreport may know it"
    }
  }

  /// The first day on which App Store Connect offers version 1_4 of subscription reports: FORMATS.md 10.
  private static let firstDayOfVersion4 = Month(year: 2026, month: 6).firstDay + 11

  /// Returns advice on reports that are available in a later version.
  private func versionAdvice() -> [String] {
    let old = [ReportKind.subscriber, .subscriptionEvent, .subscription].compactMap { kind in
      files.filter { $0.kind == kind && $0.isUsed && $0.day != nil }
        .max { ($0.day ?? .last, $0.file.path) < ($1.day ?? .last, $1.file.path) }
    }.filter { newest in
      ["1_0", "1_1", "1_2", "1_3"].contains(newest.version)
        && newest.day.map { $0 >= Self.firstDayOfVersion4 } == true
    }
    guard let version = old.map(\.version).min() else { return [] }
    let kinds = old.map(\.kind.rawValue).joined(separator: ", ")
    return [
      "older version: the newest reports (\(kinds)) are of version \(version); ask App Store Connect for 1_4, whose Contingent App Name says what was sold cheaper because of another subscription"
    ]
  }
}

extension FileReport {
  /// Such as `holds FY2026-P06, its name says FY2026-P07` of a finance file; `nil` when its content and its name agree.
  var misnaming: String? {
    guard kind.isFinance, let month = ReportName(file.relativePath).settledMonth,
      let held = FiscalPeriod(period)
    else { return nil }
    let named = FiscalPeriod(named: month)
    return named == held ? nil : "holds \(held), its name says \(named)"
  }
}

extension RunResult {
  /// The lines of `check` about `[accept]`: the faults that are there, and entries that are not needed, or no longer.
  package var acceptedLines: [String] {
    let days = days
    return plan.accepted.entries.flatMap { entry -> [String] in
      let (found, gone) = entry.fault == .missing ? missing(entry, days) : rejected(entry)
      let name = "\(entry.fault.rawValue): \(entry.text)"
      return [
        found.map { "accepted: \(name)\($0) (\(entry.place))" },
        gone.map { "accepted, but not \(name)\($0); remove it from [accept] (\(entry.place))" },
      ].compactMap(\.self)
    }
  }

  /// Returns how many days of an entry are missing, and which have a report; `nil` for none.
  private func missing(
    _ entry: AcceptedFaults.Entry, _ all: DayCoverage
  ) -> (found: String?, gone: String?) {
    let own = all.entries.filter { entry.covers($0.kind, $0.day, of: $0.vendor) }
    let missing = Set(own.filter { $0.state == .missing }.map(\.day))
    let waiting = Set(own.filter { $0.state == .pending }.map(\.day))
    let (first, end) = (entry.days.lowerBound, entry.days.upperBound)
    // Days after the data may be missing one day.
    let last = min(end, all.entries.map(\.day).max() ?? .first)
    let days = first <= last ? (first.number...last.number).map(Day.init(number:)) : []
    let gone = days.filter { !missing.contains($0) && !waiting.contains($0) }
    return (
      missing.isEmpty ? nil : first == end ? "" : ": \(counted(missing.count, "day"))",
      gone.isEmpty
        ? nil : missing.isEmpty ? "" : ": of these \(gone.map(\.description).listed(atMost: 5))"
    )
  }

  /// Returns how many rows of the reports of an entry are rejected; `gone` if none is.
  private func rejected(_ entry: AcceptedFaults.Entry) -> (found: String?, gone: String?) {
    let own = files.filter { entry.covers($0.kind.rawValue, $0.day, of: $0.vendor) }
    let rows = own.map(\.rows.rejected).reduce(0, +)
    return rows > 0 ? (": \(counted(rows, "row"))", nil) : (nil, "")
  }

  var unacceptedFiles: [FileReport] {
    guard !plan.accepted.entries.isEmpty else { return files }
    return files.filter {
      !plan.accepted.accepts(.rejected, $0.kind.rawValue, $0.day, of: $0.vendor)
    }
  }
}
