package import AppStoreReports
package import SubscriptionModel

/// The kinds of reports and answers: the first table of FETCH.md.
package enum FetchKind: String, CaseIterable, Sendable, Comparable {
  case sales, subscription
  case subscriptionEvent = "subscription-event"
  case subscriber
  case winBack = "win-back"
  case offerRedemption = "offer-redemption"
  case financial
  case financeDetail = "finance-detail"
  case notifications, history

  /// The kinds without a setting; ``notifications`` joins them where there is an In-App Purchase key.
  package static let usual: [FetchKind] = [
    .sales, .subscription, .subscriptionEvent, .subscriber, .financial, .financeDetail,
  ]

  /// The service of Apple that answers, each with a role of its own.
  package enum Service: String, Sendable {
    case sales, finance, server
  }

  package var service: Service {
    switch self {
    case .financial, .financeDetail: .finance
    case .notifications, .history: .server
    default: .sales
    }
  }

  /// The kind of the file; `nil` for answers of the Server API.
  package var report: ReportKind? { ReportKind(rawValue: rawValue) }

  /// Apple's name, for messages.
  package var displayName: String { report?.displayName ?? rawValue }

  /// Apple's words for the report in a request.
  var reportType: (type: String, subType: String) {
    switch self {
    case .sales: ("SALES", "SUMMARY")
    case .subscription: ("SUBSCRIPTION", "SUMMARY")
    case .subscriptionEvent: ("SUBSCRIPTION_EVENT", "SUMMARY")
    case .subscriber: ("SUBSCRIBER", "DETAILED")
    case .winBack: ("WIN_BACK_ELIGIBILITY", "SUMMARY")
    case .offerRedemption: ("SUBSCRIPTION_OFFER_CODE_REDEMPTION", "SUMMARY")
    case .financial: ("FINANCIAL", "ZZ")
    case .financeDetail: ("FINANCE_DETAIL", "Z1")
    case .notifications, .history: ("", "")
    }
  }

  /// The versions to ask for, the first first, until Apple has named one.
  var versions: [String] {
    switch self {
    case .sales: ["1_1", "1_0"]
    case .subscription, .subscriptionEvent, .subscriber: ["1_4", "1_3"]
    default: ["1_0"]
    }
  }

  var folder: String { service == .finance ? "finance" : rawValue }

  package static func < (left: FetchKind, right: FetchKind) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }
}

/// The day or the fiscal period of a report.
package enum FetchSlot: Hashable, Comparable, Sendable, CustomStringConvertible {
  case day(Day)
  case period(FiscalPeriod)

  package init?(_ text: String) {
    if let day = Day(text) {
      self = .day(day)
    } else if let period = FiscalPeriod(text) {
      self = .period(period)
    } else {
      return nil
    }
  }

  /// Such as `2026-01-15` or `FY2026-P05`.
  package var description: String {
    switch self {
    case .day(let day): day.description
    case .period(let period): period.description
    }
  }

  package var lastDay: Day {
    switch self {
    case .day(let day): day
    case .period(let period): period.lastDay
    }
  }
}

/// A report of a vendor, or a day of an app.
package struct FetchKey: Hashable, Sendable {
  package let kind: FetchKind
  /// The vendor number; for the Server API the bundle id.
  package let vendor: String
  package let slot: FetchSlot

  package init(_ kind: FetchKind, _ vendor: String, _ slot: FetchSlot) {
    (self.kind, self.vendor, self.slot) = (kind, vendor, slot)
  }

  /// Such as `SUBSCRIBER 2026-11-20`.
  package var name: String { "\(kind.displayName) \(slot)" }
}

/// The state of a report: FETCH.md, *Answers of App Store Connect*.
package enum FetchState: String, CaseIterable, Sendable {
  case present, none, pending, missing, gone, refused
}

/// What the index says about a report.
package struct FetchRecord: Equatable, Sendable {
  package var state: FetchState
  /// When it was last asked, in milliseconds since 1970; 0 for an adopted file.
  package var asked: Int64 = 0
  /// The age in days at the last answer with a report or with Apple's words that there is none; -1 without one.
  package var answeredAge = -1
  /// The path below the archive; blank without a file.
  package var file = ""
  package var version = ""
  package var fingerprint = Fingerprint()
  /// How many earlier answers are in `replaced/`.
  package var restated = 0
  /// Apple's words of the last answer without a report.
  package var words = ""
  /// Apple's number of that answer, which its support asks for.
  package var correlation = ""
  /// Whether Apple refused the vendor number for this kind alone, which is its habit where there are no data.
  package var isOfUnusedKind = false
  /// Whether Apple has not made it although it should be there: of a missing day, or one in words that are not known.
  package var isLate = false

  package init(_ state: FetchState) { self.state = state }

  /// Apple's words about a pending day, where they are not known; `nil` for any other.
  var unknownWords: String? {
    state == .pending && Verdict.absence(words.lowercased()) == .unknownWords ? words : nil
  }
}

/// Hashes of a file's bytes and of its text.
package struct Fingerprint: Equatable, Sendable {
  /// The number of stored bytes.
  package var size = 0
  /// SHA-256 of the stored bytes, in hexadecimal digits.
  package var bytes = ""
  /// SHA-256 of the text after decompression.
  package var text = ""
  /// The sum of the hashes of all lines: equal for the same lines in any order.
  package var lines = ""

  package init() {}
}
