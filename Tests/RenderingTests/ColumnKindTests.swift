import Rendering
import Tables
import Testing

@Suite("Kinds of columns")
struct ColumnKindTests {
  @Test
  func `stand below the definition of a table`() {
    let retention = Definition.definition(of: .retention)
    let plain = CataloguePage.plain([retention], isWhole: false)
    #expect(
      plain.hasSuffix(
        """
        What explain shows of numbers from reports:
          sum (contributions that add up to the cell exactly): at_risk, lost, kept
          model (the formula with its inputs, each of them explained): survival, low, high

        """))
    #expect(
      CataloguePage.markdown(retention).contains(
        "\n\nFor `explain`: *sum* `at_risk`, `lost`, `kept`; *model* `survival`, `low`, `high`.\n\n"
      ))
    let json = CataloguePage.json([retention])
    #expect(json.contains("\"explain\": \"model\"") && json.contains("\"explain\": null"))
  }
}
