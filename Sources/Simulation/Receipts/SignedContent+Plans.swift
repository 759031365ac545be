/// The JSON members of signed transactions and renewals for billing plans and commitments.
extension SignedContent {
  /// Appends a transaction's billing plan and, for an instalment, its commitment.
  func appendPlan(of purchase: Purchase, to json: inout JSONText) {
    let instalment = Int(purchase.terms.instalment)
    json.member("billingPlanType", Self.plan(isMonthly: instalment > 0))
    guard instalment > 0 else { return }
    json.object("commitmentInfo") { json in
      json.member("billingPeriodNumber", instalment)
      json.member("totalBillingPeriods", CommitmentHistory.length)
      json.member("commitmentPrice", sum(prices.amounts(purchase.terms)))
      if let termEnds = purchase.termEnds { json.member("commitmentExpiresDate", termEnds) }
    }
  }

  /// Appends the billing plan of the next period, and what follows the commitment.
  func appendPlan(after last: Purchase, _ state: RenewalState, to json: inout JSONText) {
    let isMonthly = state.nextInstalment(after: last) > 0
    if state.willRenew {
      json.member("renewalBillingPlanType", Self.plan(isMonthly: isMonthly))
    }
    guard last.terms.instalment > 0 else { return }
    let staysMonthly = !state.nextIsUpfront && state.nextProduct == Int(last.terms.product)
    json.object("commitmentInfo") { json in
      json.member("commitmentAutoRenewProductId", Catalog.products[state.nextProduct].sku)
      json.member("commitmentAutoRenewStatus", state.endsWithTerm ? 0 : 1)
      guard !state.endsWithTerm else { return }
      json.member("commitmentRenewalBillingPlanType", Self.plan(isMonthly: staysMonthly))
      if let termEnds = last.termEnds { json.member("commitmentRenewalDate", termEnds) }
      json.member("commitmentRenewalPrice", renewalSum(last, state, isMonthly: staysMonthly))
    }
  }

  /// Returns the whole price of the next commitment, or of the next year, in milliunits.
  private func renewalSum(_ last: Purchase, _ state: RenewalState, isMonthly: Bool) -> Int {
    let amounts = renewalAmounts(
      last, product: state.nextProduct, instalment: isMonthly ? 1 : 0)
    return isMonthly ? sum(amounts) : amounts.price * 10
  }

  /// Returns the price of twelve instalments in milliunits.
  private func sum(_ amounts: Amounts) -> Int {
    amounts.price * 10 * CommitmentHistory.length
  }

  private static func plan(isMonthly: Bool) -> String { isMonthly ? "MONTHLY" : "BILLED_UPFRONT" }
}

extension RenewalState {
  /// Returns the next charge's position in a commitment, or 0 if it will be no instalment.
  func nextInstalment(after last: Purchase) -> UInt8 {
    nextProduct == Int(last.terms.product)
      ? last.terms.nextInstalment(isUpfront: nextIsUpfront) : 0
  }
}
