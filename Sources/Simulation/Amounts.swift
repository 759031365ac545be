/// What a customer pays and what the developer gets, in hundredths.
struct Amounts: Equatable {
  var price: Int
  var proceeds: Int
}
