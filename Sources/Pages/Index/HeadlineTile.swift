import Charts
import Pipeline
import Rendering
import SubscriptionModel
import Tables

/// A headline number in words, with its line of the last months: a tile at the top of `index.html`.
struct HeadlineTile {
  /// The number's name, with the currency of an amount.
  let label: String
  let value: HeadlineValue
  /// The number, such as `13.15%`; `no data` where it is not known.
  let number: String
  /// Whether the reports that the number is made from have rows in the month.
  let isKnown: Bool
  /// The interval and the counts of a rate, such as `95 % interval 9.73 to 17.53%; 38 of 289`; blank for others.
  let certainty: String
  /// How the number compares with the month and the year before.
  let changes: [String]
  /// The meaning of a state that is not final; blank for a final one.
  let state: String
}

extension HeadlineWords {
  /// The headline numbers as tiles, in order.
  var tiles: [HeadlineTile] {
    // Where no sentence says what "at the same age" is, the first tile that compares does.
    let explaining =
      sentencesExplainAge ? nil : values.firstIndex { comparison($0, $0.before) != nil }
    return values.indices.map { tile(values[$0], explainsAge: $0 == explaining) }
  }

  private func tile(_ value: HeadlineValue, explainsAge: Bool) -> HeadlineTile {
    var certainty: [String] = []
    if let interval = intervalText(value) { certainty.append("95 % interval \(interval)") }
    if case .text(let counts) = countsCell(value) { certainty.append(counts) }
    return HeadlineTile(
      label: value.headline.label + (value.currency.isEmpty ? "" : ", " + value.currency),
      value: value, number: number(value), isKnown: isKnown(value),
      certainty: certainty.joined(separator: "; "),
      changes: [
        change(value, since: value.before, explainsAge: explainsAge),
        change(value, since: value.yearBefore),
      ].compactMap { $0 },
      state: meaning(of: value))
  }

  /// Returns how a number compares with an earlier month: a rate at the same age, and with its value of today beside.
  private func change(
    _ value: HeadlineValue, since earlier: HeadlineValue.Earlier, explainsAge: Bool = false
  ) -> String? {
    if value.headline.isRate {
      guard let comparison = comparison(value, earlier, explainsAge: explainsAge) else {
        return nil
      }
      let today = Self.text(earlier.today)
      let then = Self.text(earlier.atSameAge)
      return "\(comparison) (\(then)\(then == today ? "" : "; as known today \(today)"))"
    }
    let change = HeadlineFigures.change(
      from: earlier.today, to: value.value, currency: value.currency)
    guard case .text(let text) = change else { return nil }
    let before = Self.text(earlier.today, currency: value.currency)
    return "\(text) since \(name(earlier.month)) (\(before))"
  }
}

extension HeadlineValue {
  /// How a chart prints the number.
  var format: ValueFormat {
    switch value {
    case .ratio: .percent
    case .money: .amount(decimals: NumberStyle.decimals(of: currency))
    default: .count
    }
  }
}
