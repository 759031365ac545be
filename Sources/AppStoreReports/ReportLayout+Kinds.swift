extension ReportLayout {
  /// All layouts; if two fit equally well, the first is used.
  static let all = [
    subscriber, subscriptionEvent, subscription, sales, offerRedemption, winBack, preOrder,
    newsstand, installs, firstAnnual, transactionTax, financial, financeDetail,
  ]

  private static let subscriber = ReportLayout(
    .subscriber,
    signature: [.subscriberID, .eventDate],
    needed: [
      .eventDate, .appAppleID, .subscriptionAppleID, .groupID, .standardDuration, .offerType,
      .offerDuration, .customerPrice, .customerCurrency, .developerProceeds, .preservedPricing,
      .proceedsReason, .country, .subscriberID, .subscriberIDReset, .refund, .purchaseDate, .units,
    ],
    usual: [.appName, .subscriptionName, .optInDuration, .proceedsCurrency, .client, .device],
    ofSomeVersions: [.offerName, .offerID, .contingentApp, .billingPlan, .billingPeriod])

  private static let subscriptionEvent = ReportLayout(
    .subscriptionEvent,
    signature: [.event, .paidPeriods],
    needed: [
      .eventDate, .event, .appAppleID, .subscriptionAppleID, .groupID, .standardDuration,
      .preservedPricing, .proceedsReason, .paidPeriods, .originalStartDate, .country,
      .previousAppleID, .cancellationReason, .quantity,
    ],
    usual: [.appName, .subscriptionName, .client, .device, .previousName],
    unused: unreadEventColumns.flatMap(\.names) + [
      "State", "Days Before Canceling", "Days Canceled", "Paid Service Days Recovered",
      Column.contingentApp.name,
    ])

  /// Columns of events that are not read, but are part of the description.
  ///
  /// They are between columns that are read, and have few different values, so with them the bytes
  /// of adjacent columns can be looked up as one piece.
  static let unreadEventColumns: [Column] = [
    .offerName, .offerID, .offerType, .offerDuration, .optIn, .optInDuration, .trial,
    .trialDuration,
  ]

  private static let subscription = ReportLayout(
    .subscription,
    signature: [.activeStandard, .subscriptionAppleID],
    needed: [
      .appAppleID, .subscriptionAppleID, .groupID, .standardDuration, .customerPrice,
      .customerCurrency, .preservedPricing, .proceedsReason, .country, .activeStandard,
    ],
    usual: [.appName, .subscriptionName, .client, .device],
    additions: [
      ReportLayout.Addition([.payUpFrontIntroductory, .payAsYouGoIntroductory]),
      ReportLayout.Addition(
        counts(of: "Promotional Offer Subscriptions"),
        besides: [
          Column("Active Free Trial Introductory Offer Subscriptions"), Column("Marketing Opt-Ins"),
          Column("Billing Retry"), Column("Grace Period"),
        ]),
      ReportLayout.Addition(counts(of: "Offer Code Subscriptions")),
      ReportLayout.Addition(counts(of: "Win-back Offers")),
    ],
    unused: unreadSnapshotColumns.flatMap(\.names) + [
      "State", "Active Free Trials", "Subscribers", Column.contingentApp.name,
    ])

  /// The columns of a kind of offer: free, paid up front, and paid as you go.
  private static func counts(of offers: String) -> [Column] {
    ["Free Trial", "Pay Up Front", "Pay As You Go"].map { Column("\($0) \(offers)") }
  }

  /// The unread columns in the description of ``subscription``: see ``unreadEventColumns``.
  static let unreadSnapshotColumns: [Column] = [
    .offerName, .offerID, .developerProceeds, .proceedsCurrency,
  ]

  private static let sales = ReportLayout(
    .sales,
    signature: [.productType, .developerProceeds, .beginDate],
    needed: [
      .productType, .units, .developerProceeds, .beginDate, .customerCurrency, .countryCode,
      .currencyOfProceeds, .appleIdentifier, .customerPrice,
    ],
    usual: [.sku, .title, .endDate],
    ofSomeVersions: [
      .parentIdentifier, .period, .proceedsReason, .preservedPricing, .client, .device,
      .contingentApp,
    ],
    unused: unreadSalesColumns.flatMap(\.names))

  /// The unread columns in the description of ``sales``: see ``unreadEventColumns``.
  static let unreadSalesColumns: [Column] = [
    "Provider", "Provider Country", "Developer", "Version", "Promo Code", "Subscription",
    "Category", "CMB", "Supported Platforms", "Order Type", "UPC", "ISRC", "Artist / Show",
    "Label/Studio/Network", "Preorder", "Season Pass", "ISAN", "CMA", "Asset/Content Flavor",
    "Vendor Offer Code", "Grid",
  ].map { Column($0) }
}

// MARK: - Reports that are not read

extension ReportLayout {
  private static let offerRedemption = ReportLayout(
    .offerRedemption,
    signature: [Column("Offer Reference Name"), Column("Redemptions")],
    unused: [
      "Date", "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID",
      "Offer Code", "Territory",
    ])

  private static let winBack = ReportLayout(
    .winBack,
    signature: [Column("Churned Subscription Count")],
    unused: [
      "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID",
      "Subscription Group ID", "Standard Subscription Duration", "Paid Subscription Tenure",
      "Time Since Last Subscribed", "Has Previously Redeemed Win-Back Offer",
      "Time Since Last Win-Back Offer", "Territory",
    ])

  private static let preOrder = ReportLayout(
    .preOrder,
    signature: [Column("Ordered"), Column("Cumulative Ordered")],
    unused: [
      "Provider", "Provider Country", "SKU", "Developer", "Title", "Pre-Order Start Date",
      "Pre-Order End Date", "Canceled", "Cumulative Canceled", "Start Date", "End Date",
      "Country Code", "Apple Identifier", "Device", "Supported Platforms", "Category", "Client",
    ])

  private static let newsstand = ReportLayout(
    .newsstand,
    signature: [
      Column("Product Type Identifier"), Column("Customer Identifier"),
      Column("Download Date (PST)", "Download Date"),
    ],
    unused: unreadSalesColumns.map(\.name) + [
      "SKU", "Title", "Units", "Developer Proceeds", "Begin Date", "End Date", "Customer Currency",
      "Country Code", "Currency of Proceeds", "Apple Identifier", "Customer Price",
      "Parent Identifier", "Period", "Proceeds Reason", "Preserved Pricing", "Client", "Device",
      "Report Date (Local)", "Report Date", "Sales/Return",
    ])

  private static let installs = ReportLayout(
    .installs,
    signature: [Column("App ID"), Column("First Annual Installs")],
    unused: ["Developer", "App Name", "Installs Above Threshold"])

  private static let firstAnnual = ReportLayout(
    .firstAnnual,
    signature: [Column("First Annual Installs")],
    unused: ["Developer Name", "App Name", "Apple Identifier", "Territory"])
}

// MARK: - Financial reports

extension ReportLayout {
  /// Apple's fourth finance report, which no table uses.
  private static let transactionTax = ReportLayout(
    .transactionTax,
    signature: [Column("Tax Exclusive Amount"), Column("Taxes Paid")],
    unused: [
      "ISO Country Code", "Country/Territory", "Country / Territory", "State", "County", "City",
      "Tax Category", "Tax Type", "Currency", "Tax Rate", "# of Transactions",
    ])
}

extension ReportLayout {
  private static let financial = ReportLayout(
    .financial,
    signature: [.extendedPartnerShare, Column("Vendor Identifier"), .startDate],
    needed: [
      .startDate, .endDate, .quantity, .partnerShare, .extendedPartnerShare, .partnerShareCurrency,
      .saleOrReturn, .appleIdentifier, .countryOfSale, .customerPrice,
    ],
    usual: [Column("Title"), .customerCurrency],
    unused: [
      "UPC", "ISRC/ISBN", "ISRC / ISBN", "Artist/Show/Developer/Author",
      "Label/Studio/Network/Developer/Publisher", "Grid", "Product Type Identifier",
      "ISAN/Other Identifier", "Pre-order Flag", "Promo Code",
    ])

  private static let financeDetail = ReportLayout(
    .financeDetail,
    signature: [.transactionDate, .settlementDate, .extendedPartnerShare],
    needed: [
      .transactionDate, .settlementDate, .appleIdentifier, .countryOfSale, .quantity,
      .partnerShare, .extendedPartnerShare, .partnerShareCurrency, .customerPrice, .saleOrReturn,
    ],
    usual: [Column("Title"), .customerCurrency],
    unused: [
      "SKU", "Developer Name", "Product Type Identifier", "Promo Code", "Order Type", "Region",
    ])

  /// The payments CSV with English titles; a file of a month that is not paid yet lacks some.
  static let payments = ReportLayout(
    .payments,
    signature: [.regionAndCurrency],
    needed: [
      .regionAndCurrency, .earned, .inputTax, .adjustments, .withholdingTax, .totalOwed,
    ],
    ofSomeVersions: [
      .unitsSold, .preTaxSubtotal, .balance, .exchangeRate, .proceeds, .bankCurrency,
    ])
}
