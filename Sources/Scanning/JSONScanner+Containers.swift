/// An object being read: pass it to ``JSONScanner/nextMember(of:_:)`` until that returns nil.
package struct JSONObject: Sendable {
  let depth: Int
  /// The ``JSONKeys`` found so far, one bit each.
  var seen = SIMD4<UInt64>()
}

/// An array being read: pass it to ``JSONScanner/nextElement(of:)`` until that returns false.
package struct JSONArray: Sendable {
  let depth: Int
}

extension JSONScanner {
  /// Enters the next value if it is an object.
  ///
  /// - Returns: The object, or nil if the value is something else, which stays unread.
  /// - Throws: ``JSONReadError/text(_:)``, among others with ``JSONError/Code/tooDeep``.
  package mutating func enterObject() throws(JSONReadError) -> JSONObject? {
    guard try peekKind() == .object else { return nil }
    try open(closer: UInt8(ascii: "}"))
    return JSONObject(depth: depth)
  }

  /// Enters the next value if it is an array.
  ///
  /// - Returns: The array, or nil if the value is something else, which stays unread.
  /// - Throws: ``JSONReadError/text(_:)``, among others with ``JSONError/Code/tooDeep``.
  package mutating func enterArray() throws(JSONReadError) -> JSONArray? {
    guard try peekKind() == .array else { return nil }
    try open(closer: UInt8(ascii: "]"))
    return JSONArray(depth: depth)
  }

  /// Goes to the next element of an array, skipping the unread rest of the previous one.
  ///
  /// - Parameter array: The array.
  /// - Returns: Whether there is an element, which can be read now. If not, the scanner is after
  ///   the array.
  /// - Throws: ``JSONReadError``.
  package mutating func nextElement(of array: borrowing JSONArray) throws(JSONReadError) -> Bool {
    try finishItem(atDepth: array.depth)
    guard try startItem() else { return false }
    state = .beforeValue
    return true
  }

  /// Goes to the next member of an object, skipping the unread rest of the previous one.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - keys: The caller's keys, the same for all members.
  /// - Returns: The member's key; its value can be read now. Nil at the end of the object; the scanner
  ///   is then after the object.
  /// - Throws: ``JSONReadError``. After ``JSONError/Code/duplicateKey``, but after no other error,
  ///   the scanner can continue: the second value can then be read.
  @inlinable
  @inline(__always)
  package mutating func nextMember<Key>(
    of object: inout JSONObject, _ keys: borrowing JSONKeys<Key>
  ) throws(JSONReadError) -> JSONMember<Key>? {
    guard let index = try nextKey(of: &object, keys.table) else { return nil }
    return index < 0 ? .unknown : .known(keys.cases[index])
  }

  /// Goes to the next member of an object with arbitrary keys, skipping the unread rest of the
  /// previous one.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - text: The buffer to which the key is added.
  ///   - limit: The longest key that is kept, in bytes.
  /// - Returns: The key as a string; its value can be read now. Nil at the end of the object; the
  ///   scanner is then after the object.
  /// - Throws: ``JSONReadError``; keys are not checked for duplicates.
  package mutating func nextMember(
    of object: borrowing JSONObject, keyInto text: inout JSONText, limit: Int = 1 << 10
  ) throws(JSONReadError) -> JSONScalar? {
    try finishItem(atDepth: object.depth)
    guard try startItem() else { return nil }
    try passKeyQuote()
    let key = try readStringText(into: &text, limit: limit)
    try passColon()
    state = .beforeValue
    return key
  }

  /// Skips the unread rest of an item of an object or array.
  @inline(__always)
  private mutating func finishItem(atDepth itemDepth: Int) throws(JSONReadError) {
    precondition(itemDepth <= depth, "the object or array has ended")
    if depth > itemDepth || state == .beforeValue { try skip(toDepth: itemDepth) }
  }

  /// Goes to the next member as ``nextMember(of:_:)`` does; other modules get no specialized code for that generic function.
  ///
  /// - Returns: The index of the key; -1 if the table does not have it, nil after the last.
  @usableFromInline
  package mutating func nextKey(
    of object: inout JSONObject, _ table: JSONKeyTable
  ) throws(JSONReadError) -> Int? {
    try finishItem(atDepth: object.depth)
    guard try startItem() else { return nil }
    let offset = input.byteOffset
    let line = input.line
    try passKeyQuote()
    let index = try findKey(table)
    try passColon()
    state = .beforeValue
    guard index >= 0 else { return index }
    let bit = (1 as UInt64) << UInt64(truncatingIfNeeded: index & 63)
    guard object.seen[index &>> 6] & bit == 0 else {
      throw Self.duplicate(of: table, index, byteOffset: offset, line: line)
    }
    object.seen[index &>> 6] |= bit
    return index
  }

  /// Returns the error for a key that occurs twice; a separate function, to keep ``nextKey(of:_:)``
  /// short.
  @inline(never)
  private static func duplicate(
    of table: JSONKeyTable, _ index: Int, byteOffset: Int, line: Int
  ) -> JSONReadError {
    .text(
      JSONError(
        code: .duplicateKey, byteOffset: byteOffset, line: line, key: table.key(index),
        found: "a key for the second time in one object", expected: "each key once"))
  }

  /// Reads a key after its opening quote, and finds it in a table.
  @inline(__always)
  private mutating func findKey(_ table: JSONKeyTable) throws(JSONReadError) -> Int {
    let run = plainRun()
    if input.block[input.position] == UInt8(ascii: "\"") {
      input.position &+= 1
      return table.index(of: input.block.span, run)
    }
    // The key has an escape or continues in the next block: read it again from its start.
    input.position = run.lowerBound
    var text = JSONText()
    let key = try readStringText(into: &text, limit: table.longestKey)
    return key.isTooLong ? -1 : table.index(of: text.bytes.span, key.range)
  }
}
