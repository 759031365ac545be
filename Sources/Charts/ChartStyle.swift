/// The colours of charts, as rules for a page's stylesheet.
package enum ChartStyle {
  /// Rules for the classes of all charts, in light and dark, of about half a kilobyte.
  ///
  /// A page with a dark scheme needs them: the attributes of the elements have the colours of a light page. The page may
  /// set the variable `--paper` to the colour of its ground; otherwise that is `#fff`, in the dark `#121212`.
  package static let css =
    """
    .chart{display:block;width:100%;height:auto}
    .chart .paper{fill:var(--paper,#fff)}
    .chart .gap{stroke:var(--paper,#fff)}
    @media screen and (prefers-color-scheme:dark){
    .chart .paper{fill:var(--paper,#121212)}
    .chart .gap{stroke:var(--paper,#121212)}
    \(darkColours)
    }

    """

  private static let darkColours = Palette.dark.enumerated()
    .map { ".chart .c\($0.offset + 1){color:\($0.element)}" }.joined(separator: "\n")
}
