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
