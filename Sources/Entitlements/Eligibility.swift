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
  /// The states of all chains that the customer bought in the app.
  var statesInApp: Set<ReceiptChain.State>

  var introductory: (Answer, reason: String) {
    guard let bought else { return (.unknown, "family shared only") }
    if bought.usedIntroductoryOffer { return (.no, "introductory offer used") }
    if bought.state.isRunning { return (.no, "subscribed") }
    if bought.state == .unresolved { return (.unknown, "state unresolved") }
    return bought.isStartKnown ? (.yes, "lapsed, never used") : (.unknown, "history incomplete")
  }

  var promotional: (Answer, reason: String) {
    if statesInApp.isEmpty { return (.no, "family shared only") }
    if statesInApp.contains(where: \.isRunning) { return (.yes, "subscribed") }
    return (.yes, statesInApp.contains(.unresolved) ? "subscribed or lapsed" : "lapsed")
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
    let groups = Dictionary(grouping: chains) { [$0.app, $0.group] }
    let statesInApp = chains.reduce(into: [Symbol: Set<ReceiptChain.State>]()) { states, chain in
      if chain.ownership == .purchased { states[chain.app, default: []].insert(chain.state) }
    }
    return groups.values.map { inGroup in
      let chain = inGroup[0]
      let eligibility = Eligibility(
        bought: inGroup.first { $0.ownership == .purchased },
        shared: inGroup.first { $0.ownership == .family },
        statesInApp: statesInApp[chain.app] ?? [])
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
