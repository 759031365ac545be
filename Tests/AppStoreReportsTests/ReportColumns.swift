/// The headers of the reports, version by version.
enum ReportColumns {
  static let subscriber11 = split(
    """
    Event Date · App Name · App Apple ID · Subscription Name · Subscription Apple ID · \
    Subscription Group ID · Subscription Duration · Introductory Price Type · \
    Introductory Price Duration · Marketing Opt-In Duration · Customer Price · Customer Currency · \
    Developer Proceeds · Proceeds Currency · Preserved Pricing · Proceeds Reason · Client · \
    Device · Country · Subscriber ID · Subscriber ID Reset · Refund · Purchase Date · Units
    """)
  static let subscriber12 = split(
    """
    Event Date · App Name · App Apple ID · Subscription Name · Subscription Apple ID · \
    Subscription Group ID · Standard Subscription Duration · Promotional Offer Name · \
    Promotional Offer ID · Subscription Offer Type · Subscription Offer Duration · \
    Marketing Opt-In Duration · Customer Price · Customer Currency · Developer Proceeds · \
    Proceeds Currency · Preserved Pricing · Proceeds Reason · Client · Device · Country · \
    Subscriber ID · Subscriber ID Reset · Refund · Purchase Date · Units
    """)
  static let subscriber13 = subscriber12.map {
    $0 == "Promotional Offer Name" ? "Subscription Offer Name" : $0
  }

  static let event10 = split(
    """
    Event Date · Event · App Name · App Apple ID · Subscription Name · Subscription Apple ID · \
    Subscription Group ID · Subscription Duration · Trial · Trial Duration · Marketing Opt-In · \
    Marketing Opt-In Duration · Preserved Pricing · Proceeds Reason · Consecutive Paid Periods · \
    Original Start Date · Client · Device · State · Country · Previous Subscription Name · \
    Previous Subscription Apple ID · Days Before Canceling · Cancellation Reason · Days Canceled · \
    Quantity
    """)
  static let event11 = event10.map {
    switch $0 {
    case "Trial": "Introductory Price Type"
    case "Trial Duration": "Introductory Price Duration"
    default: $0
    }
  }
  static let event12 = split(
    """
    Event Date · Event · App Name · App Apple ID · Subscription Name · Subscription Apple ID · \
    Subscription Group ID · Standard Subscription Duration · Promotional Offer Name · \
    Promotional Offer ID · Subscription Offer Type · Subscription Offer Duration · \
    Marketing Opt-In · Marketing Opt-In Duration · Preserved Pricing · Proceeds Reason · \
    Consecutive Paid Periods · Original Start Date · Client · Device · State · Country · \
    Previous Subscription Name · Previous Subscription Apple ID · Days Before Canceling · \
    Cancellation Reason · Days Canceled · Quantity
    """)
  static let event13 =
    event12.map { $0 == "Promotional Offer Name" ? "Subscription Offer Name" : $0 }
    + ["Paid Service Days Recovered"]

  private static let snapshotDescription = split(
    """
    App Name · App Apple ID · Subscription Name · Subscription Apple ID · Subscription Group ID · \
    Standard Subscription Duration · Promotional Offer Name · Promotional Offer ID · \
    Customer Price · Customer Currency · Developer Proceeds · Proceeds Currency · \
    Preserved Pricing · Proceeds Reason · Client · Device · State · Country
    """)
  static let snapshot10 =
    snapshotDescription.filter { !$0.hasPrefix("Promotional") }
    .map { $0 == "Standard Subscription Duration" ? "Subscription Duration" : $0 }
    + ["Active Subscriptions", "Active Free Trials", "Marketing Opt-Ins"]
  static let snapshot12 =
    snapshotDescription
    + split(
      """
      Active Standard Price Subscriptions · Active Free Trial Introductory Offer Subscriptions · \
      Active Pay Up Front Introductory Offer Subscriptions · \
      Active Pay As You Go Introductory Offer Subscriptions · \
      Free Trial Promotional Offer Subscriptions · Pay Up Front Promotional Offer Subscriptions · \
      Pay As You Go Promotional Offer Subscriptions · Marketing Opt-Ins · Billing Retry · \
      Grace Period
      """)
  static let snapshot13 =
    snapshot12.map { $0 == "Promotional Offer Name" ? "Subscription Offer Name" : $0 }
    + split(
      """
      Free Trial Offer Code Subscriptions · Pay Up Front Offer Code Subscriptions · \
      Pay As You Go Offer Code Subscriptions · Subscribers · Free Trial Win-back Offers · \
      Pay Up Front Win-back Offers · Pay As You Go Win-back Offers
      """)

  static let sales = split(
    """
    Provider · Provider Country · SKU · Developer · Title · Version · Product Type Identifier · \
    Units · Developer Proceeds · Begin Date · End Date · Customer Currency · Country Code · \
    Currency of Proceeds · Apple Identifier · Customer Price · Promo Code · Parent Identifier · \
    Subscription · Period · Category · CMB · Device · Supported Platforms · Proceeds Reason · \
    Preserved Pricing · Client · Order Type
    """)
  static let sales2014 = Array(sales.prefix(22))
  static let sales2010 = split(
    """
    Provider · Provider Country · Vendor Identifier · UPC · ISRC · Artist / Show · \
    Title / Episode / Season · Label/Studio/Network · Product Type Identifier · Units · \
    Royalty Price · Begin Date · End Date · Customer Currency · Country Code · Royalty Currency · \
    Preorder · Season Pass · ISAN · Apple Identifier · Customer Price · CMA · \
    Asset/Content Flavor · Vendor Offer Code · Grid · Promo Code · Parent Identifier
    """)

  static let offerRedemption = split(
    """
    Date · App Name · App Apple ID · Subscription Name · Subscription Apple ID · \
    Offer Reference Name · Offer Code · Territory · Redemptions
    """)
  static let winBack = split(
    """
    App Name · App Apple ID · Subscription Name · Subscription Apple ID · Subscription Group ID · \
    Standard Subscription Duration · Paid Subscription Tenure · Time Since Last Subscribed · \
    Has Previously Redeemed Win-Back Offer · Time Since Last Win-Back Offer · Territory · \
    Churned Subscription Count
    """)
  static let preOrder = split(
    """
    Provider · Provider Country · SKU · Developer · Title · Pre-Order Start Date · \
    Pre-Order End Date · Ordered · Canceled · Cumulative Ordered · Cumulative Canceled · \
    Start Date · End Date · Country Code · Apple Identifier · Device · Supported Platforms · \
    Category · Client
    """)
  static let newsstand = split(
    """
    Provider · Provider Country · SKU · Developer · Title · Version · Product Type Identifier · \
    Units · Developer Proceeds · Customer Currency · Country Code · Currency of Proceeds · \
    Apple Identifier · Customer Price · Promo Code · Parent Identifier · Subscription · Period · \
    Download Date (PST) · Customer Identifier · Report Date (Local) · Sales/Return · Category
    """)
  static let financial = split(
    """
    Start Date · End Date · UPC · ISRC/ISBN · Vendor Identifier · Quantity · Partner Share · \
    Extended Partner Share · Partner Share Currency · Sales or Return · Apple Identifier · \
    Artist/Show/Developer/Author · Title · Label/Studio/Network/Developer/Publisher · Grid · \
    Product Type Identifier · ISAN/Other Identifier · Country Of Sale · Pre-order Flag · \
    Promo Code · Customer Price · Customer Currency
    """)
  static let financeDetail = split(
    """
    Transaction Date · Settlement Date · Apple Identifier · SKU · Title · Developer Name · \
    Product Type Identifier · Country of Sale · Quantity · Partner Share · \
    Extended Partner Share · Partner Share Currency · Customer Price · Customer Currency · \
    Sale or Return · Promo Code · Order Type · Region
    """)
  static let installs = [
    "Developer", "App ID", "App Name", "Installs Above Threshold", "First Annual Installs",
  ]
  static let firstAnnual = [
    "Developer Name", "App Name", "Apple Identifier", "First Annual Installs",
  ]
  static let transactionTax = [
    "ISO Country Code", "Country/Territory", "State", "Tax Category", "Tax Type", "Currency",
    "Tax Exclusive Amount", "Tax Rate", "Taxes Paid", "# of Transactions",
  ]

  private static func split(_ names: String) -> [String] {
    names.split(separator: " · ").map(String.init)
  }
}
