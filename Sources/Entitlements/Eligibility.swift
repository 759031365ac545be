import Storage
import SubscriptionModel
import Tables

/// A customer's eligibility for offers in one group of one app: METRICS.md section 9, RECEIPTS.md section 6.
private struct Eligibility {
  enum Answer: String {
    case yes, no, unknown
  }

  /// The chain that the customer bought in the group.
  var bought: ReceiptChain?
  /// The chain shared by the customer's family in the group.
  var shared: ReceiptChain?
  /// All chains that the customer bought in the app.
  var boughtInApp: [ReceiptChain]

  var introductory: (Answer, reason: String) {
    guard let bought else { return (.unknown, "family shared only") }
    if bought.usedIntroductoryOffer { return (.no, "introductory offer used") }
    if bought.state.isRunning { return (.no, "subscribed") }
    if bought.state == .unresolved { return (.unknown, "state unresolved") }
    return bought.isStartKnown ? (.yes, "lapsed, never used") : (.unknown, "history incomplete")
  }

  var promotional: (Answer, reason: String) {
    if boughtInApp.isEmpty { return (.no, "family shared only") }
    if boughtInApp.contains(where: \.state.isRunning) { return (.yes, "subscribed") }
    let isUnresolved = boughtInApp.contains { $0.state == .unresolved }
    return (.yes, isUnresolved ? "subscribed or lapsed" : "lapsed")
  }

  var winBack: (Answer, reason: String, offers: Symbol) {
    guard let chain = bought ?? shared else { return (.unknown, "not in the data", .blank) }
    if chain.state.isRunning { return (.no, "subscribed", .blank) }
    guard let offers = chain.winBackOffers else { return (.unknown, "not in the data", .blank) }
    return (offers == .blank ? .no : .yes, "in renewal info", offers)
  }
}

extension ReceiptRows {
  /// Returns the rows of `eligibility.csv` without the customer.
  func eligibilityRows(_ history: borrowing ReceiptHistory) -> [[ReportTable.Cell]] {
    let chains = history.chains.filter { $0.kind == .autoRenewable }
    var seen: Set<[Symbol]> = []
    return chains.compactMap { chain in
      guard seen.insert([chain.app, chain.group]).inserted else { return nil }
      let inApp = chains.filter { $0.app == chain.app }
      let inGroup = inApp.filter { $0.group == chain.group }
      let eligibility = Eligibility(
        bought: inGroup.first { $0.ownership == .purchased },
        shared: inGroup.first { $0.ownership == .family },
        boughtInApp: inApp.filter { $0.ownership == .purchased })
      let introductory = eligibility.introductory
      let promotional = eligibility.promotional
      let winBack = eligibility.winBack
      let suffix = chain.group == .blank ? "; group unknown" : ""
      return [
        cell(chain.app), cell(chain.group),
        .text(introductory.0.rawValue), .text(introductory.reason + suffix),
        .text(promotional.0.rawValue), .text(promotional.reason),
        .text(winBack.0.rawValue), .text(winBack.reason), cell(winBack.offers),
      ]
    }
  }
}
