import PriceImpact
import SubscriptionModel
import Tables

/// A column of `price_impact.csv`, and how it is explained.
struct ImpactColumn: Sendable {
  let name: String
  /// What the column adds up; `nil` if it is computed from other columns.
  let part: ImpactPart?
  /// The columns and formulas that lead to its number, with its own.
  let inputs: Set<String>

  /// The proceeds at the old price, an input of the money expected without the increase; the table has no such column.
  static let oldProceeds = ImpactColumn("old_proceeds", .oldProceeds)

  /// The columns that can be explained, in the order of the table.
  static let all: [ImpactColumn] = {
    let computed = ImpactFormula.allCases.flatMap { formula in
      formula.columns.map { ImpactColumn($0, formula) }
    }
    let known = Dictionary(uniqueKeysWithValues: (sums + computed).map { ($0.name, $0) })
    return PriceTable.impact.allColumns.compactMap { known[$0.column.name] }
  }()

  /// The columns that a source can have.
  static func columns(of source: Source) -> [ImpactColumn] {
    all.filter { column in
      if column.part?.isOfReasons == true { return source.hasReasons }
      return !column.isOfProceeds || source == .subscribers
    }
  }

  /// Whether the column adds up proceeds, or is computed from them; receipts have none.
  private var isOfProceeds: Bool { part?.isMoney == true || inputs.contains(Self.oldProceeds.name) }

  private init(_ name: String, _ part: ImpactPart) {
    (self.name, self.part, inputs) = (name, part, [name])
  }

  private init(_ name: String, _ formula: ImpactFormula) {
    (self.name, part, inputs) = (name, nil, formula.allInputs)
  }

  private init(_ name: String, _ fact: ExposureFact) { self.init(name, .facts([fact])) }

  private static let sums: [ImpactColumn] = [
    ImpactColumn("exposed", .exposed), ImpactColumn("not_reached", .notReached),
    ImpactColumn("preserved", .preserved), ImpactColumn("reached", .reached),
    ImpactColumn("renewed_new_price", .renewedNewPrice),
    ImpactColumn("renewed_old_price", .renewedOldPrice),
    ImpactColumn("renewed_other_price", .renewedOtherPrice),
    ImpactColumn("changed_product", .changedProduct),
    ImpactColumn("changed_to_cheaper", .changedToCheaper), ImpactColumn("recovered", .recovered),
    ImpactColumn("lapsed", .lapsed), ImpactColumn("lapsed_price_reason", .lapsedPriceReason),
    ImpactColumn("pending", .pending), ImpactColumn("refunded_60d", ExposureFact.refunded),
    ImpactColumn("consent_asked", .consentAsked), ImpactColumn("consent_given", .consentGiven),
    ImpactColumn("consent_pending", .consentPending), ImpactColumn("notified", .notified),
    ImpactColumn("baseline_due", .periods(.baseline)),
    ImpactColumn("control_before_due", .periods(.controlBefore)),
    ImpactColumn("control_after_due", .periods(.controlAfter)),
    ImpactColumn("unmatched", .unmatched), ImpactColumn("proceeds_actual", .actual),
    ImpactColumn("price_effect", .priceEffect), ImpactColumn("mix_effect", .mixEffect),
    ImpactColumn("share_effect", .shareEffect),
  ]
}

/// A formula with which a number of `price_impact.csv` is computed from others: METRICS.md section 6.
///
/// The order of the cases is that in which they are printed.
enum ImpactFormula: String, CaseIterable, Sendable {
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

  /// The columns of its results; none for a number that the table does not have.
  var columns: [String] {
    switch self {
    case .renewalRate: ["renewal_rate"]
    case .renewalInterval: ["renewal_low", "renewal_high"]
    case .weights, .afterRate, .counterfactualRate: []
    case .baselineRate: ["baseline_rate"]
    case .controlBeforeRate: ["control_before_rate"]
    case .controlAfterRate: ["control_after_rate"]
    case .excessChurn: ["excess_churn"]
    case .excessInterval: ["excess_low", "excess_high"]
    case .counterfactual: ["proceeds_counterfactual"]
    case .netEffect: ["net_effect"]
    case .volumeEffect: ["volume_effect"]
    case .breakEvenLoss: ["break_even_loss"]
    case .breakEvenChurn: ["break_even_churn"]
    case .observedLoss: ["observed_loss"]
    case .observedInterval: ["observed_loss_low", "observed_loss_high"]
    }
  }

  /// The columns that it adds up or divides, and the formulas before it.
  private var inputs: (columns: [String], formulas: [ImpactFormula]) {
    let rates: [ImpactFormula] = [.baselineRate, .controlBeforeRate, .controlAfterRate]
    return switch self {
    case .renewalRate:
      (
        [
          "renewed_new_price", "renewed_old_price", "renewed_other_price", "changed_product",
          "reached",
        ], []
      )
    case .renewalInterval: ([], [.renewalRate])
    case .weights: (["reached"], [])
    case .baselineRate: (["baseline_due"], [.weights])
    case .controlBeforeRate: (["control_before_due"], [.weights])
    case .controlAfterRate: (["control_after_due"], [.weights])
    case .afterRate: ([], [.weights])
    case .excessChurn: ([], rates + [.afterRate])
    case .excessInterval: ([], [.excessChurn])
    case .counterfactualRate: ([], rates)
    case .counterfactual: ([ImpactColumn.oldProceeds.name], [.counterfactualRate])
    case .netEffect: (["proceeds_actual", "share_effect"], [.counterfactual])
    case .volumeEffect: (["price_effect", "mix_effect"], [.netEffect])
    case .breakEvenLoss: ([], [])
    case .breakEvenChurn: ([], [.baselineRate])
    case .observedLoss: ([], [.excessChurn, .counterfactualRate])
    case .observedInterval: ([], [.excessInterval, .observedLoss])
    }
  }

  /// All columns and formulas that lead to its number, with its own.
  var allInputs: Set<String> {
    let (columns, formulas) = inputs
    return formulas.reduce(Set(columns + [rawValue])) { $0.union($1.allInputs) }
  }
}
