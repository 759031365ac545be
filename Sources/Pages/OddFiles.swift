import AppStoreReports
import Files
package import Pipeline
import Rendering
import Scanning
import Storage

/// Notes on files that do not fit their names; notes do not change the exit code.
extension RunResult {
  /// A line for each pair of days with the same bytes, and lines for names that say other days than the rows.
  package var oddFileNotes: [String] {
    sameBytesNotes + misnamedSalesNotes + downloadDayNotes + receiptLosses
  }

  /// The values of receipts that are in no number: a line for each dump, or one for dumps with the same faults.
  package var receiptLosses: [String] {
    var places: [ExactText: Int] = [:]
    var lines: [(text: String, name: String, others: Int)] = []
    for file in files where file.isUsed {
      for text in file.losses {
        if let place = places[text] {
          lines[place].others += 1
        } else {
          places[text] = lines.count
          lines.append((text, file.file.relativePath, 0))
        }
      }
    }
    return lines.map { line in
      let others = line.others > 0 ? " and \(counted(line.others, "other file"))" : ""
      return "receipts: \(line.name)\(others): \(line.text)"
    }
  }

  private var sameBytesNotes: [String] {
    files.filter(isOfOtherDay).compactMap { copy in
      guard let original = copy.replacement.map({ files[$0.file] }), let day = copy.day else {
        return nil
      }
      let other = original.day.map { " and \($0)" } ?? ""
      return
        "same-bytes: \(copy.file.relativePath) holds the same bytes as \(original.file.relativePath), the report of \(original.period), and is left out; one of them was written over: download \(copy.kind.rawValue) \(day)\(other) again"
    }
  }

  private var misnamedSalesNotes: [String] {
    let misnamed = files.filter { $0.kind == .sales && $0.otherPeriodInName != nil }
    guard let first = misnamed.first else { return [] }
    let are = misnamed.count == 1 ? "says" : "say"
    return [
      "note: the \(misnamed.count == 1 ? "name" : "names") of \(counted(misnamed.count, "SALES report")) \(are) other days than the rows, which decide (\(first.file.relativePath) is of \(first.period))"
    ]
  }

  /// One line for each vendor and number of days.
  private var downloadDayNotes: [String] {
    let daily: Set<ReportKind> = [.subscriber, .subscriptionEvent, .subscription]
    let late = files.filter { daily.contains($0.kind) && $0.otherPeriodInName != nil }
    let vendors = Set(files.filter { daily.contains($0.kind) }.map(\.vendor)).subtracting([""])
    let groups = Dictionary(grouping: late) { "\($0.vendor) \($0.daysInNameLate ?? 0)" }
    return groups.sorted { $0.key.precedes($1.key) }.compactMap { _, files in
      guard let first = files.first, let days = first.daysInNameLate else { return nil }
      let kinds = Set(files.map(\.kind.rawValue)).sorted().inWords()
      let ofVendor =
        vendors.count > 1 ? " of vendor \(first.vendor.isEmpty ? "unknown" : first.vendor)" : ""
      return
        "note: the names of \(kinds) files\(ofVendor) say the day of the download; \(counted(days, "day")) \(days == 1 ? "is" : "are") taken off (\(counted(files.count, "file")), such as \(first.file.relativePath): \(first.period))"
    }
  }
}

/// Files of one kind, in input folders, that are without fault but not counted.
struct LeftAside {
  /// The number and kind of files, such as `2 zip archives`.
  let what: String
  let paths: [String]
  /// The advice on what to do with them; blank where there is nothing to do.
  let advice: String

  /// The line, with the first path and the number of further ones.
  var text: String {
    let files = "\(what) (\(paths.listed(atMost: 1)))"
    return advice.isEmpty ? files : "\(files): \(advice)"
  }
}

extension LeftAside {
  /// Describes SALES reports of one frequency; `nil` for none.
  fileprivate init?(_ reports: [FileReport], _ advice: String) {
    guard let frequency = reports.first?.frequency else { return nil }
    self.init(
      what: counted(reports.count, "\(frequency.rawValue) SALES report"),
      paths: reports.map(\.file.relativePath), advice: advice)
  }
}

extension RunResult {
  /// The files in folders that are not counted, by kind.
  ///
  /// Hidden files, such as `.DS_Store`, are named in health.csv only.
  var leftAside: [LeftAside] {
    let aside = files.filter { $0.foreign != nil && $0.problem == nil && !$0.file.isHidden }
    let answers = Self.simulatedAnswers(aside.map(\.file.relativePath))
    let ofAnswers = LeftAside(
      what: "\(counted(answers.count, "file")) with the known answers of subreport simulate",
      paths: answers, advice: "")
    return (answers.isEmpty ? [] : [ofAnswers])
      + leftAside(aside, without: Set<ExactText>(of: answers))
      + longerSales
  }

  /// Returns the files in folders that `simulate` writes beside its reports.
  private static func simulatedAnswers(_ paths: [String]) -> [String] {
    let all = Set<ExactText>(of: paths)
    return paths.filter { path in
      let folder = path.split(separator: "/").dropLast()
      let isWritten = ["README.md", "active.csv", "faults.csv"].allSatisfy {
        all.contains("\(folder.joined(separator: "/"))/\($0)")
      }
      return folder.last == "truth" && isWritten
    }
  }

  private func leftAside(_ aside: [FileReport], without answers: Set<ExactText>) -> [LeftAside] {
    ForeignFile.allCases.flatMap { kind -> [LeftAside] in
      let found = aside.filter { $0.foreign == kind && !answers.contains($0.file.relativePath) }
        .map(\.file)
      let isReport = { (file: InputFile) in kind != .other || file.hasEndingOfReports }
      let possible = found.filter(isReport).map(\.relativePath)
      let others = found.filter { !isReport($0) }.map(\.relativePath)
      let all = [
        LeftAside(
          what: kind.counted(possible.count), paths: possible, advice: kind.advice(possible.count)),
        LeftAside(
          what: others.count == 1 ? "1 file is no report" : "\(others.count) files are no reports",
          paths: others, advice: ""),
      ]
      return all.filter { !$0.paths.isEmpty }
    }
  }

  /// Weekly, monthly and yearly SALES reports that count in no table, by reason; and daily ones that do not count in
  /// `proceeds`.
  private var longerSales: [LeftAside] {
    let reasons: [IgnoredReason] = [
      .yearly, .noFiscalPeriod, .inShorterReports, .inDailyReports, .inOtherReports,
    ]
    let sales = files.filter { $0.kind == .sales }
    let left = reasons.compactMap { reason -> LeftAside? in
      let own = sales.filter { $0.isIgnored(reason) }
      let years = reason == .yearly ? " (\(own.map(\.period).unique.listed(atMost: 10)))" : ""
      return LeftAside(own, reason.rawValue + years)
    }
    let daily = [Frequency.monthly, .weekly].compactMap { frequency in
      LeftAside(
        sales.filter { $0.longerReport == frequency },
        "not in proceeds: in a \(frequency.rawValue) report")
    }
    return left + daily
  }

  /// The lines about archives, which may hold data, for commands that name no other file left aside.
  package var archiveLines: [String] {
    let archives = files.filter {
      $0.foreign?.isArchive == true && $0.problem == nil && !$0.file.isHidden
    }
    return leftAside(archives, without: []).map { "left aside: " + $0.text }
  }

  /// Lines about files in folders that are not counted, one for each kind; none without such files.
  package var leftAsideLines: [String] {
    leftAside.map { "left aside: " + $0.text }
  }
}

extension InputFile {
  /// Whether the file itself is hidden, such as `.DS_Store`.
  fileprivate var isHidden: Bool { name.hasPrefix(".") }
}
