/// The colours of charts.
///
/// Blue and vermilion are those of Okabe and Ito. The others were chosen so that any two differ under each kind of colour
/// blindness, in lightness at least, and all have a contrast of 3 to 1 or more with the page: `light` with a white one,
/// `dark` with `#121212`.
enum Palette {
  /// The ground of a light page.
  static let paper = "#fff"

  /// The text of figures that are files of their own.
  static let ink = "#1a1a1a"

  /// The colours of series 1 to 8 on a light page.
  static let light = [
    "#0072b2", "#d55e00", "#2b5b31", "#b088ae", "#9a7235", "#6e6e6e", "#0464fa", "#aa2c00",
  ]

  /// The colours of series 1 to 8 on a dark page.
  static let dark = [
    "#56b4e9", "#ff9040", "#53f498", "#ffc8e6", "#c6e618", "#a6a6a6", "#bbd1ff", "#a8756b",
  ]
}
