/// The columns of a financial report: their numbers from 0, or -1 if the header lacks one.
struct FinanceFields {
  /// The Start Date, or the Transaction Date.
  let firstDate: Int
  /// The End Date, or the Settlement Date.
  let lastDate: Int
  let quantity: Int
  let partnerShare: Int
  let extendedShare: Int
  let currency: Int
  let saleOrReturn: Int
  let product: Int
  let title: Int
  let country: Int
  let customerPrice: Int
  let customerCurrency: Int

  /// The most units in one row; with more, sums could overflow.
  static let mostUnits = 1_000_000_000

  init(_ header: ReportHeader) {
    let isDetail = header.kind == .financeDetail
    firstDate = header.fieldOrNone(isDetail ? .transactionDate : .startDate)
    lastDate = header.fieldOrNone(isDetail ? .settlementDate : .endDate)
    quantity = header.fieldOrNone(.quantity)
    partnerShare = header.fieldOrNone(.partnerShare)
    extendedShare = header.fieldOrNone(.extendedPartnerShare)
    currency = header.fieldOrNone(.partnerShareCurrency)
    saleOrReturn = header.fieldOrNone(.saleOrReturn)
    product = header.fieldOrNone(.appleIdentifier)
    title = header.fieldOrNone(.title)
    country = header.fieldOrNone(.countryOfSale)
    customerPrice = header.fieldOrNone(.customerPrice)
    customerCurrency = header.fieldOrNone(.customerCurrency)
  }
}
