/// JSON text under construction: members in the order they are added, without white space.
struct JSONText {
  var text = ByteText()
  /// Whether numbers and flags are written as strings, as verifyReceipt does.
  var quotesValues = true

  /// Adds an object as an element or, after ``key(_:)``, as a value.
  mutating func object(_ members: (inout JSONText) -> Void) {
    separate()
    text.append("{")
    members(&self)
    text.append("}")
  }

  mutating func object(_ name: String, _ members: (inout JSONText) -> Void) {
    key(name)
    object(members)
  }

  /// Adds a member whose value is an array.
  mutating func array(_ name: String, _ elements: (inout JSONText) -> Void) {
    key(name)
    text.append("[")
    elements(&self)
    text.append("]")
  }

  /// Adds a member's name; its value comes next.
  mutating func key(_ name: String) {
    separate()
    text.append("\"")
    text.append(name)
    text.append("\":")
  }

  mutating func member(_ name: String, _ value: String) {
    key(name)
    string(value)
  }

  mutating func member(_ name: String, _ value: Int) {
    key(name)
    text.append(number: value)
  }

  mutating func member(_ name: String, _ value: Bool) {
    key(name)
    text.append(value ? "true" : "false")
  }

  mutating func string(_ value: String) {
    separate()
    text.append("\"")
    for byte in value.utf8 {
      // Simulated text has no control characters.
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { text.append("\\") }
      text.bytes.append(byte)
    }
    text.append("\"")
  }

  /// Adds the comma that the next element or member needs.
  private mutating func separate() {
    switch text.bytes.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: "\n"): break
    default: text.append(",")
    }
  }
}

/// Members of verifyReceipt answers; Apple writes all of their values as strings.
extension JSONText {
  /// Adds an ID, which is a string in every dump.
  mutating func id(_ name: String, _ value: Int) {
    key(name)
    text.append("\"")
    text.append(number: value)
    text.append("\"")
  }

  mutating func number(_ name: String, _ value: Int) {
    if quotesValues { id(name, value) } else { member(name, value) }
  }

  mutating func flag(_ name: String, _ value: Bool) {
    if quotesValues { member(name, value ? "true" : "false") } else { member(name, value) }
  }

  /// Adds a moment in its three forms: GMT, milliseconds and Pacific time.
  mutating func date(_ name: String, _ instant: Instant) {
    dateText(name, instant, zone: " Etc/GMT")
    number(name + "_ms", instant)
    dateText(name + "_pst", InstantText.pacific(instant), zone: " America/Los_Angeles")
  }

  /// Adds an expiry in the form from before iOS 7: the plain name holds the milliseconds.
  mutating func flatExpiry(_ instant: Instant) {
    number("expires_date", instant)
    dateText("expires_date_formatted", instant, zone: " Etc/GMT")
    dateText(
      "expires_date_formatted_pst", InstantText.pacific(instant), zone: " America/Los_Angeles")
  }

  private mutating func dateText(_ name: String, _ instant: Instant, zone: String) {
    key(name)
    text.append("\"")
    InstantText.append(instant, to: &text)
    text.append(zone)
    text.append("\"")
  }
}
