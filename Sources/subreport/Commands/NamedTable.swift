import Tables

/// A table with a command of its own.
protocol NamedTable {
  /// The options that choose the months to show.
  associatedtype Months: MonthChoice = MonthOptions
  static var kind: TableKind { get }
  /// The table's subject, in one line.
  static var abstract: String { get }
  static var examples: [HelpExample] { get }
}

enum Churn: NamedTable {
  static let kind = TableKind.churn
  static let abstract = "Who left: churned subscriptions of a month against those active before it."
  static let examples = [
    HelpExample("Who left in the last complete month?", "churn reports --month last"),
    HelpExample(
      "By country, the last six months, as CSV:", "churn reports --by country --last 6 -f csv"),
  ]
}

enum Renewals: NamedTable {
  static let kind = TableKind.renewals
  static let abstract = "What became of the periods that were due to renew."
  static let examples = [
    HelpExample("How many renewed in the last complete month?", "renewals reports --month last"),
    HelpExample("By product, as Markdown:", "renewals reports --by product --month last -f md"),
  ]
}

enum Lapses: NamedTable {
  static let kind = TableKind.lapses
  static let abstract = "Paid periods that nothing followed, and how many came back."
  static let examples = [
    HelpExample("How many stopped, and how many came back?", "lapses reports --all-months"),
    HelpExample(
      "Those who began with an offer, in one month:", "lapses reports --by offer --month 2026-06"),
  ]
}

enum Refunds: NamedTable {
  static let kind = TableKind.refunds
  static let abstract =
    "Refunds and the money given back, by the month of the sale and of the refund."
  static let examples = [
    HelpExample("What was given back in the last complete month?", "refunds reports --month last"),
    HelpExample("By product, of all months:", "refunds reports --by product --all-months"),
  ]
}

enum Retention: NamedTable {
  static let kind = TableKind.retention
  static let abstract = "How many are kept through their first k paid periods."
  static let examples = [
    HelpExample("How many are kept, period by period?", "retention reports"),
    HelpExample(
      "By the month in which they began, as CSV:", "retention reports --by start_month -f csv"),
  ]

  typealias Months = StartMonthOptions
}

enum Movement: NamedTable {
  static let kind = TableKind.movement
  static let abstract = "Everyone who came and went between the beginning and the end of a month."
  static let examples = [
    HelpExample(
      "Who came and who went in the last complete month?", "movement reports --month last"),
    HelpExample("By country, since June:", "movement reports --by country --from 2026-06"),
  ]
}

enum Proceeds: NamedTable {
  static let kind = TableKind.proceeds
  static let abstract = "Prices and proceeds per currency, with refunds."
  static let examples = [
    HelpExample("What came in during the last complete month?", "proceeds reports --month last"),
    HelpExample(
      "Of one product, in two countries:",
      "proceeds reports --product 'Pro Monthly' --country US --country DE"),
  ]
}

enum Trials: NamedTable {
  static let kind = TableKind.trials
  static let abstract = "Free trials, and how many were paid for afterwards."
  static let examples = [
    HelpExample("How many trials were paid for afterwards?", "trials reports --all-months"),
    HelpExample("By product, in one month:", "trials reports --by product --month 2026-06"),
  ]
}

enum Commitments: NamedTable {
  static let kind = TableKind.commitments
  static let abstract =
    "Monthly instalments that were due, paid and missed, and what customers still owe."
  static let examples = [
    HelpExample(
      "Which instalments were paid, and what is owed?", "commitments reports --month last"),
    HelpExample(
      "By country, of all months, as CSV:", "commitments reports --by country --all-months -f csv"),
  ]
}

enum Recurring: NamedTable {
  static let kind = TableKind.recurring
  static let abstract = "Monthly recurring revenue, and what made it grow and shrink."
  static let examples = [
    HelpExample("What is our MRR, and what changed it?", "recurring reports --month last"),
    HelpExample(
      "What the developer gets, by product:", "recurring reports --by product --basis proceeds"),
  ]

  typealias Months = BasisOptions<MonthOptions>
}

enum Lifetimes: NamedTable {
  static let kind = TableKind.lifetime
  static let abstract = "What a started subscription has brought after so many months."
  static let examples = [
    HelpExample("What has a subscription brought, month by month?", "lifetime reports"),
    HelpExample("By product, as CSV:", "lifetime reports --by product -f csv"),
  ]

  typealias Months = BasisOptions<StartMonthOptions>
}

enum Status: NamedTable {
  static let kind = TableKind.status
  static let abstract = "Who is paid, free, in a grace period or in billing retry at a month's end."
  static let examples = [
    HelpExample(
      "How many are paid, and how many wait for a payment?", "status reports --month last"),
    HelpExample(
      "By product, of all months, as CSV:", "status reports --by product --all-months -f csv"),
  ]
}

enum OtherDefinitions: NamedTable {
  static let kind = TableKind.definitions
  static let abstract = "Our numbers as other tools define them, and the steps from ours to theirs."
  static let examples = [
    HelpExample(
      "Why does RevenueCat show another churn rate?",
      "definitions reports --measure churn_rate --like revenuecat"),
    HelpExample(
      "MRR by each tool's definition, as CSV:", "definitions reports --measure mrr -f csv"),
  ]

  typealias Months = DefinitionOptions
}
