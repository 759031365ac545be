/// A rectangle; y grows downwards.
struct Rect: Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var right: Double { x + width }
  var bottom: Double { y + height }
  var middle: Double { y + height / 2 }
}
