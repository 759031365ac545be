import AppStoreReports
import Files
import Pages
import Pipeline
import Receipts
import SubscriptionModel

/// Everything that an extract depends on: the bytes of its file, and the settings that decide how they are read.
struct ExtractKey: Hashable {
  /// The SHA-256 of the file's stored bytes.
  ///
  /// If rows must be near the day in the file's name, it is a hash of that SHA-256, the day and the frequency.
  let sha256: String
  /// How the file is read, such as `subscriber`, `receipts-production` or `sales-daily-all`.
  ///
  /// `all` stands for sales of all types, not only subscriptions; `other` for reports that are not daily; `counted`
  /// for a file that is not used: only its rows are counted. As-of is part of it only if it cuts off some rows, as in
  /// `sales-other-until-2026-09-30`. Other entries hold the first and last day of their rows instead.
  let reading: String

  var name: String { sha256 + "-" + reading }
  var chargesName: String { name + Self.chargesEnding }
  static let chargesEnding = "-charges"
  /// The end of the name of an entry of a file that is not used.
  static let countedEnding = "-counted"

  /// Creates the key of a file, given the SHA-256 of its stored bytes; rows after `cutoff` are left out.
  init(
    _ sha256: String, _ recognized: RecognizedFile, _ context: ReadContext, until cutoff: Day? = nil
  ) {
    self.sha256 = recognized.dayThatRowsMustBeNear.map { Self.hash([sha256, $0]) } ?? sha256
    if recognized.isReceiptDump {
      let words = context.plan.receipts.reading + (recognized.isToBeUsed ? [] : ["counted"])
      reading = words.joined(separator: "-")
      return
    }
    guard recognized.isToBeUsed else {
      reading = "counted"
      return
    }
    var words = [recognized.kind.rawValue.lowercased()]
    if recognized.kind.isFinance {
      // The file's name gives region and month, and with its folders the vendor.
      words.append(
        Self.shortHash(
          of: [recognized.file.name, recognized.vendor] + context.plan.financeRegions.texts))
    }
    if recognized.kind == .sales {
      words.append(recognized.frequency == .daily ? "daily" : "other")
      if context.survey.readsFinance { words.append("all") }
    }
    if let cutoff { words += ["until", cutoff.description] }
    reading = words.joined(separator: "-")
  }

  /// Returns the hashes with which the names of a file's entries can begin, whatever the settings and other files are.
  static func hashes(of file: RecognizedFile, _ sha256: String) -> [String] {
    [sha256] + (file.dayThatRowsMustBeNear.map { [hash([sha256, $0])] } ?? [])
  }

  /// Returns half of the SHA-256 of texts: 32 hexadecimal digits.
  fileprivate static func shortHash(of texts: [String]) -> String { String(hash(texts).prefix(32)) }

  private static func hash(_ texts: [String]) -> String {
    // Prefix each text with its length, so that different lists never join to the same text.
    let text = texts.map { "\($0.utf8.count) \($0)" }.joined()
    return Pipeline.sha256(of: Array(text.utf8))
  }
}

extension RecognizedFile {
  /// The day in the file's name, with the frequency; `nil` if the file is not used, its rows may have any day,
  /// or its name has none.
  fileprivate var dayThatRowsMustBeNear: String? {
    guard isToBeUsed, [.subscriber, .subscriptionEvent, .sales].contains(kind) else { return nil }
    return name.date.map { "\($0) \(frequency?.rawValue ?? "")" }
  }
}

extension ReceiptPlan {
  /// The settings that decide how a dump is read.
  ///
  /// As-of is not among them, see ``CachedFiles/recallDump(_:_:)``. The time of the run is not either: certificates
  /// must have been valid when a receipt was signed. Groups, durations and identities are applied after reading.
  fileprivate var reading: [String] {
    var words = ["receipts", environment.rawValue]
    if let columns {
      let headers = columns.headers.sorted { $0.key.rawValue < $1.key.rawValue }
      let texts = headers.flatMap { [$0.rawValue, $1] }
      words += ["columns", ExtractKey.shortHash(of: texts)]
    }
    if let roots {
      words += ["verified", ExtractKey.shortHash(of: roots.encoded.map(hexadecimal))]
    }
    return words
  }
}

extension FinanceRegions {
  fileprivate var texts: [String] {
    all.flatMap { region -> [String] in
      var texts = [region.code, region.currency, region.validFrom?.description ?? ""]
      for list in [region.paymentsNames, region.countries] { texts += [String(list.count)] + list }
      return texts
    }
  }
}
