# A formula for a Homebrew tap. It was written without a Mac and has not been tried; see docs/installing.md.
class Subreport < Formula
  desc "Metrics of App Store subscriptions from Apple's reports"
  homepage "https://subreport.example"
  head "https://subreport.example/subreport.git", branch: "main"
  license "Apache-2.0"

  # Set url, tag and revision to a release when there is one.

  depends_on xcode: ["26.0", :build]
  depends_on macos: :tahoe

  uses_from_macos "zlib"

  def install
    commit = Utils.safe_popen_read("git", "describe", "--always", "--abbrev=12").chomp
    ENV["SUBREPORT_COMMIT"] = commit
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "subreport"
    bin.install ".build/release/subreport"
    generate_completions_from_executable(bin/"subreport", "--generate-completion-script")
    (man1/"subreport.1").write Utils.safe_popen_read(bin/"subreport", "describe", "manual")
    (man5/"subreport.toml.5").write Utils.safe_popen_read(bin/"subreport", "describe", "settings-manual")
    pkgshare.install "sample-reports"
  end

  service do
    run [opt_bin/"subreport", "report", "--config", etc/"subreport.toml", "--no-progress"]
    run_type :cron
    cron "30 22 * * *"
    working_dir var/"subreport"
  end

  test do
    assert_match "subreport #{version}", shell_output("#{bin}/subreport --version") unless head?
    output = shell_output("#{bin}/subreport churn #{pkgshare}/sample-reports -q --csv")
    assert_match(/^source,month,active_start,churned,/, output)
  end
end
