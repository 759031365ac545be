import PriceImpact
import SubscriptionModel
import Tables

/// A column of `price_impact.csv`, and how it is explained.
struct ImpactColumn: Sendable {
  let name: String
  /// What the column adds up; `nil` if it is computed from other columns.
  let part: ImpactPart?
  /// The columns whose contributions are listed for it.
  let lists: [String]
  /// The formulas that lead to it, in order.
  let formulas: [ImpactFormula]

  /// The proceeds at the old price, an input of the money expected without the increase; the table has no such column.
  static let oldProceeds = ImpactColumn("old_proceeds", .oldProceeds)

  /// The columns that can be explained, in the order of the table.
  static let all: [ImpactColumn] = {
    let known = counts + rates + money + breakEven
    let names = PriceTable.impact.allColumns.map(\.column.name)
    return names.compactMap { name in known.first { $0.name == name } }
  }()

  /// The columns that a source can have.
  static func columns(of source: Source) -> [ImpactColumn] {
    all.filter { column in
      if column.part?.isOfReasons == true { return source.hasReasons }
      return !column.isOfProceeds || source == .subscribers
    }
  }

  /// Whether the column adds up proceeds, or is computed from them; receipts have none.
  private var isOfProceeds: Bool { part?.isMoney == true || lists.contains(Self.oldProceeds.name) }

  private init(_ name: String, _ part: ImpactPart) {
    (self.name, self.part, lists, formulas) = (name, part, [name], [])
  }

  private init(_ name: String, _ lists: [String], _ formulas: [ImpactFormula]) {
    (self.name, part, self.lists, self.formulas) = (name, nil, lists, formulas)
  }

  private static let counts: [ImpactColumn] = [
    ImpactColumn("exposed", .exposed), ImpactColumn("not_reached", .facts([.notReached])),
    ImpactColumn("preserved", .facts([.preserved])), ImpactColumn("reached", .reached),
    ImpactColumn("renewed_new_price", .facts([.renewedNewPrice])),
    ImpactColumn("renewed_old_price", .facts([.renewedOldPrice])),
    ImpactColumn("renewed_other_price", .facts([.renewedOtherPrice])),
    ImpactColumn("changed_product", .facts([.changedProduct])),
    ImpactColumn("changed_to_cheaper", .facts([.changedToCheaper])),
    ImpactColumn("recovered", .facts([.recovered])), ImpactColumn("lapsed", .facts([.lapsed])),
    ImpactColumn("lapsed_price_reason", .facts([.lapsedPriceReason])),
    ImpactColumn("pending", .facts([.pending])),
    ImpactColumn("refunded_60d", .facts([.refunded])),
    ImpactColumn("consent_asked", .facts([.consentAsked])),
    ImpactColumn("consent_given", .facts([.consentGiven])),
    ImpactColumn("consent_pending", .facts([.consentPending])),
    ImpactColumn("notified", .facts([.notified])),
    ImpactColumn("baseline_due", .periods(.baseline)),
    ImpactColumn("control_before_due", .periods(.controlBefore)),
    ImpactColumn("control_after_due", .periods(.controlAfter)),
    ImpactColumn("unmatched", .unmatched),
  ]

  private static let continued = [
    "renewed_new_price", "renewed_old_price", "renewed_other_price", "changed_product", "reached",
  ]
  private static let baseline = ["reached", "baseline_due"]
  private static let compared = baseline + ["control_before_due", "control_after_due"]
  private static let baselineRate: [ImpactFormula] = [.weights, .baselineRate]
  private static let controlRates: [ImpactFormula] = [.controlBeforeRate, .controlAfterRate]
  private static let excess: [ImpactFormula] =
    baselineRate + controlRates + [.afterRate, .excessChurn]
  private static let observed: [ImpactFormula] = excess + [.counterfactualRate, .observedLoss]
  private static let counterfactual: [ImpactFormula] =
    baselineRate + controlRates + [.counterfactualRate, .counterfactual]

  private static let rates: [ImpactColumn] = [
    ImpactColumn("renewal_rate", continued, [.renewalRate]),
    ImpactColumn("renewal_low", continued, [.renewalRate, .renewalInterval]),
    ImpactColumn("renewal_high", continued, [.renewalRate, .renewalInterval]),
    ImpactColumn("baseline_rate", baseline, baselineRate),
    ImpactColumn(
      "control_before_rate", ["reached", "control_before_due"], [.weights, .controlBeforeRate]),
    ImpactColumn(
      "control_after_rate", ["reached", "control_after_due"], [.weights, .controlAfterRate]),
    ImpactColumn("excess_churn", compared, excess),
    ImpactColumn("excess_low", compared, excess + [.excessInterval]),
    ImpactColumn("excess_high", compared, excess + [.excessInterval]),
  ]

  private static let money: [ImpactColumn] = [
    ImpactColumn("proceeds_actual", .actual),
    ImpactColumn(
      "proceeds_counterfactual", [oldProceeds.name] + compared, counterfactual),
    ImpactColumn("price_effect", .priceEffect), ImpactColumn("mix_effect", .mixEffect),
    ImpactColumn("share_effect", .shareEffect),
    ImpactColumn(
      "net_effect", ["proceeds_actual", "share_effect", oldProceeds.name] + compared,
      counterfactual + [.netEffect]),
    ImpactColumn(
      "volume_effect",
      ["proceeds_actual", "price_effect", "mix_effect", "share_effect", oldProceeds.name]
        + compared,
      counterfactual + [.netEffect, .volumeEffect]),
  ]

  private static let breakEven: [ImpactColumn] = [
    ImpactColumn("break_even_loss", [], [.breakEvenLoss]),
    ImpactColumn("break_even_churn", baseline, baselineRate + [.breakEvenChurn]),
    ImpactColumn("observed_loss", compared, observed),
    ImpactColumn("observed_loss_low", compared, observed + [.excessInterval, .observedInterval]),
    ImpactColumn("observed_loss_high", compared, observed + [.excessInterval, .observedInterval]),
  ]
}

/// A formula with which a number of `price_impact.csv` is computed from others: METRICS.md section 6.
enum ImpactFormula: CaseIterable, Sendable {
  case renewalRate, renewalInterval
  /// The ages of the reached, by which rates are weighted.
  case weights
  case baselineRate, controlBeforeRate, controlAfterRate
  /// The rate of the reached of the compared ages.
  case afterRate
  case excessChurn, excessInterval
  /// The renewal rate expected without the increase.
  case counterfactualRate
  case counterfactual, netEffect, volumeEffect
  case breakEvenLoss, breakEvenChurn, observedLoss, observedInterval
}
