// swift-tools-version: 6.2
import PackageDescription

/// Puts Swift's libraries into the program, so that it runs anywhere.
///
/// Only its link differs from that of the tests, so that both share all objects. The packages use FoundationEssentials,
/// and their objects do not name the two libraries that its static form needs.
let withoutSharedSwift: [LinkerSetting] = [
  .unsafeFlags(
    ["-static-stdlib", "-Xlinker", "-l_FoundationCShims", "-Xlinker", "-l_FoundationCollections"]
      // CMemory ends the program where it gets no memory.
      + ["malloc", "calloc", "realloc", "posix_memalign", "opendir"].flatMap {
        ["-Xlinker", "--wrap=\($0)"]
      },
    .when(platforms: [.linux], configuration: .release))
]

/// Targets that are products of other packages.
let packages = [
  "ArgumentParser": "swift-argument-parser", "Crypto": "swift-crypto",
  "CryptoExtras": "swift-crypto", "SwiftASN1": "swift-asn1", "SystemPackage": "swift-system",
  "X509": "swift-certificates",
]

/// Returns the dependencies of a target from their names, such as `"Storage Crypto"`.
func needs(_ names: String) -> [Target.Dependency] {
  names.split { $0.isWhitespace }.map(String.init).map { name in
    packages[name].map { .product(name: name, package: $0) } ?? .byName(name: name)
  }
}

func room(_ name: String, _ names: String = "", resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: needs(names), resources: resources)
}

func tests(_ name: String, _ names: String, exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: needs("SubreportTestSupport " + names), exclude: exclude)
}

let package = Package(
  name: "subreport",
  // UTF8Span; Int128 and Mutex need macOS 15.
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "subreport", targets: ["subreport"]),
    .library(name: "AppStoreReports", targets: ["AppStoreReports"]),
    .library(name: "AppStoreReceipts", targets: ["AppStoreReceipts"]),
    .library(name: "SubscriptionMetrics", targets: ["SubscriptionMetrics"]),
  ],
  traits: [.trait(name: "ISAL", description: "Inflate with ISA-L (libisal) instead of zlib.")],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
    room("CByteMasks"),
    .target(
      name: "CBuildInformation",
      cSettings: [
        .define("SUBREPORT_COMMIT", to: "\"\(Context.environment["SUBREPORT_COMMIT"] ?? "")\"")
      ]),
    room("CMemory"),
    // They open the system's libraries when they are needed.
    room("CCurl"),
    room("CSQLite"),
    room("CXLSX"),

    // The folder list is the pipeline: bytes → records → facts → tallies → tables → files.
    room("Storage"),
    .target(
      name: "Scanning",
      dependencies: needs("CByteMasks CZlib Storage")
        + [.target(name: "CISAL", condition: .when(traits: ["ISAL"]))]),
    room("Files", "CSQLite Scanning Storage SystemPackage"),
    room("SubscriptionModel", "Storage"),
    room("AppStoreReports", "Scanning Storage SubscriptionModel"),
    room("Receipts", "Crypto Scanning Storage SubscriptionModel SwiftASN1 X509"),
    room("Counting", "Storage SubscriptionModel"),
    room("Tables", "Counting Storage SubscriptionModel"),
    room("PriceImpact", "Counting Storage SubscriptionModel Tables"),
    room("Settlement", "Counting Storage SubscriptionModel Tables"),
    room("Entitlements", "Counting Storage SubscriptionModel Tables"),
    room(
      "Rendering", "Counting PriceImpact Settlement Storage Tables",
      resources: [.embedInCode("Assets"), .embedInCode("Definitions")]),
    room(
      "Pipeline",
      """
      AppStoreReports Counting Crypto Entitlements Files PriceImpact Receipts Rendering Scanning
      Settlement Storage SubscriptionModel Tables
      """),
    room(
      "Explain",
      """
      AppStoreReports Counting Files Pipeline PriceImpact Rendering Scanning Settlement Storage
      SubscriptionModel Tables
      """),
    room("Charts"),
    room(
      "Pages",
      """
      AppStoreReports Charts Counting Crypto Files Pipeline PriceImpact Receipts Rendering Scanning
      Settlement Storage SubscriptionModel Tables
      """),
    room(
      "ReportFolder",
      """
      AppStoreReports CXLSX Counting Crypto Files Pages Pipeline PriceImpact Rendering Scanning
      Settlement Storage SubscriptionModel Tables
      """),
    room(
      "ReportCache",
      """
      AppStoreReports Counting Files Pages Pipeline PriceImpact Receipts Rendering Scanning Storage
      SubscriptionModel Tables
      """),
    room(
      "Steps",
      """
      AppStoreReports Counting Files Pipeline PriceImpact Receipts ReportCache Scanning Storage
      SubscriptionModel
      """),
    room(
      "Fetch",
      "AppStoreReports CCurl Crypto Files Scanning Storage SubscriptionModel"),
    // The library products, with AppStoreReports above: the only targets with public declarations.
    room("AppStoreReceipts", "Receipts Scanning SubscriptionModel"),
    room(
      "SubscriptionMetrics",
      "Files Pages Pipeline Rendering Scanning Storage SubscriptionModel Tables"),
    room("Simulation", "CZlib Crypto Files SwiftASN1 X509"),
    .executableTarget(
      name: "subreport",
      dependencies: needs(
        """
        ArgumentParser CBuildInformation CMemory Counting Explain Fetch Files Pages Pipeline
        PriceImpact Receipts Rendering ReportCache ReportFolder Scanning Settlement Simulation
        Steps Storage SubscriptionModel Tables
        """), linkerSettings: withoutSharedSwift),

    .target(
      name: "SubreportTestSupport",
      dependencies: needs(
        """
        CZlib Counting Crypto CryptoExtras PriceImpact Storage SubscriptionModel SwiftASN1 Tables
        X509
        """), path: "Tests/SubreportTestSupport"),
    .target(
      name: "PipelineTestSupport",
      dependencies: needs(
        """
        Files Pages Pipeline ReportCache ReportFolder Simulation Steps SubreportTestSupport
        SubscriptionModel Tables
        """), path: "Tests/PipelineTestSupport"),
    tests("ScanningTests", "Scanning"),
    tests("SubscriptionModelTests", "Storage SubscriptionModel"),
    tests("AppStoreReportsTests", "AppStoreReports Scanning Storage SubscriptionModel"),
    tests("ReceiptsTests", "Crypto Receipts Scanning Storage SubscriptionModel SwiftASN1 X509"),
    tests("CountingTests", "Counting PriceImpact Storage SubscriptionModel Tables"),
    tests("TablesTests", "Counting PriceImpact Storage SubscriptionModel Tables"),
    tests("PriceImpactTests", "Counting PriceImpact Storage SubscriptionModel Tables"),
    tests("SettlementTests", "Settlement Storage SubscriptionModel"),
    tests("EntitlementsTests", "Entitlements SubscriptionModel Tables"),
    tests("RenderingTests", "Rendering Storage Tables"),
    tests("ChartsTests", "Charts"),
    tests(
      "PipelineTests",
      """
      AppStoreReports Counting Files Pages Pipeline PipelineTestSupport Scanning Simulation
      SubscriptionModel Tables
      """),
    tests(
      "PagesTests",
      """
      Files Pages Pipeline PipelineTestSupport ReportFolder Simulation Storage SubscriptionModel
      Tables
      """),
    tests(
      "ExplainTests",
      """
      Counting Explain Pages Pipeline PipelineTestSupport PriceImpact Rendering ReportCache
      Settlement Simulation Storage SubscriptionModel Tables
      """),
    tests(
      "ReportCacheTests",
      """
      Counting Files Pages Pipeline PipelineTestSupport Receipts ReportCache Scanning
      SubscriptionModel Tables
      """),
    tests(
      "StepsTests",
      """
      Files Pipeline PipelineTestSupport Receipts ReportCache Scanning Simulation Steps Storage
      SubscriptionModel
      """),
    tests("FetchTests", "Fetch Files Scanning SubscriptionModel"),
    tests("SimulationTests", "Crypto Simulation SwiftASN1 X509"),
    tests("FunctionalTests", "Crypto Simulation", exclude: ["Cases", "FailingCalls"]),
    // Suites that simulate whole worlds, or histories of nights: the slow ones.
    tests(
      "WorldTests",
      """
      AppStoreReports Files Pages Pipeline PipelineTestSupport PriceImpact Receipts ReportCache
      Scanning Settlement Simulation Steps Storage SubscriptionModel Tables
      """),
    // Sees what a user of the libraries sees: public declarations.
    .testTarget(
      name: "LibraryTests",
      dependencies: needs("AppStoreReceipts AppStoreReports SubscriptionMetrics"),
      exclude: ["Files"], packageAccess: false),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
  ]
}

// Without optimization a test target compiles in half the time. These need it: they compute much themselves.
let computingTests: Set = [
  "ChartsTests", "ExplainTests", "PriceImpactTests", "ScanningTests", "SimulationTests",
  "TablesTests", "WorldTests",
]
for target in package.targets where target.type == .test && !computingTests.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
}

// The programs of Examples with the objects of this package, for make examples: they see only public declarations.
if Context.environment["SUBREPORT_EXAMPLES"] != nil {
  let programs = [
    ("monthly-churn", "SubscriptionMetrics"), ("list-renewals", "AppStoreReceipts"),
  ]
  package.targets += programs.map { name, library in
    .executableTarget(
      name: name, dependencies: [.byName(name: library)], path: "Examples/Sources/\(name)",
      packageAccess: false)
  }
}

// Leaves out all other test targets: SUBREPORT_TESTS="ScanningTests ReceiptsTests" builds only what these need.
if let names = Context.environment["SUBREPORT_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// The thread sanitizer does not know some locks: Locked takes another one for it.
if Context.environment["SUBREPORT_SANITIZER"] == "thread" {
  let storage = package.targets.first { $0.name == "Storage" }
  storage?.swiftSettings?.append(.define("THREAD_SANITIZER"))
}
