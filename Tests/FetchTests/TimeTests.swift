import Fetch
import Testing

@Suite struct TimeTests {
  @Test func aHeaderDateIsRead() {
    #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
  }
}
