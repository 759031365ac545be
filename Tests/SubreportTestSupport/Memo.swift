import Storage

/// Values that several tests look at, each of which is made once, by the first that needs it.
///
/// Values stay until the end of the run, so they must be few and small, and hold no files on the disk.
package final class Memo<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  /// A value, or what happened when it was to be made; others wait meanwhile.
  private final class Place: Sendable {
    let key: Key
    let result = Locked<Result<Value, any Error>?>(nil)

    init(_ key: Key) { self.key = key }
  }

  private let places = Locked<[Place]>([])

  /// Creates an empty memo.
  package init() {}

  /// Returns the value of a key.
  ///
  /// - Parameters:
  ///   - key: The key, such as a world's seed.
  ///   - make: Makes the value when nobody has asked for it before.
  /// - Returns: The same value each time.
  /// - Throws: What was thrown when it was to be made.
  package func value(_ key: Key, _ make: () throws -> Value) throws -> Value {
    let place = places.withLock { places in
      if let place = places.first(where: { $0.key == key }) { return place }
      let place = Place(key)
      places.append(place)
      return place
    }
    return try place.result.withLock { result in
      let made = result ?? Result { try make() }
      result = made
      return try made.get()
    }
  }
}
