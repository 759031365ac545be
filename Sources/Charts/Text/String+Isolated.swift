extension String {
  /// The text for use inside other text: its direction of writing does not change that of its neighbours.
  ///
  /// Text with right-to-left letters or marks of direction stands between U+2068 and U+2069. Such isolates inside it are
  /// left out, since they could end the outer one.
  var isolated: String {
    guard unicodeScalars.contains(where: Self.changesDirection) else { return self }
    var text = "\u{2068}"
    text.unicodeScalars.append(contentsOf: unicodeScalars.filter { !(0x2066...0x2069 ~= $0.value) })
    return text + "\u{2069}"
  }

  private static func changesDirection(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8FF, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFB1D...0xFDFF,
      0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }
}
