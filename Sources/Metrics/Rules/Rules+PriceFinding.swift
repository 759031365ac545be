extension Rules {
  /// The part of section 6 that says how changes of prices are found.
  static let priceFinding: [Block] = [
    .heading("Finding changes"),
    .paragraph(
      """
      Per product, storefront, customer currency and billing plan, from the prices that are really in the rows; \
      `price_changes.csv` lists every change with its class. From `sales` changes are only found: what \
      they did needs `subscribers` or `receipts`.
      """),
    .rule(
      1, "Charges.",
      """
      Standard charges with a price above 0 that are not preserved (`sales`: IAY and IAY-M with a blank \
      Order Type and Promo Code and Units above 0). *New* is the first paid charge of a chain with a known \
      start (`sales`: Subscription is New); *continuing* a charge that continues a standard paid period of \
      the same product. A first row of unknown start and a return after a lapse are neither. Contingent \
      prices (section 10) are left out like preserved ones, also in rows without the column, where other \
      rows mark the price and none charges it unmarked. A term of instalments is one charge (section 10); \
      `sales` rows do not say the plan, so those at a price that only instalments of SUBSCRIBER rows cost \
      are left out. A price that, from its first to its last day and these at least 28 days apart, \
      fewer than a third of the charges of its product, storefront and currency paid is `parallel`: it is \
      listed once, with an empty old price, and left out.
      """),
    .rule(
      2, "Spells and glitches.",
      """
      A price has a new spell when it is charged again after 7 or more days in which it was not charged \
      and another price that is no glitch was. A spell of fewer than 3 charges or on fewer than 2 days is a \
      `glitch`; so is one that lasts less than 7 days, when as-of is at least 7 days after its first day \
      and that is more than 7 days after the first file. It is `unconfirmed` instead when its first day is \
      less than 7 days before as-of, and `at_data_edge` (without a new price) when its last day is less \
      than 7 days after the first file. None of these is looked at again. Whether the price between two \
      spells is a glitch is asked of all its charges together.
      """),
    .rule(
      3, "Neighbours.",
      """
      The other spells are compared in the order of their first days. A lower price is a `decrease`. A \
      key's first price has a row of its own when it appears more than 35 days after the first file: \
      `new_plan` when another plan of the product was charged there before, `currency_change` when another currency was charged there before and fewer than 3 times from the \
      eighth day on, else `new_storefront`.
      """),
    .rule(4, "E.", "The effective date is the first day on which anybody pays the new price."),
    .rule(
      5, "Edges.",
      """
      `at_data_edge` when the old price was first seen less than 28 days before E; `unconfirmed` when \
      as-of is less than 7 days after E.
      """),
    .rule(
      6, "Overlap.",
      """
      `overlap` when fewer than 90 % of the new charges from E + 2 to E + 27 pay the new price: several \
      prices are sold side by side, and only `--price-changes` can say which is the increase.
      """),
    .rule(
      7, "Who moved.",
      """
      Of the charges from E on that continue a period at the old price (itself not preserved, so that each \
      chain counts once): *moved* pay the new price, *kept* are preserved and pay the old one. With fewer \
      than 3 moved, or not more moved than kept, nobody is exposed: `new_customers_only` when more kept \
      than moved, else `unconfirmed`. `sales` rows do not say what they continue: there a renewal in the \
      first standard duration from E on continues a period from before E.
      """),
    .rule(
      8, "Increase.",
      """
      Everything else is an `increase`. A row of `--price-changes` replaces all of this for its key.
      """),
    .rule(
      9, "E_x.",
      """
      The day from which existing subscribers meet the price: E, unless more than half of the charges of \
      the first 28 days that continue a period at the old price still pay it; then the first day on which \
      one pays the new price and from which at least 90 % do for 28 days; E when there is none.
      """),
    .paragraph(
      """
      From `receipts` the charges compared are consecutive standard ones of one chain with equal product, \
      currency and storefront; the data begin with the first charge that has a price.
      """),
    .table(
      ["column of `price_changes.csv`", "meaning"],
      PriceTable.changes.allColumns.map { ["`\($0.column.name)`", $0.meaning] }),
  ]
}
