package import Storage
package import SubscriptionModel
import Tables

/// The inputs and options of a run; the same plan on the same files gives the same result.
package struct RunPlan: Sendable {
  /// The values that count; an empty list accepts all.
  ///
  /// Products and apps are given by id or by name.
  package struct Filters: Equatable, Sendable {
    /// App Apple IDs or names.
    package var apps: [String] = []
    /// Subscription group ids.
    package var groups: [String] = []
    /// Product Apple IDs or names.
    package var products: [String] = []
    /// 2-letter storefront codes.
    package var countries: [String] = []
    /// `upfront`, `commitment` or `unknown`.
    package var billingPlans: [String] = []
    /// `yes`, `no` or `unknown`.
    package var contingent: [String] = []
    /// Vendor numbers, as file names have them.
    package var vendors: [String] = []

    /// Whether a product or an app is given by a text that is no id.
    package var isByName: Bool {
      (apps + products).contains { !$0.allSatisfy(\.isASCIIDigit) }
    }

    /// Returns whether a file of a vendor does not count; `false` for a blank vendor.
    package func excludesVendor(_ vendor: String) -> Bool {
      !vendor.isEmpty && !vendors.isEmpty && !vendors.contains(vendor)
    }

    /// Whether there is no filter.
    package var isEmpty: Bool { !isByRow && vendors.isEmpty }

    /// Whether only some rows of a file count, which excludes settlements: they cannot be split by row.
    package var isByRow: Bool { !byRow.isEmpty }

    /// The filters by row that are set, each with its name in messages.
    package var byRow: [(dimension: Dimension, name: String, values: [String])] {
      let all: [(dimension: Dimension, name: String, values: [String])] = [
        (.app, "app", apps), (.group, "group", groups), (.product, "product", products),
        (.country, "country", countries), (.plan, "billing plan", billingPlans),
        (.contingent, "contingent", contingent),
      ]
      return all.filter { !$0.values.isEmpty }
    }

    /// Drops all filters except by vendor, which select whole files.
    package mutating func keepVendorsOnly() {
      let vendors = vendors
      self = Filters()
      self.vendors = vendors
    }

    /// Creates filters that accept everything.
    package init() {}
  }

  /// Files and folders; `-` is standard input.
  package var inputs: [String]
  /// The paths of the files to read, of those in the inputs; `nil` for all.
  package var onlyFiles: Set<ExactText>?
  /// The dimensions of each view; an empty list is the whole population.
  package var views: [[Dimension]]
  /// The dimensions of further views, in which only `retention` is counted.
  package var retentionViews: [[Dimension]] = []
  /// The views of ``views`` that only `recurring`, `lifetime`, `status` and `retention` show.
  package var moneyViews: Set<[Dimension]> = []
  /// Whether the view `app` is left out where the data have only one app.
  package var omitsViewOfOneApp = false
  package var sources: Set<Source>
  /// The source that headlines prefer; `nil` for the one that the kinds of report decide.
  package var primary: Source?
  /// The title of the page; `nil` for the names of the apps.
  package var title: String?
  /// The filters that decide which rows count.
  package var filters = Filters()
  /// The filters as the user wrote them, before names were replaced by ids.
  var givenFilters: Filters?
  /// The inputs and options as the user gave them, for commands on pages; `nil` for a plan without a command line.
  package var given: GivenOptions?
  /// Whether to collect the values of rows, to check filters.
  var collectsValues = false
  /// The day after which rows are ignored; `nil` for no limit.
  package var asOf: Day?
  /// The faults of the input that give no message and no exit code.
  package var accepted = AcceptedFaults()
  /// The days of the inputs that are archives of `fetch`; found when the inputs are listed.
  package internal(set) var fetched = FetchedDays()
  /// The day that every daily kind of report must reach; `nil` for none.
  package var through: Day?
  /// The month system of the tables: calendar or fiscal.
  package var monthSystem = MonthSystem.calendar
  /// Whether to read finance files, and SALES rows of all product types beside them.
  package var readsFinance = true
  /// Apple's regions, or the user's own list.
  package var financeRegions = FinanceRegions.apple
  /// The shares of a price that Apple pays: the shipped table, with the user's rows.
  package var commissions = Commissions.shipped
  package var receipts = ReceiptPlan()
  /// The billing plans of one-year products, by name or id: `[plans]` of the config file.
  package var billingPlans: [ExactText: BillingPlanRule] = [:]
  /// Whether tables of recurring revenue are made: METRICS.md section 11.
  package var countsMoney = true
  /// Whether, if so, the definitions of other tools are counted too.
  package var countsOthers = true
  /// The price analyses to make; `nil` for none.
  package var prices: PricePlan?
  /// Whether the charges of SUBSCRIBER reports are kept after the run, to explain its tables.
  package var keepsCharges = false
  /// Whether the customers of receipts are kept after the run, to explain its tables.
  package var keepsReceipts = false
  /// Whether the context for reading rows of other reports again is kept after the run, to explain its tables.
  package var keepsContext = false
  package var jobs: Int
  /// A folder that is excluded even inside an input: the output of the run.
  package var excludedFolder: String?
  /// The results of earlier runs; `nil` to read and count all files.
  package var earlierRuns: (any EarlierRuns)?
  /// The limit for the memory of charges; `nil` for no limit.
  package var memory: MemoryLimit?

  /// Creates a plan with at least one thread.
  package init(
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

/// Retention of the subscriptions that began in some months.
extension RunPlan {
  /// Adds to each view a view of `retention` with the start month too, from which its rows of some start months are
  /// added up.
  package mutating func addStartMonths() {
    for view in views where !view.contains(.startMonth) {
      let wanted = [Dimension.startMonth] + view
      if !views.contains(where: { Set($0) == Set(wanted) }) { retentionViews.append(wanted) }
    }
  }
}

extension RunResult {
  /// The last calendar month that is over in every source of `retention`; `nil` without a source.
  ///
  /// Start months are calendar months in fiscal runs too.
  package var lastStartMonth: Month? {
    lastCompleteMonth(for: .retention).map { month in
      (plan.monthSystem.lastDay(of: month) + 1).month - 1
    }
  }
}

/// The inputs and options of a run as the user gave them, from which pages make the commands that print their numbers.
package struct GivenOptions: Equatable, Sendable {
  /// An option that numbers depend on.
  package struct Option: Equatable, Sendable {
    /// The name on the command line, such as `--country`.
    package var name: String
    /// The values, each with the option before it; none for an option without a value.
    package var values: [String]
    /// The commands that know the option, such as `churn`.
    package var commands: Set<String>

    package init(_ name: String, _ values: [String], commands: Set<String>) {
      self.name = name
      self.values = values
      self.commands = commands
    }
  }

  /// Files and folders; of an absolute path only the last part.
  package var inputs: [String]
  /// The options, wherever they were set: on the command line, in the environment or in a config file.
  package var options: [Option]

  package init(inputs: [String], options: [Option]) {
    self.inputs = inputs
    self.options = options
  }
}
