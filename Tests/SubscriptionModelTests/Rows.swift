import SubreportTestSupport
import SubscriptionModel

/// Returns the history of one subscriber between 2024-01-01 and 2024-12-31, or another as-of.
func history(_ rows: Purchase..., asOf: String = "2024-12-31") -> ChainBuilder {
  history(of: rows, asOf: asOf)
}

/// Returns the history of one subscriber, whose rows are in file order.
func history(of rows: [Purchase], asOf: String = "2024-12-31") -> ChainBuilder {
  var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day(asOf))
  world.add(rows)
  return world.history()
}
