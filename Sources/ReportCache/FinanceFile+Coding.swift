import AppStoreReports
package import Pipeline
import Storage
import SubscriptionModel

extension FinanceFile {
  /// Encodes or decodes a finance file that can be trusted, with its place in the run; `nil` before reading.
  package static func code<Coder: ExtractCoder>(
    _ file: inout FinanceFile?, _ index: Int, with coder: inout Coder
  ) {
    var hash = file?.textHash ?? []
    var trailers = file?.trailers ?? []
    coder.list(&hash, blank: 0) { $1.integer(&$0) }
    coder.list(&trailers, blank: .blank) { $0.code(with: &$1) }
    var (statement, payments): (FinanceStatement?, PaymentsStatement?) =
      switch file?.content {
      case .statement(let statement): (statement, nil)
      case .payments(let payments): (nil, payments)
      case nil: (nil, nil)
      }
    coder.optional(&statement, blank: .blank(index)) { $0.code(with: &$1) }
    coder.optional(&payments, blank: .blank(index)) { $0.code(with: &$1) }
    let content = statement.map(Content.statement) ?? payments.map(Content.payments)
    guard let content else { return coder.fail() }
    file = FinanceFile(content: content, trailers: trailers, problem: nil, textHash: hash)
  }
}

extension FinanceStatement {
  fileprivate static func blank(_ index: Int) -> FinanceStatement {
    FinanceStatement(
      form: .single, period: FiscalPeriod(number: 0), vendor: "", fileIndex: index, rows: [])
  }

  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    form.code(with: &coder)
    period.code(with: &coder)
    coder.text(&vendor)
    coder.list(&rows, blank: .blank) { $0.code(with: &$1) }
    coder.list(&rejected, blank: .blank) { $0.code(with: &$1) }
  }
}

extension FinanceStatement.Form {
  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    var (number, region): (UInt64, String) =
      switch self {
      case .single: (0, "")
      case .detail: (1, "")
      case .region(let code): (2, code)
      }
    coder.number(&number)
    coder.text(&region)
    switch number {
    case 0: self = .single
    case 1: self = .detail
    case 2: self = .region(region)
    default: coder.fail()
    }
  }
}

extension FiscalPeriod {
  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    var number = number
    coder.integer(&number, in: Month.possibleNumbers)
    self = FiscalPeriod(number: number)
  }
}

extension FinanceRow {
  fileprivate static let blank = FinanceRow(
    product: .blank, productName: .blank, country: .blank, currency: .blank, customerPrice: 0,
    customerCurrency: .blank, quantity: 0, partnerShare: 0, extendedShare: 0, line: 0)

  fileprivate mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    coder.symbol(&product)
    coder.symbol(&productName)
    coder.symbol(&country)
    coder.symbol(&currency)
    coder.integer(&customerPrice)
    coder.symbol(&customerCurrency)
    coder.integer(&quantity, in: -1_000_000_000...1_000_000_000)
    coder.integer(&partnerShare)
    coder.integer(&extendedShare)
    coder.optional(&transactionDay, blank: Day(number: 0)) { $1.day(&$0) }
    coder.optional(&settlementDay, blank: Day(number: 0)) { $1.day(&$0) }
    coder.integer(&line, in: 0...(.max))
  }
}

extension PaymentsStatement {
  fileprivate static func blank(_ index: Int) -> PaymentsStatement {
    PaymentsStatement(
      period: FiscalPeriod(number: 0), fileIndex: index, isPending: false, hasBalanceColumn: false,
      rows: [])
  }

  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    period.code(with: &coder)
    coder.flag(&isPending)
    coder.flag(&hasBalanceColumn)
    coder.list(&rows, blank: .blank) { $0.code(with: &$1) }
    coder.list(&payouts, blank: Payout(block: 0, line: 0)) { payout, coder in
      coder.integer(&payout.block, in: 0...(.max))
      coder.integer(&payout.line, in: 0...(.max))
      coder.optional(&payout.amount, blank: 0) { $1.integer(&$0) }
      coder.symbol(&payout.currency)
    }
    coder.list(&rejected, blank: .blank) { $0.code(with: &$1) }
  }
}

extension PaymentsRow {
  fileprivate static let blank = PaymentsRow(
    region: "", currency: .blank, earned: 0, inputTax: 0, adjustments: 0, withholdingTax: 0,
    carriedBalance: 0, totalOwed: 0, proceeds: nil, bankCurrency: .blank, isBelowThreshold: false,
    line: 0)

  fileprivate mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    coder.text(&region)
    coder.symbol(&currency)
    coder.integer(&earned)
    coder.integer(&inputTax)
    coder.integer(&adjustments)
    coder.integer(&withholdingTax)
    coder.integer(&carriedBalance)
    coder.integer(&totalOwed)
    coder.optional(&proceeds, blank: 0) { $1.integer(&$0) }
    coder.symbol(&bankCurrency)
    coder.flag(&isBelowThreshold)
    coder.integer(&line, in: 0...(.max))
    coder.text(&exchangeRate)
    coder.integer(&block, in: 0...(.max))
  }
}

extension RejectedRow {
  static let blank = RejectedRow(line: 0)

  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    coder.integer(&line, in: 0...(1 << 55))
    coder.optional(&country, blank: .blank) { $1.symbol(&$0) }
    coder.optional(&currency, blank: .blank) { $1.symbol(&$0) }
    coder.optional(&day, blank: Day(number: 0)) { $1.day(&$0) }
    coder.optional(&region, blank: "") { $1.text(&$0) }
  }
}

extension TrailerCheck {
  fileprivate static let blank = TrailerCheck(
    name: "", printed: nil, sum: .count(0), state: .missing)

  fileprivate mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    var (name, printed, sum, state) = (name, printed, sum, state)
    coder.text(&name)
    coder.optional(&printed, blank: .count(0)) { $0.code(with: &$1) }
    sum.code(with: &coder)
    var word = state.rawValue
    coder.text(&word)
    if let known = State(rawValue: word) { state = known } else { coder.fail() }
    self = TrailerCheck(name: name, printed: printed, sum: sum, state: state)
  }
}

extension TrailerCheck.Value {
  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    var (isMoney, value, text): (Bool, Int128, String?) =
      switch self {
      case .count(let count): (false, Int128(count), nil)
      case .money(let milliunits): (true, milliunits, nil)
      case .text(let text): (false, 0, text)
      }
    coder.flag(&isMoney)
    coder.wideInteger(&value)
    coder.optional(&text, blank: "") { $1.text(&$0) }
    if let text {
      self = .text(text)
      return
    }
    guard isMoney || Int(exactly: value) != nil else { return coder.fail() }
    self = isMoney ? .money(milliunits: value) : .count(Int(value))
  }
}
