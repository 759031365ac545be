import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("index.html")
struct IndexPageTests {
  private static let views: [[Dimension]] = [
    [], [.startMonth], [.product], [.country], [.offer], [.app],
  ]

  private static let outcomes = Memo<UInt64, RunOutcome>()

  /// The report of a world with reports, receipts and every fault.
  private static func world() throws -> RunOutcome {
    try outcomes.value(23) {
      let world = try SimulatedReports(
        seed: 23, subscribers: 400, to: "2026-06-30", faults: true,
        kinds: Set(WorldOptions.ReportKind.usual))
      return try RunOutcome(try world.sandbox(), views: views) { plan in
        plan.omitsViewOfOneApp = true
        plan.retentionViews = [[.startMonth, .duration], [.product, .duration]]
        plan.prices = PricePlan()
      }
    }
  }

  private static let sections = [
    "short", "headlines", "apps", "drivers", "movement", "churn", "retention", "trials", "refunds",
    "proceeds", "prices", "sources", "health", "meaning",
  ]

  @Test
  func `has every section in order, each with a heading and an entry in the contents`() throws {
    let page = try Self.world().text("index.html")
    let ids = PageReader.parts(of: page, from: "<section id=\"", to: "\"")
    #expect(ids == Self.sections)
    #expect(PageReader.parts(of: page, from: "<a href=\"#", to: "\"") == ids)
    for id in ids { #expect(page.contains("<h2 id=\"\(id)-title\">"), "\(id)") }
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
    #expect(PageReader.parts(of: page, from: "<h1>", to: "</h1>").count == 1)
  }

  @Test
  func `allows only its own style sheet and script, and loads nothing`() throws {
    for (name, bytes) in try Self.world().files where name.hasSuffix(".html") {
      let page = String(decoding: bytes, as: UTF8.self)
      let policy = try #require(
        PageReader.parts(of: page, from: "Content-Security-Policy\" content=\"", to: "\"").first)
      #expect(policy.hasPrefix("default-src &#39;none&#39;;"))
      for (element, kind) in [("style", "style-src"), ("script", "script-src")] {
        let parts = PageReader.parts(of: page, from: "<\(element)>", to: "</\(element)>")
        let content = try #require(parts.last)
        #expect(parts.count == 1 && content.utf8.count < 12_000)
        let hash = ReferenceBase64.encode(hexadecimalBytes(referenceSHA256(Array(content.utf8))))
        #expect(policy.contains("\(kind) &#39;sha256-\(hash)&#39;"), "\(name) \(element)")
      }
      #expect(!page.contains(" src=") && !page.contains(" style=") && !page.contains("@import"))
      let addresses = Set(PageReader.parts(of: page, from: "=\"http", to: "\""))
      #expect(addresses.isEmpty, "\(name)")
      for link in PageReader.parts(of: page, from: " href=\"", to: "\"") {
        let isThere = try link.hasPrefix("#") || Self.world().files[link] != nil
        #expect(isThere || link == "data:,", "\(link)")
      }
    }
  }

  private func hexadecimalBytes(_ text: String) -> [UInt8] {
    let digits = Array(text)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }

  @Test
  func `closes every element that it opens`() throws {
    for (name, bytes) in try Self.world().files where name.hasSuffix(".html") {
      let page = String(decoding: bytes, as: UTF8.self)
      let withoutScript = page.split(separator: "<script>").first.map(String.init) ?? ""
      var open: [String] = []
      for tag in PageReader.parts(of: withoutScript, from: "<", to: ">") {
        let word = String(tag.prefix { $0 != " " && $0 != "/" })
        if tag.hasPrefix("/") {
          let last = open.popLast()
          #expect(last == String(tag.dropFirst()), "\(name)")
        } else if !tag.hasSuffix("/"), !["meta", "link", "!DOCTYPE"].contains(word) {
          open.append(word)
        }
      }
      #expect(open == ["html", "body"], "\(name) \(open)")
    }
  }

  @Test
  func `has unique ids, and names every figure and table`() throws {
    for (name, bytes) in try Self.world().files where name.hasSuffix(".html") {
      let page = String(decoding: bytes, as: UTF8.self)
      let ids = PageReader.parts(of: page, from: " id=\"", to: "\"")
      #expect(Set(ids).count == ids.count, "\(name)")
      let pictures = PageReader.parts(of: page, from: "<svg", to: "</svg>")
      #expect(pictures.count > 5)
      #expect(pictures.allSatisfy { $0.contains("role=\"img\"") && $0.contains("<title id=") })
      let tables = PageReader.parts(of: page, from: "<table", to: "</table>")
      #expect(tables.allSatisfy { $0.contains("<caption>") && $0.contains("scope=\"col\"") })
      // The levels of headings have no gap.
      let levels = PageReader.parts(of: page, from: "<h", to: ">").compactMap { Int($0.prefix(1)) }
      #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 }, "\(name)")
    }
  }

  /// The figures whose numbers are rows of their file.
  private static let ofRows = ["churn-rate", "churn-reasons", "renewals", "trials", "movement"]

  @Test
  func `has the numbers of the CSV files below its figures`() throws {
    let outcome = try Self.world()
    for name in outcome.files.keys.sorted() where name.hasSuffix(".html") {
      var compared = 0
      for figure in PageReader(outcome.text(name)).figures {
        let isOfRows = Self.ofRows.contains(figure.id) || figure.id.hasPrefix("proceeds-")
        guard isOfRows, let file = figure.files.first else { continue }
        let rows = outcome.rows(file)
        for row in figure.rows {
          let cells = Array(zip(figure.columns, row))
          // The rate of trials of which none is decided is not known.
          let isUndecided = row.contains("not decided yet")
          let found = rows.contains { csv in
            cells.allSatisfy { column, shown in
              Self.agree(csv[column], shown)
                || isUndecided && ["conversion_rate", "low", "high"].contains(column)
            }
          }
          #expect(found, "\(name) \(figure.id) \(cells)")
          compared += 1
        }
      }
      #expect(compared > 20, "\(name)")
    }
  }

  /// Returns whether a cell of CSV and one of the page have the same number or words.
  private static func agree(_ csv: String?, _ shown: String) -> Bool {
    // A column of the page that the file lacks is the change since the month before.
    guard let csv else { return true }
    if csv == shown { return true }
    let digits = shown.filter { $0 != "," }
    if digits.hasSuffix("%"), let percent = Double(digits.dropLast()), let rate = Double(csv) {
      return abs(percent / 100 - rate) < 0.000_051
    }
    if let number = Double(digits), let amount = Double(csv) { return number == amount }
    return false
  }

  @Test
  func `has the movement of its month line by line`() throws {
    let outcome = try Self.world()
    let figures = PageReader(outcome.text("index.html")).figures
    let figure = try #require(figures.first { $0.id == "movement-month" })
    let month = try #require(figure.columns.last)
    let source = outcome.rows("headlines.csv").first?["source"] ?? ""
    let row = try #require(
      outcome.rows("movement.csv", source: source).first { $0["month"] == month })
    let sentence = try #require(
      PageReader.parts(of: outcome.text("index.html"), from: " began with ", to: "</p>").first)
    let isExplained = ["", "0"].contains(row["unexplained"] ?? "")
    #expect(sentence.contains("no event explains") != isExplained, "\(sentence)")
    #expect(figure.rows.count > 10)
    #expect(figure.columns.prefix(2) == ["line", "meaning"])
    for line in figure.rows {
      #expect(row[line[0]] != nil && !line[1].isEmpty, "\(line)")
      #expect(Self.agree(row[line[0]], line[2]), "\(line)")
    }
  }

  @Test
  func `has retention by the length of periods, and so has summary.md`() throws {
    let page = try Self.world().text("summary.md")
    #expect(page.contains("| duration | k | at_risk |"))
    #expect(page.contains("Only periods of one length are compared;"))
  }

  @Test
  func `never mixes lengths of periods on the page of an app`() throws {
    let outcome = try Self.world()
    let pages = outcome.files.keys.filter { $0.hasPrefix("app-") }
    #expect(pages.count > 1)
    for name in pages {
      let page = outcome.text(name)
      #expect(!page.contains("Periods of all lengths together"), "\(name)")
      let titles = PageReader.parts(of: page, from: "<h3>Kept through their first periods", to: "<")
      #expect(titles.allSatisfy { $0.hasPrefix(" of ") }, "\(titles)")
    }
  }

  @Test
  func `says nothing about a single customer`() throws {
    let outcome = try Self.world()
    let page = outcome.text("index.html")
    for id in ["700000000000", "original_transaction_id", "appAccountToken"] {
      #expect(!page.contains(id))
    }
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "</style></title>", "\"quoted\" 'name'",
    "\"\u{301} onload='\u{301}x",
    "\u{202E}reversed", String(repeating: "long ", count: 40), "👩‍👩‍👧 日本",
  ])
  func `shows hostile names of apps and products as text`(name: String) throws {
    let sandbox = try ReportSandbox()
    var report = ReportText.subscriber
    let days = [
      ("2026-01-05", name), ("2026-01-06", "Other"), ("2026-02-05", name), ("2026-02-06", "Other"),
      ("2026-03-05", name),
    ]
    for (day, product) in days {
      report = report.with([
        "Event Date": day, "Subscription Name": product, "App Name": product,
        "App Apple ID": product == name ? "1450000101" : "1450000102",
        "Subscription Apple ID": product == name ? "1460000001" : "1460000002",
        "Subscriber ID": "7000\(product == name ? 1 : 2)",
      ])
      let file = "Subscriber_80012345_\(day.filter { $0 != "-" })_V1_3.txt"
      try sandbox.write(file, report.bytes)
      report.rows = []
    }
    let outcome = try RunOutcome(sandbox, views: Self.views)
    #expect(outcome.files["app-1450000101.html"] != nil)
    for (file, bytes) in outcome.files where file.hasSuffix(".html") {
      let page = String(decoding: bytes, as: UTF8.self)
      #expect(PageReader.parts(of: page, from: "<script>", to: "</script>").count == 1, "\(file)")
      #expect(!page.contains("alert(1)</script>") && !page.contains("</style></title>"))
      // A figure isolates each text instead.
      let figures = PageReader.parts(of: page, from: "<svg", to: "</svg>")
      let words = figures.reduce(page) { $0.replacing($1, with: "") }
      #expect(!words.unicodeScalars.contains("\u{202E}"))
    }
  }

  @Test
  func `has at most 0.8 MB for 40 apps, 50 countries and 24 months`() throws {
    let sandbox = try ReportSandbox()
    let first = Month(year: 2024, month: 7)
    for offset in 0..<24 {
      let day = (first + offset).firstDay + 4
      var report = ReportText.subscriber
      report.rows = (0..<2_000).map { number in
        let (app, country) = (number % 40, number / 40)
        let letters = [65 + country / 8, 65 + country % 8].map { UInt8($0) }
        return [
          "Event Date": day.description, "App Name": "App \(app)", "App Apple ID": "14500\(app)",
          "Subscription Name": "Product \(number % 10) of \(app)",
          "Subscription Apple ID": "146\(app)0\(number % 10)",
          "Subscriber ID": "7\(number)\((number + offset) / 7)",
          "Country": String(decoding: letters, as: UTF8.self),
        ]
      }
      let name = day.description.filter { $0 != "-" }
      try sandbox.write("Subscriber_80012345_\(name)_V1_3.txt", report.text)
    }
    let outcome = try RunOutcome(sandbox, views: Self.views) { plan in
      plan.retentionViews = [[.startMonth, .duration], [.product, .duration]]
      plan.prices = PricePlan()
    }
    #expect(outcome.files.keys.count { $0.hasPrefix("app-") } == 40)
    for (name, bytes) in outcome.files where name.hasSuffix(".html") {
      #expect(bytes.count <= 800_000, "\(name) has \(bytes.count) bytes")
      let elements = PageReader(String(decoding: bytes, as: UTF8.self)).elementCount
      #expect(elements <= 60_000, "\(name) has \(elements) elements")
    }
  }

  @Test
  func `compares a newest churn rate only if it is final`() throws {
    let outcome = try Self.world()
    let row = try #require(
      outcome.rows("headlines.csv").first { $0["figure"] == "churn_rate" })
    let caption = try #require(
      PageReader.parts(of: outcome.text("index.html"), from: "<p>Churn rate ", to: "The band")
        .first)
    #expect(caption.contains("can still change") == (row["state"] == "provisional"), "\(row)")
    #expect(caption.contains("data not complete") == (row["state"] == "partial"), "\(row)")
    #expect(caption.contains(" from ") == (row["state"] == "final"), "\(caption)")
  }

  @Test
  func `says why a source without churn is not the headline source`() throws {
    let world = try SimulatedReports(
      seed: 3, subscribers: 60, from: "2026-05-01", to: "2026-07-05",
      kinds: Set(WorldOptions.ReportKind.usual))
    let outcome = try RunOutcome(try world.sandbox()) { $0.asOf = Day("2026-05-03") }
    let page = outcome.text("index.html")
    #expect(outcome.rows("churn.csv", source: "subscribers").isEmpty)
    #expect(!page.contains("<code>subscribers</code> is <code>partial</code>"))
  }

  @Test
  func `splits what was due by what events know, and says why they count churn twice`() throws {
    let world = try SimulatedReports(
      seed: 23, subscribers: 400, to: "2026-06-30", kinds: [.subscription, .subscriptionEvent])
    let outcome = try RunOutcome(try world.sandbox())
    let page = outcome.text("index.html")
    let sentence = try #require(
      PageReader.parts(of: page, from: "<p>In ", to: ".").first { $0.contains(" due: ") })
    let halves = sentence.replacing(" due: ", with: "|").split(separator: "|")
    let due = halves[0].split(separator: " ").last.flatMap { Int($0) }
    let parts = halves[1].prefix { $0 != ";" }.split(separator: ",")
      .compactMap { part in part.split(separator: " ").first.flatMap { Int($0) } }
    #expect(due == parts.reduce(0, +), "\(sentence)")
    #expect(!page.contains("left, but back within 60 days"))
    let month = try #require(outcome.rows("headlines.csv").first?["month"])
    let churned = ["churn.csv", "movement.csv"].map { file in
      outcome.rows(file, source: "events").first { $0["month"] == month }?["churned"]
    }
    #expect(page.contains("<p>Churn in ") == (churned[0] != churned[1]), "\(churned)")
  }

  @Test
  func `prints the commands of its numbers, with the inputs and options as they were given`() throws
  {
    // Of 60 subscribers nobody churns in January, and the page has no command of churn.
    let world = try SimulatedReports(seed: 31, subscribers: 100)
    let outcome = try RunOutcome(try world.sandbox(), views: Self.views) { plan in
      plan.given = GivenOptions(
        inputs: ["2026 reports", "../more"],
        options: [
          .init("--country", ["DE", "it's"], commands: ["churn", "check"]),
          .init("--fiscal", [], commands: ["churn"]),
          .init("--source", ["events", "sales"], commands: ["churn", "check"]),
        ])
    }
    let commands = PageReader.parts(
      of: outcome.text("index.html"), from: "\"copy\">", to: "</code>"
    )
    .map { $0.replacing("&#39;", with: "'") }
    let inputs = "'2026 reports' ../more"
    let country = #"--country DE --country 'it'\''s'"#
    #expect(
      commands.contains { command in
        command.hasPrefix("subreport churn \(inputs) --source ")
          && command.hasSuffix("--all-months \(country) --fiscal")
      }, "\(commands)")
    #expect(
      commands.contains("subreport check \(inputs) \(country) --source events --source sales"))
    #expect(commands.contains { $0.hasPrefix("subreport renewals \(inputs) ") })
    #expect(!commands.contains { $0.hasPrefix("subreport renewals") && $0.contains("DE") })
  }

  @Test
  func `shows settlements where there are no sales, and says that there is no churn rate`() throws {
    let finance = try ReportSandbox(["detail.tsv": ReportText.financeDetail.with([:]).bytes])
    let page = try RunOutcome(finance).text("index.html")
    #expect(page.contains("<strong>No churn rate:</strong> settlements do not say who stayed;"))
    #expect(page.contains("<section id=\"health\""))
    #expect(!page.contains("<section id=\"prices\""))
  }
}
