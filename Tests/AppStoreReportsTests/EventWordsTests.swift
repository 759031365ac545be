import AppStoreReports
import Scanning
import SubscriptionModel
import Testing

/// Every event name that was seen or documented, under the class that METRICS.md section 4 gives it.
private let classes: [(expected: EventClass, names: [String])] = [
  (.refund, ["Refund", "refund"]),
  (
    .lapse,
    [
      "Cancel", "Canceled from Billing Retry", "Cancelled from Billing Retry",
      "Canceled from Billing Grace Period", "Canceled After Renewal Extension",
    ]
  ),
  (
    .retry,
    [
      "Billing Retry from Paid Subscription", "Billing Retry from Introductory Price",
      "Billing Retry from Introductory Offer", "Billing Retry from Offer Code with Crossgrade",
      "Billing Retry from Grace Period", "Billing retry From Billing Grace Period",
    ]
  ),
  (
    .grace, ["Grace Period from Paid Subscription", "Billing Grace Period from Introductory Offer"]
  ),
  (
    .reactivation,
    [
      "Reactivate", "Reactivate with Crossgrade", "Reactivate with Downgrade",
      "Reactivate with Upgrade", "Reactivate with Free Trial", "Reactivate with Introductory Price",
      "Reactivate to Introductory Price", "Reactivate to Introductory Offer",
      "Reactivate with Crossgrade to Introductory Price",
      "Reactivate with Downgrade to Introductory Offer",
      "Reactivate with Upgrade to Introductory Offer", "Reactivation to Promotional Offer",
    ]
  ),
  (
    .recovery,
    [
      "Renewal from Billing Retry", "Introductory Price from Billing Retry",
      "Introductory Offer from Billing Retry", "Introductory Price Crossgrade from Billing Retry",
      "Introductory Price Downgrade from Billing Retry",
      "Introductory Price Upgrade from Billing Retry", "Crossgrade from Billing Retry",
      "Downgrade from Billing Retry", "Upgrade from Billing Retry", "Downgrade from Grace Period",
      "Offer Code from Grace Period with Upgrade", "Renewal from Billing Grace Period",
    ]
  ),
  (
    .start,
    [
      "Start Introductory Offer", "Start Introductory Price", "Start Free Trial", "Subscribe",
      "Opt-In", "Start Offer Code", "START PROMOTIONAL OFFER",
    ]
  ),
  (
    .conversion,
    [
      "Paid Subscription from Introductory Offer", "Paid Subscription from Introductory Price",
      "Paid Subscription from Free Trial", "Paid Subscription from Opt-In",
      "Paid Subscription from Promotional Offer",
      "Paid Subscription from Win-Back Offer with Upgrade",
      "Paid Subscription from Win-back Offer", "Crossgrade From Introductory Offer",
      "Downgrade From Introductory Offer", "Upgrade from Introductory Offer",
      "Crossgrade from Introductory Price", "Downgrade from Free Trial", "Upgrade from Free Trial",
      "Crossgrade from Opt-In", "Downgrade from Opt-In", "Upgrade from Opt-In",
      "Crossgrade from Promotional Offer", "Upgrade from Offer Code",
    ]
  ),
  (.change, ["Upgrade", "Downgrade", "Crossgrade", "Upgrade from Paid Subscription"]),
  (
    .renewal,
    [
      "Renew", "renew", "Free Trial from Free Trial",
      "Introductory Price from Introductory Price", "Introductory Offer from Introductory Offer",
      "Introductory Price from Paid Subscription", "Promotional Offer from Win-Back Offer",
      "Offer Code from Paid Subscription", "Promotional Offer from Paid Subscription with Upgrade",
    ]
  ),
  (.unknown, ["Pause", "Renewal Extension", "Offer Code", "Paid Subscription", "Renewed"]),
]

private let reasons: [(words: String, reason: LapseReason)] = [
  ("Canceled", .voluntary), ("cancelled", .voluntary), ("Billing issue", .billing),
  ("Billing Issue", .billing), ("Price increase", .price), ("Price Increase Notice", .price),
  ("Price Increase Consent", .price), ("Removed from Sale", .removed),
  ("Removed From Sale", .removed), ("Other", .other), ("", .unknown), (" ", .unknown),
  ("Moon phase", .unknown),
]

/// An event row that a test can change.
let goodEvent = TestRow([
  "Event Date": "2026-10-05", "Event": "Renew", "App Name": "App", "App Apple ID": "1",
  "Subscription Name": "Monthly", "Subscription Apple ID": "2", "Subscription Group ID": "3",
  "Standard Subscription Duration": "1 Month", "Consecutive Paid Periods": "4",
  "Original Start Date": "2026-06-05", "Device": "iPhone", "Country": "US", "Quantity": "2",
])

/// Returns the terms of one event row.
func eventTerms(_ changes: [String: String]) throws -> (terms: EventTerms, symbols: [String]) {
  let columns = ReportColumns.event13
  let registries = Registries()
  let report = TestReport(columns: columns, rows: [goodEvent.with(changes).values(columns)])
  let row = try #require(report.events(registries).first?.used)
  return (registries.eventTerms[Int(row.terms)], registries.symbols.texts)
}

@Suite("Words of events")
struct EventWordsTests {
  @Test(arguments: classes)
  func `tell the class`(expected: EventClass, names: [String]) throws {
    for name in names {
      let (terms, symbols) = try eventTerms(["Event": name])
      #expect(terms.eventClass == expected, "\(name)")
      #expect(symbols[Int(terms.name)] == name)
    }
  }

  @Test(arguments: reasons)
  func `tell the reason of a lapse, and of nothing else`(words: String, reason: LapseReason) throws
  {
    let lapse = try eventTerms(["Event": "Cancel", "Cancellation Reason": words]).terms
    #expect(lapse.reason == reason)
    let renewal = try eventTerms(["Cancellation Reason": words]).terms
    #expect(renewal.reason == .unknown)
  }

  @Test
  func `tell a downgrade that takes effect at renewal`() throws {
    #expect(try eventTerms(["Event": "Downgrade"]).terms.isDowngrade)
    for name in ["Upgrade", "Downgrade from Introductory Offer", "Downgrade from Grace Period"] {
      #expect(try !eventTerms(["Event": name]).terms.isDowngrade, "\(name)")
    }
  }

  @Test
  func `tell a plain renewal`() throws {
    #expect(try eventTerms(["Event": "RENEW"]).terms.isPlainRenewal)
    for name in ["Renewal from Billing Retry", "Free Trial from Free Trial"] {
      #expect(try !eventTerms(["Event": name]).terms.isPlainRenewal, "\(name)")
    }
  }

  @Test
  func `tell what comes out of retry or grace`() throws {
    for name in [
      "Cancelled from Billing Retry", "Canceled from Billing Grace Period",
      "Canceled from Grace Period", "Billing Retry from Grace Period",
    ] {
      #expect(try eventTerms(["Event": name]).terms.isFromRetryOrGrace, "\(name)")
    }
    for name in ["Cancel", "Billing Retry from Paid Subscription", "Renewal from Billing Retry"] {
      #expect(try !eventTerms(["Event": name]).terms.isFromRetryOrGrace, "\(name)")
    }
  }
}
