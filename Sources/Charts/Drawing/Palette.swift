/// The colours of charts.
///
/// Blue, vermilion, green and purple are those of Okabe and Ito, some of them darker. All have a contrast of 3 to 1 at
/// least with a white page; those of `dark` with a dark one.
enum Palette {
  /// The ground of a light page.
  static let paper = "#fff"

  /// The text of figures that are files of their own.
  static let ink = "#1a1a1a"

  /// The colours of series 1 to 8 on a light page.
  static let light = [
    "#0072b2", "#d55e00", "#00875f", "#b0569a", "#927000", "#6e6e6e", "#2b8cbe", "#7a4f2a",
  ]

  /// The colours of series 1 to 8 on a dark page.
  static let dark = [
    "#56b4e9", "#ff9040", "#2fc79a", "#e39bcd", "#e6b93c", "#a6a6a6", "#9ad0f0", "#c9a27e",
  ]
}
