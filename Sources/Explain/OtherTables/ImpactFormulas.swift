import PriceImpact
import Rendering
import SubscriptionModel
import Tables

/// The formulas of a row of `price_impact.csv` with their numbers, computed once more from what the row counts.
struct ImpactFormulas {
  /// The row, made from its contributions.
  private let impact: PriceImpact
  private let strata: [ImpactSums.Stratum]
  /// The last proceeds at the old price of all reached, in milliunits.
  private let oldProceeds: Int128
  /// That row, and the one of the table.
  private let found: ReportTable.NamedRow
  private let expected: ReportTable.NamedRow
  private let fileName: String

  /// Computes the formulas of a row from the sums of the renewals that it counts.
  init(_ asked: AskedImpact, _ sums: ImpactSums, oldProceeds: Int128, _ maker: PriceTableMaker) {
    impact = asked.row.impact(from: sums)
    strata = sums.strata(impact.comparison)
    self.oldProceeds = oldProceeds
    (expected, fileName) = (asked.cells, asked.fileName)
    let columns = PriceTable.impact.columns(for: asked.view.dimensions)
    found =
      ReportTable(
        name: "", dimensions: [], columns: columns, rows: [maker.cells(of: impact)]
      ).namedRows[0]
  }

  /// Returns a formula with its numbers; `nil` if the row has no such number.
  func formula(_ formula: ImpactFormula) -> Formula? {
    let columns = formula.columns
    guard hasNumber(formula) else { return nil }
    if columns.isEmpty { return Formula(words(formula)) }
    if columns.count == 1 {
      return Formula(
        columns[0], words(formula), found.cell(columns[0]), expected.cell(columns[0]), in: fileName)
    }
    let values = columns.map(value).joined(separator: ", ")
    let others = columns.map { expected.cell($0).machineText }.joined(separator: ", ")
    let holds = columns.allSatisfy { found.cell($0) == expected.cell($0) }
    let end = Formula.end(holds, "\(fileName) says", others)
    return Formula(
      "\(columns.joined(separator: ", ")) = \(values), \(end): \(words(formula))", holds: holds)
  }

  private func hasNumber(_ formula: ImpactFormula) -> Bool {
    switch formula {
    case .weights: !strata.isEmpty
    case .afterRate: impact.comparison.excessChurn?.value.isFinite == true
    case .counterfactualRate: impact.comparison.counterfactualRate != nil
    default:
      formula.columns.allSatisfy { found.cell($0) != .missing || expected.cell($0) != .missing }
    }
  }

  /// Returns the formula of a column with its numbers, what two bounds are, or the sentence about another number.
  private func words(_ formula: ImpactFormula) -> String {
    switch formula {
    case .weights:
      let all = strata.map { "\($0.reached.due) (\($0.ordinal.name))" }.joined(separator: ", ")
      return "weights: the reached by their number of paid periods are \(all)"
    case .afterRate:
      let renewed = strata.reduce(0) { $0 + $1.reached.renewed }
      return "renewal rate of the same reached = \(renewed)/\(weight) = \(afterRate)"
    case .counterfactualRate:
      return
        "expected renewal rate = baseline_rate + control_after_rate - control_before_rate, from 0 to 1 = \(expectedRate)"
    case .renewalRate: return renewalRate
    case .renewalInterval:
      return "the 95 % Wilson interval of \(impact.continued)/\(impact.reached)"
    case .baselineRate: return weighted(\.baseline)
    case .controlBeforeRate: return weighted(\.controlBefore)
    case .controlAfterRate: return weighted(\.controlAfter)
    case .excessChurn:
      let control = "\(value("control_after_rate")) - \(value("control_before_rate"))"
      return "-((\(afterRate) - \(value("baseline_rate"))) - (\(control)))"
    case .excessInterval: return "the 95 % interval of these four rates, with Newcombe's formula"
    case .counterfactual: return "\(NumberStyle.money(milliunits: oldProceeds)) × \(expectedRate)"
    case .netEffect:
      return
        "\(value("proceeds_actual")) - \(value("proceeds_counterfactual")) - \(operand("share_effect"))"
    case .volumeEffect:
      return "\(value("net_effect")) - \(operand("price_effect")) - \(operand("mix_effect"))"
    case .breakEvenLoss: return prices { "1 - \($0) / \($1)" }
    case .breakEvenChurn: return prices { "(1 - \(value("baseline_rate"))) × \($1) / \($0)" }
    case .observedLoss: return "\(value("excess_churn")) / \(expectedRate)"
    case .observedInterval: return "excess_low and excess_high divided by the same rate"
    }
  }

  // MARK: Expressions

  private var renewalRate: String {
    let facts: [ExposureFact] = [
      .renewedNewPrice, .renewedOldPrice, .renewedOtherPrice, .changedProduct,
    ]
    let sum = facts.map { String(impact.count($0)) }.joined(separator: " + ")
    return "(\(sum)) / \(impact.reached)"
  }

  /// The number of compared reached.
  private var weight: Int { strata.reduce(0) { $0 + $1.reached.due } }

  private var afterRate: String {
    NumberStyle.rate(
      Int128(strata.reduce(0) { $0 + $1.reached.renewed }), over: Int128(max(weight, 1)))
  }

  /// Returns such as `(20 × 52/60 + 82 × 180/200) / 102`.
  private func weighted(_ group: KeyPath<ImpactSums.Stratum, (due: Int, renewed: Int)>) -> String {
    let terms = strata.map { stratum in
      let counts = stratum[keyPath: group]
      return "\(stratum.reached.due) × \(counts.renewed)/\(counts.due)"
    }
    return "(\(terms.joined(separator: " + "))) / \(weight)"
  }

  /// Returns an expression of the old and the new price.
  private func prices(_ expression: (String, String) -> String) -> String {
    guard let own = impact.breakEven else { return "" }
    let money = { (price: Int64) in NumberStyle.money(milliunits: Int128(price)) }
    return expression(money(own.oldPrice), money(own.newPrice))
  }

  private func value(_ column: String) -> String { found.cell(column).machineText }

  /// Returns a number to subtract, in parentheses if it is negative.
  private func operand(_ column: String) -> String {
    let text = value(column)
    return text.hasPrefix("-") ? "(\(text))" : text
  }

  private var expectedRate: String {
    impact.comparison.counterfactualRate.flatMap { NumberStyle.rate($0) } ?? ""
  }
}

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

/// A formula of a computed number of `price_impact.csv`, in the order in which they are printed: METRICS.md section 6.
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

  /// The columns of its results, none for a number that the table does not have; the columns that it adds up or divides,
  /// and the formulas before it.
  private var entry: (columns: [String], inputs: [String], formulas: [ImpactFormula]) {
    let rates: [ImpactFormula] = [.baselineRate, .controlBeforeRate, .controlAfterRate]
    let continued = [
      "renewed_new_price", "renewed_old_price", "renewed_other_price", "changed_product",
    ]
    return switch self {
    case .renewalRate: (["renewal_rate"], continued + ["reached"], [])
    case .renewalInterval: (["renewal_low", "renewal_high"], [], [.renewalRate])
    case .weights: ([], ["reached"], [])
    case .baselineRate: (["baseline_rate"], ["baseline_due"], [.weights])
    case .controlBeforeRate: (["control_before_rate"], ["control_before_due"], [.weights])
    case .controlAfterRate: (["control_after_rate"], ["control_after_due"], [.weights])
    case .afterRate: ([], [], [.weights])
    case .excessChurn: (["excess_churn"], [], rates + [.afterRate])
    case .excessInterval: (["excess_low", "excess_high"], [], [.excessChurn])
    case .counterfactualRate: ([], [], rates)
    case .counterfactual:
      (["proceeds_counterfactual"], [ImpactColumn.oldProceeds.name], [.counterfactualRate])
    case .netEffect: (["net_effect"], ["proceeds_actual", "share_effect"], [.counterfactual])
    case .volumeEffect: (["volume_effect"], ["price_effect", "mix_effect"], [.netEffect])
    case .breakEvenLoss: (["break_even_loss"], [], [])
    case .breakEvenChurn: (["break_even_churn"], [], [.baselineRate])
    case .observedLoss: (["observed_loss"], [], [.excessChurn, .counterfactualRate])
    case .observedInterval:
      (["observed_loss_low", "observed_loss_high"], [], [.excessInterval, .observedLoss])
    }
  }

  /// The columns of its results; none for a number that the table does not have.
  var columns: [String] { entry.columns }

  /// All columns and formulas that lead to its number, with its own.
  var allInputs: Set<String> {
    let (_, inputs, formulas) = entry
    return formulas.reduce(Set(inputs + [rawValue])) { $0.union($1.allInputs) }
  }
}
