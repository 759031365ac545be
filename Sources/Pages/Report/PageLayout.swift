import Pipeline

/// The parts of a printed page: a report, the report of an app, or the settlement of a period.
struct PageLayout: Sendable {
  /// A page beside this one.
  struct Link: Sendable {
    let text: String
    /// Its file; `nil` for this page itself.
    let target: String?
  }

  /// The heading, and the line below it.
  let title: String
  let subtitle: String
  /// The pages that are named at the top.
  var links: [Link] = []
  /// What these pages are, such as `Apps`.
  var linksName = ""
  /// All of them in a list at the end of the page, where the top has too little room.
  var allLinks: [Link] = []
  /// Whether the numbers can be trusted, and what to do.
  let status: Answer.Status
  var tiles: [Tile] = []
  var bullets: [Bullet] = []
  /// A sentence in place of comparisons with a year ago.
  var noYear = ""
  var sections: [Section]
  /// Sentences at the end, and the files that are linked there.
  var footer: [String] = []
  var footerFiles: [String] = []
}

extension Answer {
  /// The most apps that are named at the top, and how many of more.
  private static let (mostApps, shownApps) = (8, 7)

  /// The page that prints the answer.
  var layout: PageLayout {
    let own = content.appID
    let ofApps = apps.map { app in
      PageLayout.Link(text: app.name, target: app.id == own ? nil : app.file)
    }
    let isOfMany = apps.count > Self.mostApps
    var layout = PageLayout(
      title: title, subtitle: subtitle, status: status, tiles: tiles, bullets: bullets,
      noYear: noYear, sections: sections)
    if !apps.isEmpty {
      layout.linksName = "Apps"
      layout.links = [.init(text: "All apps", target: own == nil ? nil : PageFile.index)]
      if !isOfMany {
        layout.links += ofApps
      } else {
        // The page's own app is always among them.
        let isBelow = apps.dropFirst(Self.shownApps).contains { $0.id == own }
        layout.links += ofApps.prefix(isBelow ? Self.shownApps - 1 : Self.shownApps)
        if isBelow { layout.links += ofApps.filter { $0.target == nil } }
        layout.links.append(.init(text: "all \(apps.count)", target: "#apps"))
        layout.allLinks = ofApps
      }
    }
    layout.footer =
      [footer].filter { !$0.isEmpty } + [
        content.app == nil
          ? "Every number is in a CSV file beside this page."
          : "The tables of this page are in the files whose names end in -by-app.csv."
      ]
    layout.footerFiles = [PageFile.summary, "manifest.json"]
    return layout
  }
}
