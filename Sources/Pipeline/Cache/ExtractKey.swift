import AppStoreReports
import SubscriptionModel

/// What an extract depends on: the bytes of its file, and everything else that decides what is read of them.
struct ExtractKey: Hashable {
  /// The SHA-256 of the file's bytes as stored.
  let sha256: String
  /// How the file is read, such as `subscriber` or `sales-daily-all-until-2026-09-30`.
  let reading: String

  /// The name of the entry.
  var name: String { sha256 + "-" + reading }
  /// The name of the entry of its charges.
  var chargesName: String { name + "-charges" }

  init(_ sha256: String, _ scouted: ScoutedFile, _ context: ReadContext) {
    self.sha256 = sha256
    guard scouted.isToBeUsed else {
      reading = "counted"
      return
    }
    var words = [scouted.kind.rawValue.lowercased()]
    // Events are counted by month.
    if scouted.kind == .subscriptionEvent, context.plan.monthSystem == .fiscal {
      words.append("fiscal")
    }
    if scouted.kind == .sales {
      words.append(scouted.frequency == .daily ? "daily" : "other")
      if context.readsFinance { words.append("all") }
    }
    if let cutoff = scouted.source.flatMap({ context.cutoff[$0] }) {
      words += ["until", cutoff.description]
    }
    reading = words.joined(separator: "-")
  }
}
