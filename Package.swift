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
      + ["malloc", "calloc", "realloc", "posix_memalign"].flatMap { ["-Xlinker", "--wrap=\($0)"] },
    .when(platforms: [.linux], configuration: .release))
]

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
    // The folder list is the pipeline: bytes → records → facts → tallies → tables → files.
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
    .target(name: "CByteMasks"),
    .target(
      name: "CBuildInformation",
      cSettings: [
        .define("SUBREPORT_COMMIT", to: "\"\(Context.environment["SUBREPORT_COMMIT"] ?? "")\"")
      ]),
    .target(name: "CMemory"),
    .target(name: "Storage"),
    .target(name: "Threads"),
    .target(
      name: "Scanning",
      dependencies: [
        "CByteMasks", "CZlib", "Threads",
        .target(name: "CISAL", condition: .when(traits: ["ISAL"])),
      ]),
    .target(name: "SubscriptionModel", dependencies: ["Storage"]),
    .target(
      name: "AppStoreReports",
      dependencies: ["Scanning", "Storage", "SubscriptionModel", "Threads"]
    ),
    .target(
      name: "Receipts",
      dependencies: [
        "Scanning", "Storage", "SubscriptionModel", "Threads",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .target(name: "Counting", dependencies: ["Storage", "SubscriptionModel"]),
    .target(name: "Tables", dependencies: ["Counting", "Storage", "SubscriptionModel"]),
    .target(
      name: "PriceImpact", dependencies: ["Counting", "Storage", "SubscriptionModel", "Tables"]),
    .target(
      name: "Settlement", dependencies: ["Counting", "Storage", "SubscriptionModel", "Tables"]),
    .target(
      name: "Entitlements", dependencies: ["Counting", "Storage", "SubscriptionModel", "Tables"]),
    .target(
      name: "Rendering",
      dependencies: ["Counting", "PriceImpact", "Settlement", "Storage", "Tables", "Threads"],
      resources: [.embedInCode("Assets"), .embedInCode("Definitions")]),
    .target(name: "Charts"),
    .target(
      name: "Files",
      dependencies: [
        "Scanning", "Storage", "Threads", .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .target(
      name: "UserTables",
      dependencies: [
        "Files", "PriceImpact", "Rendering", "Scanning", "SubscriptionModel", "Tables",
      ]),
    .target(
      name: "Pipeline",
      dependencies: [
        "AppStoreReports", "Counting", "Entitlements", "Files", "PriceImpact", "Receipts",
        "Rendering", "Scanning", "Storage", "SubscriptionModel", "Tables", "Threads", "UserTables",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    .target(
      name: "Explain",
      dependencies: [
        "AppStoreReports", "Counting", "Files", "Pipeline", "PriceImpact", "Rendering", "Scanning",
        "Settlement", "Storage", "SubscriptionModel", "Tables", "Threads",
      ]),
    .target(
      name: "Pages",
      dependencies: [
        "AppStoreReports", "Counting", "Files", "Pipeline", "PriceImpact", "Receipts", "Rendering",
        "Scanning", "Settlement", "Storage", "SubscriptionModel", "Tables", "Threads", "UserTables",
      ]),
    .target(
      name: "FigurePages",
      dependencies: [
        "AppStoreReports", "Charts", "Counting", "Pages", "Pipeline", "PriceImpact", "Rendering",
        "Scanning", "Settlement", "Storage", "SubscriptionModel", "Tables", "UserTables",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    .target(
      name: "ReportFolder",
      dependencies: [
        "AppStoreReports", "Counting", "FigurePages", "Files", "Pages", "Pipeline", "PriceImpact",
        "Rendering", "Scanning", "Settlement", "Storage", "SubscriptionModel", "Tables", "Threads",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    .target(
      name: "ReportCache",
      dependencies: [
        "AppStoreReports", "Counting", "Files", "Pages", "Pipeline", "PriceImpact", "Receipts",
        "Rendering", "Scanning", "Storage", "SubscriptionModel", "Tables", "Threads", "UserTables",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    .target(
      name: "Steps",
      dependencies: [
        "AppStoreReports", "Counting", "Files", "Pipeline", "PriceImpact", "Receipts",
        "ReportCache", "Scanning", "Storage", "SubscriptionModel", "Threads", "UserTables",
      ]),
    // The library products, with AppStoreReports above: the only targets with public declarations.
    .target(name: "AppStoreReceipts", dependencies: ["Receipts", "Scanning", "SubscriptionModel"]),
    .target(
      name: "SubscriptionMetrics",
      dependencies: [
        "Files", "Pages", "Pipeline", "Rendering", "Scanning", "SubscriptionModel", "Tables",
        "Threads",
      ]),
    .target(
      name: "Simulation",
      dependencies: [
        "CZlib", "Files",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .executableTarget(
      name: "subreport",
      dependencies: [
        "CBuildInformation", "CMemory", "Counting", "Explain", "FigurePages", "Files",
        "Pages", "Pipeline", "PriceImpact", "Receipts", "Rendering", "ReportCache", "ReportFolder",
        "Scanning", "Settlement", "Simulation", "Steps", "Storage", "SubscriptionModel",
        "Tables", "Threads", "UserTables",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], linkerSettings: withoutSharedSwift),

    .target(
      name: "SubreportTestSupport",
      dependencies: [
        "CZlib", "Counting", "PriceImpact", "Storage", "SubscriptionModel", "Tables", "Threads",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      path: "Tests/SubreportTestSupport"),
    .target(
      name: "PipelineTestSupport",
      dependencies: [
        "Files", "Pages", "Pipeline", "ReportCache", "ReportFolder", "Simulation", "Steps",
        "SubreportTestSupport", "SubscriptionModel", "Tables",
      ],
      path: "Tests/PipelineTestSupport"),
    .testTarget(name: "ScanningTests", dependencies: ["Scanning", "SubreportTestSupport"]),
    .testTarget(
      name: "SubscriptionModelTests",
      dependencies: ["Storage", "SubreportTestSupport", "SubscriptionModel"]),
    .testTarget(
      name: "AppStoreReportsTests",
      dependencies: [
        "AppStoreReports", "Scanning", "Storage", "SubreportTestSupport", "SubscriptionModel",
      ]),
    .testTarget(
      name: "ReceiptsTests",
      dependencies: [
        "Receipts", "Scanning", "Storage", "SubreportTestSupport", "SubscriptionModel",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .testTarget(
      name: "CountingTests",
      dependencies: [
        "Counting", "PriceImpact", "Storage", "SubreportTestSupport", "SubscriptionModel", "Tables",
      ]),
    .testTarget(
      name: "TablesTests",
      dependencies: [
        "Counting", "PriceImpact", "Storage", "SubreportTestSupport", "SubscriptionModel", "Tables",
      ]),
    .testTarget(
      name: "PriceImpactTests",
      dependencies: [
        "Counting", "PriceImpact", "SubreportTestSupport", "SubscriptionModel", "Tables",
      ]),
    .testTarget(
      name: "SettlementTests",
      dependencies: ["Settlement", "Storage", "SubreportTestSupport", "SubscriptionModel"]),
    .testTarget(
      name: "EntitlementsTests",
      dependencies: ["Entitlements", "SubreportTestSupport", "SubscriptionModel", "Tables"]),
    .testTarget(name: "RenderingTests", dependencies: ["Rendering", "Storage", "Tables"]),
    .testTarget(name: "ChartsTests", dependencies: ["Charts", "SubreportTestSupport"]),
    .testTarget(
      name: "PipelineTests",
      dependencies: [
        "AppStoreReports", "Counting", "Files", "Pages", "Pipeline", "PipelineTestSupport",
        "Scanning", "Simulation", "SubreportTestSupport", "SubscriptionModel", "Tables",
        "UserTables",
      ]),
    .testTarget(
      name: "PagesTests",
      dependencies: [
        "FigurePages", "Files", "Pages", "Pipeline", "PipelineTestSupport", "ReportFolder",
        "Simulation", "Storage", "SubreportTestSupport", "SubscriptionModel", "Tables",
        "UserTables",
      ]),
    .testTarget(
      name: "ExplainTests",
      dependencies: [
        "Counting", "Explain", "Pages", "Pipeline", "PipelineTestSupport",
        "PriceImpact", "Rendering", "ReportCache", "Settlement", "Simulation", "Storage",
        "SubreportTestSupport", "SubscriptionModel", "Tables", "UserTables",
      ]),
    .testTarget(
      name: "ReportCacheTests",
      dependencies: [
        "Counting", "Files", "Pages", "Pipeline", "PipelineTestSupport", "Receipts", "ReportCache",
        "Scanning", "SubreportTestSupport", "SubscriptionModel", "Tables",
      ]),
    .testTarget(
      name: "StepsTests",
      dependencies: [
        "Files", "Pipeline", "PipelineTestSupport", "Receipts", "ReportCache", "Scanning",
        "Simulation", "Steps", "SubreportTestSupport", "SubscriptionModel", "Threads", "UserTables",
      ]),
    // Sees what a user of the libraries sees: public declarations.
    .testTarget(
      name: "LibraryTests",
      dependencies: ["AppStoreReceipts", "AppStoreReports", "SubscriptionMetrics"],
      exclude: ["Files"], packageAccess: false),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Simulation", "SubreportTestSupport", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .testTarget(
      name: "FunctionalTests",
      dependencies: [
        "Simulation", "SubreportTestSupport", .product(name: "Crypto", package: "swift-crypto"),
      ],
      exclude: ["Cases", "FailingCalls"]),
    // Suites that simulate whole worlds, or histories of nights: the slow ones.
    .testTarget(
      name: "WorldTests",
      dependencies: [
        "AppStoreReports", "Files", "Pages", "Pipeline", "PipelineTestSupport", "Receipts",
        "ReportCache", "Scanning", "Settlement", "Simulation", "Steps", "Storage",
        "SubreportTestSupport", "SubscriptionModel", "Tables", "UserTables",
      ]),
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

// .ci/run builds with the thread sanitizer only the tests that have threads, which saves a sixth of that build.
if Context.environment["SUBREPORT_TESTS"] == "threads" {
  let withThreads = [
    "AppStoreReportsTests", "PipelineTests", "ReportCacheTests", "ScanningTests", "WorldTests",
  ]
  package.targets.removeAll { $0.type == .test && !withThreads.contains($0.name) }
  let threads = package.targets.first { $0.name == "Threads" }
  threads?.swiftSettings?.append(.define("THREAD_SANITIZER"))
}
