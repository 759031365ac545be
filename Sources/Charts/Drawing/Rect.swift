/// A rectangle; y grows downwards.
struct Rect: Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
}
