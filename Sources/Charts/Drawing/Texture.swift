/// The thin lines or dots in the page's colour on the bars of a series.
enum Texture: CaseIterable {
  case plain, rising, dotted, falling, level, crossed, upright, coarse

  /// The side of the square that is repeated.
  var side: Double {
    switch self {
    case .coarse: 10
    case .dotted: 5
    default: 6
    }
  }

  /// The lines of a square; drawn in the page's colour, 1.3 wide.
  var lines: String {
    switch self {
    case .plain: ""
    case .rising, .coarse:
      "M0 \(whole)L\(whole) 0M-1 1L1 -1M\(whole - 1) \(whole + 1)L\(whole + 1) \(whole - 1)"
    case .falling:
      "M0 0L\(whole) \(whole)M-1 \(whole - 1)L1 \(whole + 1)M\(whole - 1) -1L\(whole + 1) 1"
    case .dotted: "M1.5 2.5h2"
    case .level: "M0 3H6"
    case .upright: "M3 0V6"
    case .crossed: "M0 3H6M3 0V6"
    }
  }

  private var whole: Int { Int(side) }
}
