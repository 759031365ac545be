/// The ticks of a vertical axis, for a figure that a script draws by the same rules as ``LineChart``.
///
/// They are evenly spread from ``low`` to ``high``: rates from 1 % to 28 % have `0 %`, `10 %`, `20 %` and `30 %`.
package struct AxisTicks: Hashable, Sendable {
  /// The first tick, in the unit of the format's text: 10 for 10 %.
  package let low: Double

  /// The last tick, in the same unit.
  package let high: Double

  /// The text of each tick, from the lowest to the highest.
  package let texts: [String]

  /// Chooses ticks.
  ///
  /// - Parameters:
  ///   - values: The values and the ends of their intervals; those that cannot be drawn are left out.
  ///   - format: How values become text.
  package init(_ values: [Double], _ format: ValueFormat) {
    let domain = Domain(values.compactMap(\.plottable), startsAtZero: false)
    let ticks = Ticks(low: domain.low, high: domain.high, format: format)
    (low, high) = (Self.scaled(ticks.low, format), Self.scaled(ticks.high, format))
    texts = ticks.texts(format)
  }

  /// Returns a value in the unit of its text: 0.07 is 7 %, and not 7.000000000000001 %.
  private static func scaled(_ value: Double, _ format: ValueFormat) -> Double {
    let scaled = value * format.factor
    let rounded = (scaled * 1e6).rounded() / 1e6
    return (rounded - scaled).magnitude <= scaled.magnitude * 1e-12 ? rounded : scaled
  }
}
