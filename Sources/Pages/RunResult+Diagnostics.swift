import AppStoreReports
import Counting
package import Files
package import Pipeline
import Scanning
import SubscriptionModel
import Tables

/// The problems of the inputs as lines for standard error, and the reasons for the exit code that follow from them.
extension RunResult {
  /// That a filter of countries leaves out receipts that state none, as the text of a note; `nil` without one.
  ///
  /// Only data of the App Store Server API and notifications state a storefront.
  package var noteOnCountries: String? {
    guard !plan.filters.countries.isEmpty, sources.contains(where: { $0.source == .receipts })
    else { return nil }
    return "receipts that state no country are left out; those of verifyReceipt state none"
  }

  /// The problems of whole inputs: files that could not be used, in path order.
  package var fileDiagnostics: [Diagnostic] {
    inputErrors.map {
      Diagnostic(
        path: $0.path, text: "\($0.path): error: \($0.message) [\($0.code)]", reason: .unusableInput
      )
    } + files.compactMap(\.diagnostic)
  }

  /// The number of rejected rows that have, or beyond the limit of the list would have, a line of their own.
  ///
  /// Rejects that an error about the whole file covers, such as repeated headers, are not among them, nor accepted ones.
  package var rowDiagnosticCount: Int {
    unacceptedFiles.map { $0.rows.rejected - $0.coveredRejects }.reduce(0, +)
  }

  /// One line per rejected row, in path order, up to the limit of each file.
  package var rowDiagnostics: [Diagnostic] {
    unacceptedFiles.flatMap { file in
      file.rejects.filter { !file.covers($0) }.map { reject in
        let field = reject.field == 0 ? "" : ":\(reject.field)"
        let path = file.file.shownPath
        return Diagnostic(
          path: path, text: "\(path):\(reject.line)\(field): error: \(file.message(reject))",
          reason: .failIf)
      }
    }
  }

  /// Returns all reasons for the exit code that the inputs give; `maxRejects` rejected rows are tolerated.
  package func exitReasons(maxRejects: Int, checksDays: Bool) -> Set<ExitReason> {
    var reasons = Set(fileDiagnostics.map(\.reason))
    let rejected = unacceptedFiles.map(\.rows.rejected).reduce(0, +)
    if rejected > maxRejects { reasons.insert(.failIf) }
    if checksDays && days.unaccepted.count(.missing) > 0 || !linesShortOfThrough.isEmpty {
      reasons.insert(.missingDays)
    }
    if !files.allSatisfy(\.rows.addUp) || internalError != nil { reasons.insert(.internalError) }
    return reasons
  }

  /// One line for each kind of report that does not reach the day of `--through`.
  package var linesShortOfThrough: [String] {
    let ends =
      plan.through == nil ? [] : feedEnds.filter { $0.fallsShort && !plan.accepted.accepts($0) }
    return ends.isEmpty ? [] : ends.map(days.line)
  }

  /// An error if the tables do not count as many SUBSCRIBER rows as are used; `nil` otherwise.
  package var internalError: String? {
    guard let check = Check.ofRowsCounted(files, sources), !check.holds,
      case .count(let used) = check.expected, case .count(let counted) = check.found
    else { return nil }
    let next = plan.earlierRuns == nil ? "" : "; the next run counts everything again"
    return
      "error: \(used) rows of Subscriber reports are used, but the tables count \(counted): please report this\(next) [internal-error]"
  }
}

extension Diagnostic {
  init(_ problem: FileProblem, of file: InputFile) {
    let advice = problem.isCorruption ? "; download it again" : problem.nextStep
    let place = [problem.line, problem.field].compactMap { $0.map { ":\($0)" } }.joined()
    self.init(
      path: file.shownPath,
      text: "\(file.shownPath)\(place): error: \(problem.message)\(advice) [\(problem.code)]",
      reason: problem.isCorruption ? .corruptInput : .unusableInput)
  }
}

extension FileProblem {
  /// What to do about a problem whose message does not say it.
  fileprivate var nextStep: String {
    switch code {
    case HeaderError.empty.code: "; download it again"
    case HeaderError.missingColumns(.unknown, []).code:
      "; download it again, and give it as Apple sends it"
    case HeaderError.appleError(detail: "").code:
      "; download the report again, or remove the file"
    default: ""
    }
  }
}

extension FileReport {
  fileprivate var diagnostic: Diagnostic? {
    (problem ?? problemOfRows).map { Diagnostic($0, of: file) }
  }
}
