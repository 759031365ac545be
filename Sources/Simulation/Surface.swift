/// The place of a purchase: the device and the client app.
struct Surface {
  let device: String
  let client: String
  let platform: String
  let weight: Int
}
