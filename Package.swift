// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "subreport",
  products: [.executable(name: "subreport", targets: ["subreport"])],
  traits: [.trait(name: "ISAL", description: "Inflate with ISA-L (libisal) instead of zlib.")],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    // The folder list is the pipeline: bytes → records → facts → tallies → tables → files.
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
    .target(name: "CByteMasks"),
    .target(
      name: "Scanning",
      dependencies: [
        "CByteMasks", "CZlib", .target(name: "CISAL", condition: .when(traits: ["ISAL"])),
      ]),
    .target(name: "SubscriptionModel"),
    .target(name: "AppStoreReports", dependencies: ["Scanning", "SubscriptionModel"]),
    .target(
      name: "Receipts",
      dependencies: [
        "Scanning", "SubscriptionModel",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .target(name: "Metrics", dependencies: ["SubscriptionModel"]),
    .target(
      name: "Rendering", dependencies: ["Metrics"], resources: [.embedInCode("Definitions")]),
    .target(
      name: "Pipeline",
      dependencies: [
        "AppStoreReports", "Metrics", "Receipts", "Rendering", "Scanning", "SubscriptionModel",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    .target(
      name: "ReportCache",
      dependencies: [
        "AppStoreReports", "Metrics", "Pipeline", "Receipts", "Rendering", "Scanning",
        "SubscriptionModel",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    .target(
      name: "Simulation",
      dependencies: [
        "CZlib",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .executableTarget(
      name: "subreport",
      dependencies: [
        "Metrics", "Pipeline", "Receipts", "Rendering", "ReportCache", "Scanning", "Simulation",
        "SubscriptionModel",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    .target(
      name: "SubreportTestSupport",
      dependencies: [
        "CZlib", "Metrics", "Scanning", "SubscriptionModel",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      path: "Tests/SubreportTestSupport"),
    .target(
      name: "PipelineTestSupport",
      dependencies: ["Pipeline", "ReportCache", "Simulation", "SubreportTestSupport"],
      path: "Tests/PipelineTestSupport"),
    .testTarget(name: "ScanningTests", dependencies: ["Scanning", "SubreportTestSupport"]),
    .testTarget(
      name: "SubscriptionModelTests", dependencies: ["SubscriptionModel", "SubreportTestSupport"]),
    .testTarget(
      name: "AppStoreReportsTests",
      dependencies: ["AppStoreReports", "Scanning", "SubscriptionModel", "SubreportTestSupport"]),
    .testTarget(
      name: "ReceiptsTests",
      dependencies: [
        "Receipts", "Scanning", "SubreportTestSupport", "SubscriptionModel",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .testTarget(
      name: "MetricsTests", dependencies: ["Metrics", "SubscriptionModel", "SubreportTestSupport"]),
    .testTarget(name: "RenderingTests", dependencies: ["Metrics", "Rendering"]),
    .testTarget(
      name: "PipelineTests",
      dependencies: ["Pipeline", "PipelineTestSupport", "Simulation", "SubreportTestSupport"]),
    .testTarget(
      name: "ReportCacheTests",
      dependencies: [
        "Pipeline", "PipelineTestSupport", "ReportCache", "Simulation", "SubreportTestSupport",
      ]),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Simulation", "SubreportTestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .testTarget(
      name: "FunctionalTests", dependencies: ["subreport", "Simulation", "SubreportTestSupport"],
      exclude: ["Cases", "FailingCalls"]),
    // Suites that simulate whole worlds, or histories of nights: the slow ones.
    .testTarget(
      name: "WorldTests",
      dependencies: [
        "subreport", "Pipeline", "PipelineTestSupport", "ReportCache", "Simulation",
        "SubreportTestSupport",
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

// .ci/run builds with the thread sanitizer only the tests that have threads, which saves a sixth of that build.
if Context.environment["SUBREPORT_TESTS"] == "threads" {
  let withThreads = [
    "AppStoreReportsTests", "PipelineTests", "ReportCacheTests", "ScanningTests", "WorldTests",
  ]
  package.targets.removeAll { $0.type == .test && !withThreads.contains($0.name) }
}
