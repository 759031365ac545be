import Counting
import PriceImpact
import Rendering
import SubscriptionModel

/// The fact and the sentence of a renewal that a row of `price_impact.csv` counts.
///
/// Example: `9.99 USD until 2026-06-12; the new price of 12.99 USD holds from 2026-06-01; charged 12.99 USD on
/// 2026-06-12`.
struct ImpactReason<Source: ExplainedSource> {
  let renewal: Renewal<Source>
  let part: ImpactPart
  let names: Names

  private var addition: ImpactAddition { renewal.addition }
  private var charge: PricedCharge { renewal.charge }
  private var own: ChargeTerms { renewal.own }

  /// The name of the fact: the outcome as the table's columns name it, or what followed a compared period.
  var factName: String {
    if addition.group == .notDue { return "not due" }
    let outcome = addition.outcome.flatMap { fact in
      ImpactColumn.all.first { $0.part == .facts([fact]) }
    }
    return outcome.map { String($0.name.map { $0 == "_" ? " " : $0 }) } ?? charge.fate.name
  }

  var sentence: String {
    switch addition.group {
    case .exposed: exposed + money + consent
    case .notDue: "\(price(own)) until \(charge.end); no renewal was due: \(whyNotDue)"
    case .baseline, .controlBefore:
      "paid until \(charge.end), in the 90 days before \(addition.dates.effective); \(whatFollowed)"
    case .controlAfter:
      "paid until \(charge.end), its first end since \(addition.dates.existing); \(whatFollowed)"
    }
  }

  /// Why a column leaves the renewal out, though it belongs to the row.
  var whyLeftOut: String {
    switch addition.group {
    case .exposed: "\(factName): \(sentence)"
    case .notDue: sentence
    case .baseline, .controlBefore, .controlAfter:
      "another group has no renewal of this age, so it is not compared; \(sentence)"
    }
  }

  private var whyNotDue: String {
    switch charge.ending {
    case .refunded: "a full refund ended it"
    case .boughtAgainSameDay: "it was bought again on the same day, so it has no length"
    case .transferred: Period.movedAway
    case .changedProduct, .fullEnd, .oldBillingDay: "a change of product cut it"
    }
  }

  // MARK: Those who met the increase

  private var exposed: String {
    let newPrice =
      addition.change?.newPrice.map { " of \(priceText($0, currency: currency))" } ?? ""
    let lead =
      "\(price(own)) until \(charge.end); the new price\(newPrice) holds from \(addition.dates.existing)"
    return "\(lead); \(outcome)\(refund)"
  }

  private var currency: String { names.text(own.price.currency) }

  private var outcome: String {
    switch addition.outcome {
    case .notReached:
      charge.end > renewal.asOf
        ? "not due yet; \(endOfData)"
        : "not decided yet: ended at most \(ChainBuilder.toleranceDays) days before \(endOfData)"
    case .preserved:
      "\(charged) with preserved pricing, so it keeps the old price"
    default: whatFollowed
    }
  }

  private var refund: String {
    guard part == .refunded, let day = renewal.refundDay else { return "" }
    return "; the whole price was given back on \(day)"
  }

  /// The proceeds that a column of money adds up.
  private var money: String {
    let (old, new) = addition.proceeds
    let text = { (amount: Int128) in NumberStyle.money(milliunits: amount) }
    return switch part {
    case .facts, .periods, .unmatched: ""
    case .actual: "; proceeds of \(text(new))"
    case .oldProceeds: "; proceeds of \(text(old)) before"
    case .priceEffect, .mixEffect, .shareEffect:
      "; proceeds of \(text(old)) before and \(text(new)) after"
    }
  }

  // MARK: Receipts

  /// The reason of a lapse for the price; in columns of consent, Apple's question and the answer.
  private var consent: String {
    guard let receipts = renewal.consent else { return "" }
    let reason =
      addition.has(.lapsedPriceReason)
      ? "; the renewal info says that the customer did not accept the price" : ""
    guard part.isOfConsent else { return reason }
    guard let asked = receipts.asked, let latest = receipts.latest else {
      return reason + "; no record around this renewal asks the customer for consent"
    }
    let question = "\(reason); the record of \(asked) asks for consent"
    if receipts.isGiven {
      return "\(question); that of \(latest), the latest, says agreed or not needed"
    }
    return asked == latest
      ? "\(question), and no later one answers"
      : "\(question); that of \(latest), the latest, has no answer"
  }

  // MARK: What followed

  private var whatFollowed: String {
    let days = own.retryDays
    switch charge.fate {
    case .continued:
      guard renewal.next != nil else { return "continued by an overlapping period" }
      return charged
    case .recovered: return "\(charged), within \(days) days"
    case .reactivated: return "\(charged), more than \(days) days later"
    case .openFinal: return "no charge within \(days) days; \(endOfData)"
    case .openProvisional: return "no charge so far, less than \(days) days before \(endOfData)"
    case .running:
      // Receipts compare seconds, and allow retries before a period counts as lapsed.
      return renewal.consent == nil
        ? "no charge so far, at most \(ChainBuilder.toleranceDays) days before \(endOfData)"
        : "no charge so far; \(endOfData)"
    }
  }

  /// Such as `charged 12.99 USD on 2026-06-12`, with the product if it is another one.
  private var charged: String {
    guard let next = renewal.next, let new = renewal.new else { return "charged again" }
    let what =
      new.attributes.product != own.attributes.product
      ? " for \(names.product(new.attributes.product))"
      : new.plan != own.plan ? " for another billing plan" : ""
    return "charged \(price(new))\(what) on \(next.start)"
  }

  private func price(_ terms: ChargeTerms) -> String {
    priceText(terms.price.milliunits, currency: names.text(terms.price.currency))
  }

  private var endOfData: String {
    "the data \(renewal.consent == nil ? "" : "of the subscription ")end on \(renewal.asOf)"
  }
}
