/// Billing plans and terms of receipts: METRICS.md 10.1 to 10.3.
extension ReceiptHistory {
  /// The days of a period that count as one month, if no copy states the plan.
  private static let daysOfInstalment = 25...35

  /// Returns the billing plan of a charge: METRICS.md 10.1.
  ///
  /// The user's setting is used first, then the plan in the receipts. Otherwise, if the product has
  /// instalments elsewhere, a standard charge for one month is an instalment, and a free charge is
  /// `unknown`.
  func plan(of event: ReceiptEvent) -> BillingPlan {
    if let rule = customers.settings.billingPlans[event.product] {
      let currency = customers.settings.symbols[Int(event.currency)]
      let price = event.price.map { priceText($0, currency: currency) } ?? ""
      return rule.plan(isPaid: event.isPaid, price: price)
    }
    if event.flags.contains(.commitment) { return .commitment }
    guard !event.flags.contains(.hasBillingPlan),
      customers.statements.commitmentProducts.contains(event.product)
    else { return .upfront }
    guard event.isPaid else { return .unknown }
    let days = event.expires.map { $0.day - event.purchase.day }
    let isMonth = days.map(Self.daysOfInstalment.contains) ?? false
    return event.kind == .standard && isMonth ? .commitment : .upfront
  }

  /// Returns whether neither the user's setting nor a receipt states the plan of a charge.
  func isPlanInferred(of event: ReceiptEvent) -> Bool {
    customers.settings.billingPlans[event.product] == nil && !event.flags.contains(.hasBillingPlan)
  }

  /// Sets the position of each instalment of a chain: METRICS.md 10.2.
  mutating func setPositions(of chain: ReceiptChain) {
    var last: Int?
    var isAfterInstalment = false
    for index in chain.periods {
      guard periods[index].isInstalment else {
        isAfterInstalment = false
        continue
      }
      let event = periods[index].event
      let before = isAfterInstalment ? last : nil
      let isFirst =
        index == chain.periods.lowerBound
        ? chain.isStartKnown : before.map { isNewTerm(index, after: $0) } ?? true
      let counted = isFirst ? 1 : before.flatMap { periods[$0].position?.number }.map { $0 + 1 }
      let number = event.instalmentNumber > 0 ? Int(event.instalmentNumber) : counted
      let total =
        event.instalmentTotal > 0 ? Int(event.instalmentTotal) : InstalmentPosition.usualTotal
      periods[index].position = InstalmentPosition(number, of: total)
      periods[index].beginsTerm = isFirst || number == 1 || before == nil
      last = index
      isAfterInstalment = true
    }
  }

  /// Returns whether an instalment begins a term, judged by the instalment before it: METRICS.md
  /// 10.2.
  private func isNewTerm(_ index: Int, after before: Int) -> Bool {
    let (old, new) = (periods[before], periods[index])
    if old.event.product != new.event.product || old.position?.isLast == true { return true }
    if old.isRefunded, old.cut == .refund { return true }
    if let end = old.end, new.start - end > ReceiptSettings.instalmentRetrySeconds { return true }
    // If receipts state positions, a new price does not begin a term: it may only be the end of an
    // offer.
    guard new.event.instalmentNumber == 0 else { return false }
    guard let oldPrice = old.event.price, let newPrice = new.event.price else { return false }
    return old.event.currency == new.event.currency && oldPrice != newPrice
  }

  /// Returns the terms of a chain: METRICS.md 10.3.
  ///
  /// - Parameter chain: One of the customer's chains.
  /// - Returns: The terms in order; none in most chains.
  package func commitmentTerms(of chain: ReceiptChain) -> [CommitmentTerm<Instant>] {
    var terms: [CommitmentTerm<Instant>] = []
    for index in chain.periods
    where periods[index].isInstalment && !periods[index].isPassedOver && periods[index].end != nil {
      if periods[index].beginsTerm || terms.isEmpty {
        terms.append(CommitmentTerm(instalments: [], ending: .open))
      }
      terms[terms.count - 1].instalments.append(index)
    }
    for index in terms.indices {
      guard let last = terms[index].instalments.last else { continue }
      terms[index].ending = ending(of: last, chain)
    }
    return terms
  }

  /// Returns how the term of an instalment ended, if no instalment of the term follows it.
  private func ending(of last: Int, _ chain: ReceiptChain) -> CommitmentTerm<Instant>.Ending {
    let period = periods[last]
    guard let end = period.end else { return .open }
    if period.isRefunded, period.cut == .refund { return .refunded }
    let next = periods[(last + 1)..<chain.periods.upperBound].first { !$0.isPassedOver }
    if period.position?.isLast == true { return .complete }
    if period.isUpgraded { return .changed(next?.start ?? end) }
    guard let next else { return .open }
    return next.start - end <= ReceiptSettings.changeSeconds ? .changed(next.start) : .lost
  }
}
