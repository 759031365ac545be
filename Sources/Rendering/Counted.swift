/// Returns a number and its noun for people, such as `1 row` or `1,096 rows`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(NumberStyle.grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}
