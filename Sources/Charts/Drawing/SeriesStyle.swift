/// The look of a series: colour, dashes, marker and pattern.
///
/// Each differs from those of its neighbours.
struct SeriesStyle: Hashable {
  /// The number of the style, from 0 to 7.
  let number: Int

  static let count = 8

  /// The style without a colour of its own, for totals and rests.
  static let grey = SeriesStyle(5)

  /// Creates the style of a series.
  ///
  /// - Parameter index: The index of the series; the ninth looks like the first.
  init(_ index: Int) { number = index % Self.count }

  /// The class of its elements: `c1` to `c8`.
  var name: String { "c\(number + 1)" }

  /// The colour on a light page.
  var colour: String { Palette.light[number] }

  /// The lengths of the dashes of its line; nil is a solid line.
  var dashes: String? {
    [nil, "7 3", "2 3", "10 3 2 3", "4 2", "12 4", "1 2", "8 2 1 2 1 2"][number]
  }

  /// The shape of its markers.
  var marker: Marker { Marker.allCases[number % Marker.allCases.count] }

  /// The pattern of its bars.
  var texture: Texture { Texture.allCases[number % Texture.allCases.count] }
}
