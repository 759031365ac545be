import SubscriptionModel

/// Returns the month in a payments CSV's title, such as `… Financial Reports (September, 2014)`.
///
/// Apple writes the title in the language of the account; the five languages seen in files are read.
///
/// - Parameter title: A line above the header.
/// - Returns: The month, or `nil` if the line names none.
func paymentsMonth(_ title: String) -> Month? {
  let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  let year = words.compactMap { $0.utf8.count == 4 ? Int($0) : nil }.first { 2008...2099 ~= $0 }
  let month = words.compactMap { monthNumbers[$0] }.first
  guard let year, let month else { return nil }
  return Month(year: year, month: month)
}

private let monthNumbers: [String: Int] = {
  var numbers: [String: Int] = [:]
  for line in monthNames.split(separator: "\n") {
    for (index, name) in line.split(separator: " ").enumerated() {
      numbers[String(name)] = index + 1
    }
  }
  return numbers
}()

private let monthNames = """
  january february march april may june july august september october november december
  janvier février mars avril mai juin juillet août septembre octobre novembre décembre
  januar februar märz april mai juni juli august september oktober november dezember
  gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  """
