import Pipeline
import PipelineTestSupport
import Simulation
import Steps
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Steps with faulty input")
struct StepFaultTests {
  private static let world = Memo<Int, SimulatedReports>()

  private static func reports() throws -> SimulatedReports {
    try world.value(0) {
      try SimulatedReports(
        seed: 800, subscribers: 60, to: "2026-01-20", kinds: [.subscriber, .sales, .receipts])
    }
  }

  private static func plan(_ folder: String) -> RunPlan {
    var plan = RunPlan(inputs: [folder], views: usualViews)
    plan.prices = PricePlan()
    return plan
  }

  /// Returns the error of a run whose steps read changed frames; `nil` without an error.
  private func error(
    _ partitions: Int = 2, _ change: @escaping ([Frame]) -> [Frame]
  ) throws -> StepError? {
    let sandbox = try Self.reports().sandbox()
    var driver = StepDriver(Self.plan(sandbox.path), partitions: partitions)
    driver.change = change
    do {
      _ = try driver.result(sandbox.path)
      return nil
    } catch let error as StepError {
      return error
    }
  }

  /// Frames that an engine may lose or give twice.
  enum Part: CaseIterable {
    case file, scouted, files, charges, responses, joins, receipts, instalments, tally, prices,
      impact

    var kind: Frame.Kind {
      switch self {
      case .file: .file
      case .scouted: .scouted
      case .files: .files
      case .charges: .charges
      case .responses: .responses
      case .joins: .joins
      case .receipts: .receipts
      case .instalments: .instalments
      case .tally: .tally
      case .prices: .prices
      case .impact: .impact
      }
    }
  }

  @Test
  func `give a result when nothing is wrong`() throws {
    #expect(try error { $0 } == nil)
  }

  @Test(arguments: Part.allCases)
  func `fail when a frame is there twice`(part: Part) throws {
    let found = try error { frames in
      guard let twice = frames.last(where: { $0.label.kind == part.kind }) else { return frames }
      return frames.flatMap { $0.bytes == twice.bytes ? [$0, $0] : [$0] }
    }
    #expect(found?.code == .misplaced, "\(found?.message ?? "")")
  }

  @Test(arguments: Part.allCases.filter { $0 != .scouted && $0 != .file })
  func `fail when a frame is lost`(part: Part) throws {
    let found = try error { frames in
      guard let lost = frames.last(where: { $0.label.kind == part.kind }) else { return frames }
      return frames.filter { $0.bytes != lost.bytes }
    }
    #expect(found?.code == .misplaced, "\(found?.message ?? "")")
  }

  @Test
  func `fail when a file of the plan is not read`() throws {
    let found = try error { frames in
      // Extracts get a plan first, the scout does not.
      guard frames.first?.label.kind == .plan, frames.contains(where: { $0.label.kind == .file })
      else { return frames }
      return Array(frames.dropLast())
    }
    #expect(found?.code == .misplaced)
    #expect(found?.message.hasPrefix("found no extract of ") == true)
  }

  @Test
  func `fail when frames were made with another plan`() throws {
    let sandbox = try Self.reports().sandbox()
    var other: [Frame] = []
    var driver = StepDriver(Self.plan(sandbox.path), partitions: 3)
    driver.change = { frames in
      other += frames.filter { $0.label.kind == .charges || $0.label.kind == .files }
      return frames
    }
    _ = try driver.result(sandbox.path)
    let foreign = other
    for kind in [Frame.Kind.charges, .files] {
      let found = try error { frames in
        frames.map { frame in
          frame.label.kind == kind ? foreign.first { $0.label.kind == kind } ?? frame : frame
        }
      }
      #expect(found?.code == .misplaced)
      #expect(found?.message.hasSuffix("which was made with another plan") == true)
    }
  }

  @Test
  func `have twice as many partitions as cores, or one for 250,000 charges`() throws {
    let sandbox = try Self.reports().sandbox()
    for (cores, count) in [(1, 2), (3, 6)] {
      var source = FrameSource(try Scout.frames(of: sandbox.path))
      let frame = try Planning.frame(
        [], Self.plan(sandbox.path), partitionCount: nil, cores: cores, &source)
      #expect(frame.label.text == "plan -/\(count) -")
    }
  }

  @Test
  func `refuse options that they do not support`() throws {
    let sandbox = try Self.reports().sandbox()
    var plan = Self.plan(sandbox.path)
    plan.keepsCharges = true
    var driver = StepDriver(plan)
    #expect(throws: StepError(.unsupported, "steps do not support --evidence yet")) {
      try driver.result(sandbox.path)
    }
  }

}

extension Scout {
  /// Returns what a scout finds of all files of a folder.
  fileprivate static func frames(of folder: String) throws -> [Frame] {
    var source = FrameSource(try StepDriver.files(folder))
    return try frames(&source)
  }
}
