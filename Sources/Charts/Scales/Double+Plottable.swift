extension Double {
  /// The value as charts draw it: nil if it is not finite, at most 10^290, and 0 if it is nearer to zero than 10^-290.
  ///
  /// Sums and quotients of such values are finite.
  var plottable: Double? {
    guard isFinite else { return nil }
    if magnitude < 1e-290 { return 0 }
    return Swift.min(1e290, Swift.max(-1e290, self))
  }
}
