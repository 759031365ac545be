import AppStoreReports
package import Pipeline
import Rendering
import Scanning
import Storage
package import SubscriptionModel
package import Tables

/// A message that a run found no usable input: the input needed, and the files found.
package struct NeededInput: Sendable {
  /// The input needed, in words such as `Subscriber reports`.
  private let needed: [String]
  private let isNeeded: @Sendable (FileReport) -> Bool
  /// The kinds of report that are of use together only.
  private let together: [ReportKind]
  /// Whether it is the input of a table, in place of which another table may do.
  private var isOfTable = false

  /// Creates the input that a table needs: any of its sources.
  package init(_ kind: TableKind) {
    self.init(
      Definition.definition(of: kind).sources, hasStock: kind == .churn || kind == .movement)
    isOfTable = true
  }

  /// Creates the input that numbers of some sources need; with `hasStock` events are not enough without snapshots.
  package init(_ sources: [Source], hasStock: Bool = false) {
    let order: [Source] = [.subscribers, .events, .sales, .receipts]
    needed = order.filter(sources.contains).map { source in
      switch source {
      case .subscribers: "Subscriber reports"
      case .events:
        "Subscription Event \(hasStock ? "with Subscription " : "")reports"
      case .sales: "Sales reports"
      case .receipts: "receipts"
      }
    }
    let ofEvents: [ReportKind] =
      hasStock ? [.subscriptionEvent, .subscription] : [.subscriptionEvent]
    together = sources.contains(.events) ? ofEvents : []
    isNeeded = { file in
      let source = file.isReceiptDump ? .receipts : file.kind.source
      return source.map(sources.contains) ?? false
    }
  }

  /// The input that reconciliation needs.
  package static let finance = NeededInput(
    needed: ["FINANCIAL or FINANCE_DETAIL reports", "payments files"], isNeeded: \.kind.isFinance)

  private init(needed: [String], isNeeded: @escaping @Sendable (FileReport) -> Bool) {
    self.needed = needed
    self.isNeeded = isNeeded
    together = []
  }

  /// A kind of file that the sentence counts.
  private struct Group: Hashable {
    /// The noun for one such file.
    var noun: String
    /// The words after the noun, such as ` of receipts`.
    var rest = ""
  }

  /// Returns the sentence: `churn needs Subscriber reports, or receipts; found 273 SALES reports`.
  package func sentence(_ command: String, _ result: RunResult) -> String {
    let missing = missing(result)
    let groups = result.files.map { group($0, isHalf: !missing.isEmpty) }
    let counts = groups.reduce(into: [Group: Int]()) { $0[$1, default: 0] += 1 }
    let found = groups.unique.map { counted(counts[$0] ?? 0, $0.noun) + $0.rest }
    let places = result.plan.inputs.prefix(3).joined(separator: ", ")
    let listed = found.isEmpty ? "no file in \(places)" : found.joined(separator: ", ")
    let until = result.plan.asOf.map { " up to \($0)" } ?? ""
    return
      "\(command) needs \(needed.joined(separator: ", or "))\(until); found \(listed)\(missing)\(other(result))"
  }

  /// Returns the command that Sales reports are enough for, if there are some and the needed input is another one.
  private func other(_ result: RunResult) -> String {
    let hasSales = result.files.contains { $0.kind == .sales && $0.isUsed && !isNeeded($0) }
    return isOfTable && hasSales ? "; Sales reports are enough for subreport proceeds" : ""
  }

  /// Returns which of the kinds that are of use together was not found; blank if all or none was.
  private func missing(_ result: RunResult) -> String {
    let found = Set(result.files.map(\.kind))
    let isOfEvents = found.contains(.subscription) || found.contains(.subscriptionEvent)
    let lacking = together.filter { !found.contains($0) }
    guard isOfEvents, let kind = lacking.first else { return "" }
    return "; the \(kind.displayName) reports of the same days are missing"
  }

  /// Returns the kind of a file, and why it is not used if it is needed input.
  ///
  /// With `isHalf` the sentence says elsewhere which reports are missing beside those of events.
  private func group(_ file: FileReport, isHalf: Bool) -> Group {
    var group =
      switch file.kind {
      case _ where file.cannotBeOpened: Group(noun: "file", rest: " that cannot be opened")
      case _ where file.isReceiptDump: Group(noun: "dump", rest: " of receipts")
      case .unknown where file.foreign?.isArchive == true:
        Group(noun: "archive", rest: " to unpack")
      case .unknown: Group(noun: "file", rest: " of no known kind")
      case .appleError: Group(noun: "error answer", rest: " of Apple")
      default: Group(noun: "\(file.kind.displayName) report")
      }
    guard isNeeded(file) else { return group }
    let reasons = file.rows.ignored.keys.map(\.rawValue)
      .sorted { $0.precedes($1) }
    if file.problem != nil {
      group.rest += " that cannot be used"
    } else if !isHalf || file.kind.source != .events || !reasons.isEmpty {
      group.rest += reasons.first.map { " left aside (\($0))" } ?? " without rows to use"
    }
    return group
  }
}
