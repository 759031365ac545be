import Storage
import SubscriptionModel

/// The lines that are unknown because rows were rejected: METRICS.md section 7, "Rejected rows".
struct RejectedMoney {
  /// The rejected rows by bridge and line, such as `finance.txt:12`.
  private var places: [BridgeName: [Bridge.Line: [String]]] = [:]

  /// The prefix of the cause of an unknown line.
  static let causePrefix = "rejected: "

  private static let detailLines = Bridge.Line.steps(12...29)
  private static let transactionLines = Bridge.Line.steps(21...25)
  private static let salesLines =
    Bridge.Line.steps(10...11) + transactionLines + [.unexplainedSales]
  private static let paymentLines = Bridge.Line.steps(40...60)

  /// Finds the affected lines; adds bridges whose rows were all rejected.
  init(_ builder: BridgeBuilder, _ names: inout Set<BridgeName>) {
    var lookup = builder.lookup
    for statement in builder.records.statements where !statement.rejected.isEmpty {
      add(statement, builder, &lookup, &names)
    }
    for payments in builder.records.payments {
      for row in payments.rejected {
        let own = row.region.flatMap { region in
          row.currency.map {
            BridgeName(period: payments.period, region: region, currency: $0)
          }
        }
        let found = bridges(own, of: row, &names) { $0.period == payments.period }
        add(Self.paymentLines, found, builder.records.place(row, payments.fileIndex))
      }
    }
    for sale in builder.records.rejectedSales {
      guard let day = sale.row.day else { continue }
      let period = FiscalPeriod(containing: day)
      guard builder.input.hasBridges(period) else { continue }
      let own = lookup.bridge(of: sale.row, in: period)
      let found = bridges(own, of: sale.row, &names) { $0.period == period }
      add(Self.salesLines, found, builder.records.place(sale.row, sale.fileIndex))
    }
  }

  /// Returns the rejected rows that may belong to a bridge, each once.
  func rows(of name: BridgeName) -> [String] {
    Bridge.Line.allCases.flatMap { places[name]?[$0] ?? [] }.unique
  }

  /// Returns the files of these rows, each once.
  func files(of name: BridgeName) -> [String] {
    rows(of: name).compactMap { row in
      row.lastIndex(of: ":").map { String(row[..<$0]) }
    }.unique
  }

  /// Returns the entries of a bridge with the affected lines unknown and the rows as their cause.
  func apply(to entries: [Bridge.Entry], of name: BridgeName) -> [Bridge.Entry] {
    guard let lines = places[name] else { return entries }
    return entries.map { entry in
      guard let rows = lines[entry.line] else { return entry }
      var unknown = entry
      (unknown.amount, unknown.count, unknown.low, unknown.high) = (nil, nil, nil, nil)
      unknown.status = .unknown
      let cause = Self.causePrefix + rows.listed()
      let isNamed = [.shareDifference, .otherRegion].contains(entry.line) && !entry.cause.isEmpty
      unknown.cause = isNamed ? "\(entry.cause); \(cause)" : cause
      return unknown
    }
  }

  // MARK: Finding

  private mutating func add(
    _ statement: FinanceStatement, _ builder: BridgeBuilder, _ lookup: inout RegionLookup,
    _ names: inout Set<BridgeName>
  ) {
    let form = SettlementForm(statement.form)
    for row in statement.rejected {
      let place = builder.records.place(row, statement.fileIndex)
      var own = lookup.bridge(of: row, in: statement.period)
      if case .region(let code) = statement.form { own?.region = code }
      let found = bridges(own, of: row, &names) { name in
        guard name.period == statement.period else { return false }
        if case .region(let code) = statement.form { return name.region == code }
        return true
      }
      let settled = found.filter { name in
        guard own != nil, let country = row.country, let currency = row.currency else {
          return builder.usedForms[name]?.contains(form) == true
        }
        let pair = SettledPair(period: statement.period, country: country, currency: currency)
        return builder.forms.settles(pair, region: name.region, of: statement)
      }
      add([.financeShare, .unexplainedSales, .unexplainedPayment], settled, place)
      guard statement.form == .detail else { continue }
      add(Self.detailLines, found, place)
      // If the day cannot be read, it may be in the previous period.
      let sold = row.day.map { FiscalPeriod(containing: $0) } ?? statement.period - 1
      guard sold != statement.period else { continue }
      let ownThen = lookup.bridge(of: row, in: sold)
      let then = names.filter { name in
        name.period == sold && (ownThen.map { $0 == name } ?? row.mayBelong(to: name))
      }
      add(Self.transactionLines, Array(then), place)
    }
  }

  /// Returns a row's bridge or, if that is unknown, all bridges to which the row may belong: those of its currency or, if
  /// that cannot be read, those of all currencies.
  private func bridges(
    _ own: BridgeName?, of row: RejectedRow, _ names: inout Set<BridgeName>,
    _ isIn: (BridgeName) -> Bool
  ) -> [BridgeName] {
    guard let own else { return names.filter { isIn($0) && row.mayBelong(to: $0) } }
    names.insert(own)
    return [own]
  }

  private mutating func add(_ lines: [Bridge.Line], _ names: [BridgeName], _ place: String) {
    for name in names {
      for line in lines {
        if places[name, default: [:]][line]?.last == place { continue }
        places[name, default: [:]][line, default: []].append(place)
      }
    }
  }
}

extension RegionLookup {
  /// Returns the bridge of a rejected row; `nil` if its country or currency cannot be read, or if its day cannot and the
  /// region depends on it.
  fileprivate mutating func bridge(of row: RejectedRow, in period: FiscalPeriod) -> BridgeName? {
    guard let country = row.country, let currency = row.currency else { return nil }
    let pair = SettledPair(period: period, country: country, currency: currency)
    let region = row.day.map { code(pair, on: $0) } ?? codeWithoutDay(pair)
    return region.map { BridgeName(period: period, region: $0, currency: currency) }
  }
}

extension RejectedRow {
  /// Returns whether the row's currency is that of a bridge, or cannot be read.
  fileprivate func mayBelong(to name: BridgeName) -> Bool {
    currency == nil || currency == name.currency
  }
}

extension FinanceData {
  /// Returns the file and line of a rejected row, such as `finance.txt:12`.
  fileprivate func place(_ row: RejectedRow, _ fileIndex: Int) -> String {
    place(line: row.line, fileIndex)
  }

  /// Returns a file and line for the text of a cause, such as `finance.txt:12`.
  func place(line: Int, _ fileIndex: Int) -> String {
    "\(fileNames[fileIndex] ?? "file \(fileIndex)"):\(line)"
  }
}
