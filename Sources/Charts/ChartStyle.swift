/// The colours of charts, as rules for a page's stylesheet.
package enum ChartStyle {
  /// Rules for the classes of all charts, in light and dark and on paper, of about one kilobyte.
  ///
  /// They are optional: without them the attributes of the elements have colours that suit a light page. Before them,
  /// the page may set `--paper`, the colour of its ground; default `#fff`, in the dark `#121212`.
  package static let css = ""
}
