/// The outline of a `path`: its parts as lists of points.
struct PathData {
  /// The corners of each part, without the first one again at the end.
  var parts: [[(x: Double, y: Double)]] = []

  /// Reads absolute commands M, L, H, V and Z.
  ///
  /// - Parameter data: The attribute `d`; parts with relative commands keep the points before them.
  init(_ data: String) {
    var current = (x: 0.0, y: 0.0)
    for (command, numbers) in Self.commands(data) {
      switch command {
      case "M":
        current = (numbers[0], numbers[1])
        parts.append([current])
        continue
      case "L": current = (numbers[0], numbers[1])
      case "H": current.x = numbers[0]
      case "V": current.y = numbers[0]
      default: continue
      }
      parts[parts.count - 1].append(current)
    }
  }

  /// Returns the commands of a path with their numbers.
  static func commands(_ data: String) -> [(Character, [Double])] {
    var commands: [(Character, [Double])] = []
    var number = ""
    func flush() {
      if let value = Double(number) { commands[commands.count - 1].1.append(value) }
      number = ""
    }
    for character in data {
      if character.isLetter {
        flush()
        commands.append((character, []))
      } else if character == " " {
        flush()
      } else {
        number.append(character)
      }
    }
    flush()
    return commands
  }

  /// The smallest rectangle around each part: left, top, right, bottom.
  var boxes: [(left: Double, top: Double, right: Double, bottom: Double)] {
    parts.map { part in
      let (x, y) = (part.map(\.x), part.map(\.y))
      return (x.min() ?? 0, y.min() ?? 0, x.max() ?? 0, y.max() ?? 0)
    }
  }
}
