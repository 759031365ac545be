import SubscriptionModel

/// The obvious reader of SUBSCRIBER rows: split into strings, look at one cell after the other.
struct ReferenceSubscriber {
  /// What a row is: the code of its reject, `ignored`, or its facts as text.
  enum Outcome: Equatable {
    case code(String)
    case ignored
    case facts(String)
  }

  let columns: [String]

  func outcome(_ line: [UInt8]) -> Outcome {
    var cells = line.split(separator: 9, omittingEmptySubsequences: false).map { Array($0) }
    if cells.count < columns.count { return .code("too-few-fields") }
    while cells.count > columns.count {
      if cells.removeLast().contains(where: { $0 != 32 && $0 != 13 }) {
        return .code("too-many-fields")
      }
    }
    let texts = cells.map { String(validating: $0, as: UTF8.self) }
    if texts.contains(nil) { return .code("invalid-utf8") }
    var row: [String: String] = [:]
    for (column, text) in zip(columns, texts) { row[column] = trimmed(text ?? "") }
    do throws(Fault) {
      return try facts(row)
    } catch {
      return .code(error.code)
    }
  }

  private struct Fault: Error { let code: String }

  private func facts(_ row: [String: String]) throws(Fault) -> Outcome {
    func cell(_ names: String...) -> String { names.compactMap { row[$0] }.first ?? "" }
    if cell("Subscription Group ID").isEmpty { throw Fault(code: "missing-value") }
    let standard = try term(cell("Standard Subscription Duration", "Subscription Duration"))
    guard let standard else { throw Fault(code: "unknown-duration") }
    let type = cell("Subscription Offer Type", "Introductory Price Type").lowercased()
    guard ["", "free trial", "pay up front", "pay as you go"].contains(type) else {
      throw Fault(code: "unknown-offer-type")
    }
    let offer = try term(cell("Subscription Offer Duration", "Introductory Price Duration"))
    let isRefund = cell("Refund").lowercased() == "yes"
    let optIn = try term(cell("Marketing Opt-In Duration"))
    let price = try amount(cell("Customer Price"))
    let proceeds = try amount(cell("Developer Proceeds"))
    // The end of one row and the date of the next.
    let refundWord = cell("Refund").lowercased()
    let country = cell("Country")
    if country.contains("-"), country.contains(where: { "0123456789".contains($0) }) {
      throw Fault(code: "not-a-code")
    }
    for name in ["App Apple ID", "Subscription Group ID", "Subscription Apple ID"]
    where Self.isRewritten(cell(name)) { throw Fault(code: "rewritten-id") }
    guard ["", "yes", "no"].contains(refundWord) else { throw Fault(code: "not-a-boolean") }
    if offer == nil, !type.isEmpty, !isRefund {
      throw Fault(code: type == "pay as you go" ? "missing-offer-duration" : "unknown-duration")
    }
    guard let day = try day(cell("Event Date")) else { throw Fault(code: "missing-value") }
    let id = cell("Subscriber ID")
    if id.isEmpty { throw Fault(code: "missing-value") }
    let purchase = try self.day(cell("Purchase Date"))
    let units = try units(cell("Units"), isRefund: isRefund)
    if price < 0, !isRefund, units != 0 { throw Fault(code: "negative-price") }
    if Self.isRewritten(id) { throw Fault(code: "rewritten-id") }
    if units == 0, !isRefund { return .ignored }

    let hasName = !cell("Subscription Offer Name", "Promotional Offer Name").isEmpty
    let kind: String
    if hasName || !cell("Promotional Offer ID").isEmpty {
      kind = "offer"
    } else if type.isEmpty {
      kind = "standard"
    } else {
      kind = price == 0 ? "trial" : "intro"
    }
    let currency = cell("Customer Currency")
    let ownCurrency = cell("Proceeds Currency")
    let facts: [String] = [
      id.first != "0" && UInt64(id).map { $0 < 1 << 62 } == true ? id : "text", day,
      isRefund ? purchase ?? "-" : "-", "\(units)", "\(isRefund)",
      "\(cell("Subscriber ID Reset").lowercased() == "yes")", kind, type, standard, offer ?? "-",
      optIn ?? "-", "\(abs(price))", currency, "\(abs(proceeds))",
      ownCurrency.isEmpty ? currency : ownCurrency, cell("App Apple ID"), cell("App Name"),
      cell("Subscription Group ID"), cell("Subscription Apple ID"), cell("Subscription Name"),
      cell("Country").uppercased(), cell("Device"), cell("Client"),
      cell("Proceeds Reason").lowercased() == "rate after one year"
        ? "after_one_year" : "standard",
      cell("Preserved Pricing").lowercased() == "yes" ? "yes" : "no",
    ]
    return .facts(facts.joined(separator: "|"))
  }

  private func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while text.first == " " || text.first == "\r" { text.removeFirst() }
    while text.last == " " || text.last == "\r" { text.removeLast() }
    return String(text)
  }

  private func term(_ text: String) throws(Fault) -> String? {
    if text.isEmpty { return nil }
    let known = [
      "3 days": "3 Days", "7 days": "7 Days", "1 week": "7 Days", "2 weeks": "14 Days",
      "1 month": "1 Month", "2 months": "2 Months", "3 months": "3 Months",
      "6 months": "6 Months", "1 year": "1 Year",
    ]
    guard let name = known[text.lowercased()] else { throw Fault(code: "unknown-duration") }
    return name
  }

  private func amount(_ text: String) throws(Fault) -> Int64 {
    if text.isEmpty { throw Fault(code: "missing-value") }
    let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    let whole = parts[0]
    let decimals = parts.count > 1 ? parts[1] : ""
    guard parts.count <= 2, (whole + decimals).allSatisfy({ "0123456789".contains($0) }),
      parts.count == 1 ? !whole.isEmpty : !decimals.isEmpty
    else { throw Fault(code: "not-a-decimal") }
    if decimals.dropFirst(3).contains(where: { $0 != "0" }) {
      throw Fault(code: "too-many-decimals")
    }
    let padded = (decimals + "000").prefix(3)
    guard let value = Int64(whole + padded) else { throw Fault(code: "amount-out-of-range") }
    return text.hasPrefix("-") ? -value : value
  }

  private func day(_ text: String) throws(Fault) -> String? {
    if text.isEmpty { return nil }
    if text.wholeMatch(of: /[0-9]{1,2}([\/.-])[0-9]{1,2}\1([0-9]{2}|[0-9]{4})/) != nil {
      throw Fault(code: "rewritten-date")
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.count) == [4, 2, 2], let year = Int(parts[0]),
      let month = Int(parts[1]), let day = Int(parts[2]), (2008...2099).contains(year),
      (1...12).contains(month), day >= 1
    else { throw Fault(code: "not-a-date") }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[month - 1] else { throw Fault(code: "not-a-date") }
    return text
  }

  private func units(_ text: String, isRefund: Bool) throws(Fault) -> Int {
    if text.isEmpty { return 1 }
    let whole = text.hasSuffix(".00") ? String(text.dropLast(3)) : text
    guard let units = Int(whole) else { throw Fault(code: "not-a-whole-number") }
    if units < 0, !isRefund { throw Fault(code: "negative-units") }
    guard abs(units) <= 10_000 else { throw Fault(code: "units-out-of-range") }
    return abs(units)
  }
}

extension ReferenceSubscriber {
  /// Returns whether a spreadsheet has made an id a number: 5.60340E+14, 5,6E+14, 560340.0 or 560,340.
  private static func isRewritten(_ id: String) -> Bool {
    let isGrouped = id.wholeMatch(of: /[0-9]{1,3}([,. '’])[0-9]{3}(\1[0-9]{3})*/) != nil
    let isNumber =
      id.wholeMatch(
        of: /[0-9]*[.,]?[0-9]*[Ee][+-]?[0-9]{1,3}|[0-9]*[.][0-9]*|[0-9]+,00?/) != nil
    return isGrouped || isNumber && id.contains { "0123456789".contains($0) }
  }
}
