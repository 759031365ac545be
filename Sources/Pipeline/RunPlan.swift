import Metrics
public import SubscriptionModel

/// What a run reads and counts; the same plan on the same files gives the same result.
public struct RunPlan: Sendable {
  /// Only these values count; an empty list admits all.
  ///
  /// Products and apps go by id or by name.
  public struct Filters: Equatable, Sendable {
    /// App Apple IDs or names.
    public var apps: [String] = []
    /// Subscription group ids.
    public var groups: [String] = []
    /// Product Apple IDs or names.
    public var products: [String] = []
    /// 2-letter storefront codes.
    public var countries: [String] = []
    /// `upfront`, `commitment` or `unknown`.
    public var billingPlans: [String] = []
    /// `yes`, `no` or `unknown`.
    public var contingent: [String] = []
    /// Vendor numbers, as file names have them.
    public var vendors: [String] = []

    /// Whether a product or an app is named by something that is no id.
    var isByName: Bool {
      (apps + products).contains { !$0.allSatisfy(\.isASCIIDigit) }
    }

    /// Whether there is no filter.
    var isEmpty: Bool { !isByRow && vendors.isEmpty }

    /// Whether only some rows of a file count: what Apple settles cannot be split like that.
    var isByRow: Bool {
      !(apps.isEmpty && groups.isEmpty && products.isEmpty && countries.isEmpty
        && billingPlans.isEmpty && contingent.isEmpty)
    }

    /// Drops all filters but those by vendor, which select whole files.
    public mutating func keepVendorsOnly() {
      let vendors = vendors
      self = Filters()
      self.vendors = vendors
    }

    /// Creates filters that admit everything.
    public init() {}
  }

  /// Files and folders; `-` is standard input.
  public var inputs: [String]
  /// The dimensions of each view; an empty list is the whole population.
  public var views: [[Dimension]]
  /// The sources to use.
  public var sources: Set<Source>
  /// Which rows count.
  public var filters = Filters()
  /// The filters as the user wrote them, where names have become ids since.
  var givenFilters: Filters?
  /// Whether to collect what values rows have, to compare filters with.
  var collectsValues = false
  /// The day after which rows are ignored; `nil` takes all.
  public var asOf: Day?
  /// What a month of the tables is.
  public var monthSystem = MonthSystem.calendar
  /// Whether finance files are read, and SALES rows of every product type beside them.
  public var readsFinance = true
  /// Apple's regions, or the user's own list of them.
  public var financeRegions = FinanceRegions.apple
  /// Which shares of a price Apple pays: the shipped table, with the user's rows.
  public var commissions = Commissions.shipped
  /// How receipts are read.
  public var receipts = ReceiptPlan()
  /// How products of one year are paid, by name or id: `[plans]` of the config file.
  public var billingPlans: [String: BillingPlanRule] = [:]
  /// What to find out about changes of prices; `nil` for nothing.
  public var prices: PricePlan?
  /// How many threads read and count at once.
  public var jobs: Int
  /// A folder that is not read even if it lies inside an input: the output of the run.
  public var excludedFolder: String?
  /// What earlier runs have left; `nil` when all files are to be read and counted.
  package var earlierRuns: (any EarlierRuns)?
  /// How much memory charges may take; `nil` for no limit.
  public var memory: MemoryLimit?

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - inputs: Files and folders.
  ///   - views: The dimensions of each view.
  ///   - sources: The sources to use.
  ///   - jobs: How many threads, at least 1.
  public init(
    inputs: [String], views: [[Dimension]], sources: Set<Source> = Set(Source.allCases),
    jobs: Int = 1
  ) {
    precondition(jobs >= 1, "a run needs a thread")
    self.inputs = inputs
    self.views = views
    self.sources = sources
    self.jobs = jobs
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
