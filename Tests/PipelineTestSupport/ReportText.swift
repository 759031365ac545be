/// The text of a report file, from cells by the names of their columns.
package struct ReportText {
  package let columns: [String]
  /// What a row has where it does not say otherwise.
  package var usual: [String: String]
  package var rows: [[String: String]] = []

  package init(columns: [String], usual: [String: String]) {
    self.columns = columns
    self.usual = usual
  }

  /// Returns the report with rows that differ from the usual one as said.
  package func with(_ rows: [String: String]...) -> ReportText {
    var report = self
    report.rows += rows
    return report
  }

  package var text: String {
    let lines = rows.map { row in
      columns.map { row[$0] ?? usual[$0] ?? "" }.joined(separator: "\t")
    }
    return ([columns.joined(separator: "\t")] + lines).map { $0 + "\n" }.joined()
  }

  package var bytes: [UInt8] { Array(text.utf8) }

  /// A SUBSCRIBER report whose usual row is a monthly charge of 9.99 USD on 5 January 2026.
  package static let subscriber = ReportText(
    columns: split(
      """
      Event Date · App Name · App Apple ID · Subscription Name · Subscription Apple ID · \
      Subscription Group ID · Standard Subscription Duration · Subscription Offer Name · \
      Promotional Offer ID · Subscription Offer Type · Subscription Offer Duration · \
      Marketing Opt-In Duration · Customer Price · Customer Currency · Developer Proceeds · \
      Proceeds Currency · Preserved Pricing · Proceeds Reason · Client · Device · Country · \
      Subscriber ID · Subscriber ID Reset · Refund · Purchase Date · Units
      """),
    usual: [
      "Event Date": "2026-01-05", "App Name": "Larkspur", "App Apple ID": "1450000101",
      "Subscription Name": "Monthly", "Subscription Apple ID": "1460000001",
      "Subscription Group ID": "20450101", "Standard Subscription Duration": "1 Month",
      "Customer Price": "9.99", "Customer Currency": "USD", "Developer Proceeds": "6.99",
      "Proceeds Currency": "USD", "Device": "iPhone", "Country": "US",
      "Subscriber ID": "700000000000000001", "Units": "1",
    ])

  /// A SUBSCRIPTION_EVENT report whose usual row is one first renewal on 5 January 2026.
  package static let event = ReportText(
    columns: split(
      """
      Event Date · Event · App Name · App Apple ID · Subscription Name · Subscription Apple ID · \
      Subscription Group ID · Standard Subscription Duration · Subscription Offer Type · \
      Subscription Offer Duration · Marketing Opt-In · Marketing Opt-In Duration · \
      Preserved Pricing · Proceeds Reason · Subscription Offer Name · Promotional Offer ID · \
      Consecutive Paid Periods · Original Start Date · Device · Client · State · Country · \
      Previous Subscription Name · Previous Subscription Apple ID · Days Before Canceling · \
      Cancellation Reason · Days Canceled · Quantity · Paid Service Days Recovered
      """),
    usual: [
      "Event Date": "2026-01-05", "Event": "Renew", "App Name": "Larkspur",
      "App Apple ID": "1450000101", "Subscription Name": "Monthly",
      "Subscription Apple ID": "1460000001", "Subscription Group ID": "20450101",
      "Standard Subscription Duration": "1 Month", "Consecutive Paid Periods": "2",
      "Original Start Date": "2025-12-05", "Device": "iPhone", "Country": "US", "Quantity": "1",
    ])

  /// A SUBSCRIPTION report whose usual row is ten active subscriptions.
  package static let snapshot = ReportText(
    columns: split(
      """
      App Name · App Apple ID · Subscription Name · Subscription Apple ID · \
      Subscription Group ID · Standard Subscription Duration · Subscription Offer Name · \
      Promotional Offer ID · Customer Price · Customer Currency · Developer Proceeds · \
      Proceeds Currency · Preserved Pricing · Proceeds Reason · Client · Device · State · \
      Country · Active Standard Price Subscriptions · \
      Active Free Trial Introductory Offer Subscriptions · \
      Active Pay Up Front Introductory Offer Subscriptions · \
      Active Pay As You Go Introductory Offer Subscriptions · \
      Free Trial Promotional Offer Subscriptions · Pay Up Front Promotional Offer Subscriptions · \
      Pay As You Go Promotional Offer Subscriptions · Free Trial Offer Code Subscriptions · \
      Pay Up Front Offer Code Subscriptions · Pay As You Go Offer Code Subscriptions · \
      Marketing Opt-Ins · Billing Retry · Grace Period · Subscribers · \
      Free Trial Win-back Offers · Pay Up Front Win-back Offers · Pay As You Go Win-back Offers
      """),
    usual: [
      "App Name": "Larkspur", "App Apple ID": "1450000101", "Subscription Name": "Monthly",
      "Subscription Apple ID": "1460000001", "Subscription Group ID": "20450101",
      "Standard Subscription Duration": "1 Month", "Customer Price": "9.99",
      "Customer Currency": "USD", "Developer Proceeds": "6.99", "Proceeds Currency": "USD",
      "Device": "iPhone", "Country": "US", "Active Standard Price Subscriptions": "10",
    ])

  /// A SALES report whose usual row is three subscriptions sold on 5 January 2026.
  package static let sales = ReportText(
    columns: split(
      """
      Provider · Provider Country · SKU · Developer · Title · Version · \
      Product Type Identifier · Units · Developer Proceeds · Begin Date · End Date · \
      Customer Currency · Country Code · Currency of Proceeds · Apple Identifier · \
      Customer Price · Promo Code · Parent Identifier · Subscription · Period · Category · CMB · \
      Device · Supported Platforms · Proceeds Reason · Preserved Pricing · Client · Order Type
      """),
    usual: [
      "Provider": "APPLE", "Provider Country": "US", "SKU": "monthly", "Developer": "LARKSPUR",
      "Title": "Monthly", "Product Type Identifier": "IAY", "Units": "3",
      "Developer Proceeds": "6.99", "Begin Date": "01/05/2026", "End Date": "01/05/2026",
      "Customer Currency": "USD", "Country Code": "US", "Currency of Proceeds": "USD",
      "Apple Identifier": "1460000001", "Customer Price": "9.99", "Device": "iPhone",
    ])

  /// A report that no table uses.
  package static let offerRedemption = ReportText(
    columns: split(
      """
      Date · App Name · App Apple ID · Subscription Name · Subscription Apple ID · \
      Offer Reference Name · Offer Code · Territory · Redemptions
      """),
    usual: ["Date": "2026-01-05", "Redemptions": "1"])

  private static func split(_ names: String) -> [String] {
    names.split(separator: " · ").map(String.init)
  }
}

/// The name Apple gives a SUBSCRIBER report of a day of January 2026.
package func subscriberName(_ day: Int, vendor: String = "80012345") -> String {
  "Subscriber_\(vendor)_202601\(day < 10 ? "0" : "")\(day)_V1_3.txt"
}
