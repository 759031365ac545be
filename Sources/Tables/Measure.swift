/// What a contribution adds to a cell.
package enum Measure: Sendable {
  /// 1.
  case count
  /// The customer price that was paid or given back.
  case price
  /// The developer's proceeds of the charge, or those given back.
  case proceeds
}
