/// The truth tables of billing plans and contingent prices, written only in a world with them.
extension TruthWriter {
  /// Returns all commitments, sorted by their first day.
  func terms(_ terms: [(record: CommitmentRecord, scheduledEnd: Int)]) -> ByteText {
    var text = ByteText()
    text.append(
      "subscriber,product,country,currency,price,start,end,ended,instalments,missed,recovered,renewal\n"
    )
    for (record, scheduledEnd) in terms where record.endDay >= timeline.firstDay {
      text.append("\(record.subscriberID),")
      appendPlace(
        Int(record.terms.product), Int(record.terms.storefront),
        currency: record.amounts.currency, to: &text)
      text.append(hundredths: record.amounts.price)
      text.append(",\(CalendarDay.text(timeline.base + record.instalments[0].day))")
      let end = record.ending == .running ? scheduledEnd : record.endDay
      text.append(",\(CalendarDay.text(timeline.base + end)),\(record.ending.rawValue),")
      let missed = record.missed(until: timeline.lastDay)
      Self.append([record.instalments.count, missed, record.recovered], to: &text)
      text.append(",\(record.renewal?.rawValue ?? "")\n")
    }
    return text
  }

  /// Returns the outcome of the instalments, by month and currency.
  func commitments(_ truth: CommitmentTruth) -> ByteText {
    var text = ByteText()
    text.append(
      "month,currency,running,suspended,due,paid,recovered,defaulted,pending,terms_started,"
        + "terms_ended,terms_renewed,remaining,remaining_price,remaining_proceeds\n")
    let sorted = truth.cells.sorted { left, right in
      (left.key.month, left.key.currency) < (right.key.month, right.key.currency)
    }
    for (key, cell) in sorted {
      text.append("\(timeline.monthText(key.month)),\(Catalog.currencies[key.currency]),")
      let counts = [
        cell.running, cell.suspended, cell.due, cell.paid, cell.recovered, cell.defaulted,
        cell.pending, cell.started, cell.ended, cell.renewed, cell.remaining,
      ]
      Self.append(counts, to: &text)
      text.append(",")
      text.append(hundredths: cell.remainingPrice)
      text.append(",")
      text.append(hundredths: cell.remainingProceeds)
      text.appendNewline()
    }
    return text
  }

  static let readmeOfCommitments = """

    With commitments (a year in twelve monthly instalments) there are two tables more. Each instalment
    is a charge and a period of one month in all other tables. In `churned.csv` and `receipts.csv` 90
    days stand for 60 where an instalment's period ended. An instalment's period ends so many months
    after the first one that was paid in time with it: not later because it was charged a day late.

    - `terms.csv`: each commitment that went on in the window. `ended` is `complete` (the twelfth
      instalment's period is over), `defaulted` (90 days after the end of the last one paid),
      `refunded` (the current instalment was given back), `changed` (another product was bought before
      the twelfth instalment) or `running`; `end` is the first day after it, for a running one as far
      as it will be paid in time. `instalments` were paid, `missed` were not paid on the day or within
      two days, and `recovered` of these later. `renewal` is what continued a complete one within two
      days: another `commitment`, the year `upfront`, or another `product`.
    - `commitments.csv`: instalments and terms by month and currency, with the columns and words of the
      tool's own table. Terms that began before the window are counted too: the tool cannot count what
      it has not seen, so compare windows that begin before 2026-04-27, when the first were sold.
    - `receipt_commitments.csv`, with receipts: the same by the days of receipts, whose periods end when
      the next one begins; without proceeds. Only signed data state the plan, so the tool finds all of it
      where all customers have some (`--notified`).

    """

  static let readmeOfContingentPrices = """

    - `contingent.csv`: paid charges at a contingent price, which are also in `charges.csv`.

    """

  static let readmeOfCommissions = """

    The developer's share of a price without tax is that of the storefront on the day of the sale: 70 %
    and after a year 85 %, but 74 % and 85 % in Japan from 2025-12-18, in Brazil from 2026-06-18, in
    Germany and France from 2026-10-01.

    """
}
