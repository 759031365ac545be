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

  /// Computes the formulas.
  ///
  /// - Parameters:
  ///   - asked: The row of the table.
  ///   - sums: The sums of the renewals that it counts.
  ///   - oldProceeds: The last proceeds at the old price of all reached, in milliunits.
  ///   - maker: Makes the cells of the row.
  init(
    _ asked: AskedImpact, _ sums: ImpactSums, oldProceeds: Int128, _ maker: PriceTableMaker
  ) {
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
    let comparison = impact.comparison
    switch formula {
    case .weights:
      guard !strata.isEmpty else { return nil }
      let all = strata.map { "\($0.reached.due) (\($0.ordinal.name))" }.joined(separator: ", ")
      return Formula("weights: the reached by their number of paid periods are \(all)")
    case .afterRate:
      guard let churn = comparison.excessChurn, churn.value.isFinite else { return nil }
      let renewed = strata.reduce(0) { $0 + $1.reached.renewed }
      return Formula("renewal rate of the same reached = \(renewed)/\(weight) = \(afterRate)")
    case .counterfactualRate:
      guard let rate = comparison.counterfactualRate else { return nil }
      return Formula(
        "expected renewal rate = baseline_rate + control_after_rate - control_before_rate, from 0 to 1 = \(text(rate))"
      )
    case .renewalRate: return result("renewal_rate", renewalRate)
    case .renewalInterval:
      return result(
        of: ["renewal_low", "renewal_high"],
        "the 95 % Wilson interval of \(impact.continued)/\(impact.reached)")
    case .baselineRate: return result("baseline_rate", weighted(\.baseline))
    case .controlBeforeRate: return result("control_before_rate", weighted(\.controlBefore))
    case .controlAfterRate: return result("control_after_rate", weighted(\.controlAfter))
    case .excessChurn: return result("excess_churn", excessChurn)
    case .excessInterval:
      return result(
        of: ["excess_low", "excess_high"],
        "the 95 % interval of these four rates, with Newcombe's formula")
    case .counterfactual:
      return result(
        "proceeds_counterfactual",
        "\(money(oldProceeds)) × \(comparison.counterfactualRate.map(text) ?? "")")
    case .netEffect: return result("net_effect", netEffect)
    case .volumeEffect: return result("volume_effect", volumeEffect)
    case .breakEvenLoss: return result("break_even_loss", prices { "1 - \($0) / \($1)" })
    case .breakEvenChurn:
      return result(
        "break_even_churn",
        prices { "(1 - \(value("baseline_rate"))) × \($1) / \($0)" })
    case .observedLoss:
      return result(
        "observed_loss",
        "\(value("excess_churn")) / \(comparison.counterfactualRate.map(text) ?? "")")
    case .observedInterval:
      return result(
        of: ["observed_loss_low", "observed_loss_high"],
        "excess_low and excess_high divided by the same rate")
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

  private var excessChurn: String {
    let control = "\(value("control_after_rate")) - \(value("control_before_rate"))"
    return "-((\(afterRate) - \(value("baseline_rate"))) - (\(control)))"
  }

  private var netEffect: String {
    "\(value("proceeds_actual")) - \(value("proceeds_counterfactual")) - \(operand("share_effect"))"
  }

  private var volumeEffect: String {
    "\(value("net_effect")) - \(operand("price_effect")) - \(operand("mix_effect"))"
  }

  /// Returns an expression of the old and the new price.
  private func prices(_ expression: (String, String) -> String) -> String {
    guard let own = impact.breakEven else { return "" }
    return expression(money(Int128(own.oldPrice)), money(Int128(own.newPrice)))
  }

  // MARK: Texts

  /// Returns `column = expression = value, as FILE says`; `nil` for a cell without a number.
  private func result(_ column: String, _ expression: String) -> Formula? {
    guard hasNumber(column) else { return nil }
    return Formula(column, expression, found.cell(column), expected.cell(column), in: fileName)
  }

  /// Returns `low, high = values, as FILE says: what they are`; `nil` for cells without a number.
  private func result(of columns: [String], _ what: String) -> Formula? {
    guard columns.allSatisfy(hasNumber) else { return nil }
    let names = columns.joined(separator: ", ")
    let values = columns.map(value).joined(separator: ", ")
    let others = columns.map { expected.cell($0).machineText }.joined(separator: ", ")
    let holds = columns.allSatisfy { found.cell($0) == expected.cell($0) }
    let end = Formula.end(holds, "\(fileName) says", others)
    return Formula("\(names) = \(values), \(end): \(what)", holds: holds)
  }

  private func hasNumber(_ column: String) -> Bool {
    found.cell(column) != .missing || expected.cell(column) != .missing
  }

  private func value(_ column: String) -> String { found.cell(column).machineText }

  /// Returns a number to subtract, in parentheses if it is negative.
  private func operand(_ column: String) -> String {
    let text = value(column)
    return text.hasPrefix("-") ? "(\(text))" : text
  }

  private func text(_ rate: Double) -> String { NumberStyle.rate(rate) ?? "" }

  private func money(_ milliunits: Int128) -> String { NumberStyle.money(milliunits: milliunits) }
}
