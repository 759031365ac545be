/// An app and its subscription group.
struct App {
  let name: String
  let appleID: Int
  let sku: String
  let groupID: Int
}
