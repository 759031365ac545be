/// An event on the x axis of a chart over time, drawn as a dashed vertical line.
package struct EventMark: Hashable, Sendable {
  /// The index of the label at which the event happened, from 0.
  package var index: Int

  /// A few words, such as `price +20 %`.
  package var label: String

  package init(index: Int, label: String) {
    self.index = index
    self.label = label
  }
}
