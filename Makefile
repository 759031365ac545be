PREFIX ?= /usr/local
DESTDIR ?=
# Of make bench: S, M (the target), L or XL, turns of all programs, and some of subscribers, aggregates,
# one-file, growth, nightly and receipts, with commas between, instead of all.
SIZE ?= S
RUNS ?= 5
PARTS ?=
# Of make bench-instructions: --record writes Benchmarks/instructions.csv anew.
RECORD ?=
# Of make test: all runs 40 seeds a test, and SANITIZER=address takes a build of its own that has assertions too.
TIER ?= test
SANITIZER ?=
# Of whatever builds the tool: ISAL inflates with ISA-L (libisal-dev).
TRAITS ?=
# Of make soak: how long to go on with other seeds; one round at least.
MINUTES ?= 0
# Of make bench-statistics: worlds with an effect, and as many without.
WORLDS ?= 200

# What --version names. A plus sign stands for changes that are not committed.
export SUBREPORT_COMMIT := $(shell git describe --always --abbrev=12 --exclude='*' --dirty=+ 2>/dev/null)

# One build for everything. Tests and the program share all objects: optimized code makes the tests four times as fast.
RELEASE := -c release
TESTS := $(RELEASE) $(if $(SANITIZER),--sanitize $(SANITIZER) --scratch-path .build-$(SANITIZER) \
  -Xswiftc -assert-config -Xswiftc Debug)
WITH_TRAITS := $(if $(TRAITS),--traits $(TRAITS))
WITH_FILTER = $(if $(FILTER),--filter '(?i)$(FILTER)')
# Of make quick and make test: only tests whose suite or sentence has this, such as churn, in any case.
FILTER ?=
# Left to make test: simulated worlds, failing system calls, and the examples of documents and helps, which read
# sample-reports a hundred times.
SLOW := ^(World|Simulation)Tests\.|(Document|Help)ExampleTests|(DriverExplanation|EveryCell|EvidenceCommand|EvidenceFiles|ExplainAgainst|ExplainCommand|FailingCall|ImpactExplanation|LongList|PageCommand|ReceiptDriver|ReceiptImpact|SimulatedBridge|Verify|Workbook)Tests
FORMATTED := Sources Tests Benchmarks Examples Package.swift
# The library products.
LIBRARIES := AppStoreReports AppStoreReceipts SubscriptionMetrics
# Keep these the words of sample-reports/README.md.
SAMPLE := --subscribers 640 --from 2026-01-01 --to 2026-09-30 --seed 2026 \
  --commitments 0.8 --contingent 0.05 --commissions

.DEFAULT_GOAL := help
.PHONY: fetch-test help report quick test tests soak faults page-test install bench bench-instructions bench-fetch bench-growth bench-statistics bench-steps bench-spark format lint docs \
  sample-reports sample-page screenshot clean prerequisites release hledger mcp-client openmetrics exports-tools valgrind examples documentation api-check deb tarball packages-test image lintian spark spark-test

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

report: release ## build the tool and write a report on sample-reports into out/
	.build/release/subreport report sample-reports -o out
	@echo 'Open out/index.html first; each table is beside it as CSV.'

quick: tests ## build everything and run what tells most within a minute: 3 seeds each, no simulated worlds, no examples of documents (FILTER=…)
	@Scripts/run-tests quick $(TESTS) $(WITH_TRAITS) --skip '$(SLOW)' $(WITH_FILTER)

test: tests ## build everything and run all tests, random ones with 20 seeds (FILTER=…)
	@Scripts/run-tests $(TIER) $(TESTS) $(WITH_TRAITS) $(WITH_FILTER)

tests: prerequisites # everything that make quick and make test run
	swift build $(TESTS) $(WITH_TRAITS) --build-tests --explicit-target-dependency-import-check error

soak: tests ## run all tests with ten times the seeds, and other ones until MINUTES=60 have passed; kill fetch 1,000 times
	KILLS=1000 python3 Tests/Fetch/fetch_test.py .build/release/subreport Kills
	@end=$$(($$(date +%s) + 60 * $(MINUTES))); round=0; \
	while echo "round $$round" \
	  && SUBREPORT_TEST_ROUND=$$round Scripts/run-tests soak $(TESTS) $(WITH_TRAITS); \
	do round=$$((round + 1)); [ $$(date +%s) -lt $$end ] || exit 0; done; exit 1

sanitizers: prerequisites ## run what has threads under the thread sanitizer, and what reads bytes under the address sanitizer
	Scripts/sanitizers

faults: tests ## plant ten faults in the code, one at a time: make quick must find seven, make test all
	Scripts/check-faults

page-test: release ## check index.html in Chromium: requests, axe, widths, print, numbers (installs what it needs)
	Scripts/page-test

fetch-test: release ## run fetch against a lying server, and kill it KILLS=20 times (needs python3, openssl)
	KILLS=$(or $(KILLS),20) python3 Tests/Fetch/fetch_test.py .build/release/subreport

mcp-client: ## install the client of the Model Context Protocol for Python, which asks subreport mcp in a test
	test -x .build/mcp-env/bin/python || python3 -m venv .build/mcp-env
	.build/mcp-env/bin/python -m pip install --quiet -r Tests/Assistant/requirements.txt || { rm -rf .build/mcp-env; exit 1; }

hledger: ## install hledger, by which a test checks exported journals
	@command -v hledger >/dev/null || Scripts/apt-install hledger
	@hledger --version

openmetrics: ## install the Python parser of OpenMetrics, by which a test reads report --openmetrics
	test -x .build/openmetrics-env/bin/python || python3 -m venv .build/openmetrics-env
	.build/openmetrics-env/bin/python -m pip install --quiet -r Tests/OpenMetrics/requirements.txt

exports-tools: ## install what reads databases and workbooks in tests: sqlite3, libxlsxwriter, LibreOffice
	@command -v sqlite3 soffice unzip >/dev/null && /sbin/ldconfig -p | grep -q libxlsxwriter \
	  || Scripts/apt-install "sqlite3 libxlsxwriter-dev libreoffice-calc unzip"
	@sqlite3 --version && soffice --version

install: release ## install the tool, its completions and its manual pages below PREFIX (/usr/local)
	Scripts/install-files '$(DESTDIR)$(PREFIX)'

deb: release ## build a Debian package in .build/packages (needs dpkg-deb)
	Scripts/make-deb .build/packages

tarball: release ## build an archive for any Linux in .build/packages, with an install script
	Scripts/make-tarball .build/packages

packages-test: deb tarball lintian ## check both: lintian, and install, run and remove them in a fresh Debian (needs root)
	Scripts/test-tarball .build/packages/subreport-*.tar.gz
	Scripts/test-packages .build/packages/subreport_*.deb .build/packages/subreport-*.tar.gz

image: release ## build a container image with buildah, and run the sample in it; without buildah only its folder
	Scripts/make-image .build/packages

lintian: ## install lintian and debootstrap, which check the package
	@command -v lintian >/dev/null && command -v debootstrap >/dev/null || Scripts/apt-install "lintian debootstrap"

spark: release ## run the steps on sample-reports and size S with Apache Spark, and compare with report (needs java, python3)
	test -x .build/spark-env/bin/spark-submit || python3 -m venv .build/spark-env
	.build/spark-env/bin/python -m pip install --quiet -r Spark/requirements.txt
	Scripts/compare-spark .build/release/subreport .build/spark-env $(if $(CI),,S)

spark-test: spark ## run it with killed steps, damaged and vanished files, webhdfs, too little memory too (fifteen minutes)
	.build/spark-env/bin/python Tests/Spark/spark_test.py .build/release/subreport .build/spark-env

# The package Examples itself would compile all libraries again; that it finds their products is enough.
examples: prerequisites ## build the programs of Examples, which use the libraries, and run them on sample-reports
	swift package --package-path Examples --scratch-path '$(CURDIR)/.build-examples' show-dependencies >/dev/null
	SUBREPORT_EXAMPLES=1 swift build $(RELEASE) $(WITH_TRAITS) --product monthly-churn
	SUBREPORT_EXAMPLES=1 swift build $(RELEASE) $(WITH_TRAITS) --product list-renewals
	.build/release/monthly-churn sample-reports
	.build/release/list-renewals sample-reports/receipts/decoded_001.ndjson.gz

documentation: prerequisites ## write the libraries' documentation into .build-documentation/*.doccarchive
	rm -rf .build-documentation/symbols
	mkdir -p .build-documentation/symbols
	for target in AppStoreReceipts SubscriptionMetrics; do \
	  swift build --scratch-path .build-documentation/build --target $$target -Xswiftc -emit-symbol-graph \
	    -Xswiftc -emit-symbol-graph-dir -Xswiftc '$(CURDIR)/.build-documentation/symbols' || exit 1; \
	done
	for library in $(LIBRARIES); do \
	  folder=.build-documentation/symbols/of-$$library && mkdir -p $$folder \
	    && cp .build-documentation/symbols/$$library.symbols.json $$folder/ \
	    && docc convert $$(find Sources -name $$library.docc) --fallback-display-name $$library \
	      --fallback-bundle-identifier $$library --additional-symbol-graph-dir $$folder \
	      --output-path .build-documentation/$$library.doccarchive || exit 1; \
	done

api-check: ## compare the libraries' public declarations with the newest version tag
	@if tag=$$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null); then \
	  swift package diagnose-api-breaking-changes "$$tag" --products $(LIBRARIES); \
	else \
	  echo "api-check: no version tag v… yet, so nothing was compared"; \
	fi

bench: release ## time subreport against inflate, DuckDB and Polars (SIZE=S|M|L RUNS=5 PARTS=…; needs python3)
	swift build $(RELEASE) --static-swift-stdlib --package-path Benchmarks
	test -x .build/bench-env/bin/python || python3 -m venv .build/bench-env
	.build/bench-env/bin/python -m pip install --quiet -r Benchmarks/requirements.txt
	.build/bench-env/bin/python Benchmarks/bench.py --size $(SIZE) --runs $(RUNS) $(if $(PARTS),--parts $(PARTS)) \
	  --subreport .build/release/subreport --floor Benchmarks/.build/release/inflate-floor

bench-steps: release ## measure the steps of subreport step beside report (SIZE=S|M|L|XL; needs python3)
	python3 Benchmarks/steps.py --sizes $(SIZE) --subreport .build/release/subreport

bench-spark: release ## measure Spark with two local cores beside report, after make spark (SIZE=S|M|L; needs java, python3)
	python3 Benchmarks/spark.py --sizes $(SIZE) --subreport .build/release/subreport --environment .build/spark-env

bench-instructions: release valgrind ## count instructions per row; more than 5 % above the record fail (needs python3)
	python3 Benchmarks/instructions.py --subreport .build/release/subreport $(RECORD)

bench-fetch: release ## measure requests, seconds beside curl, and memory of fetch; a missed bound fails (RUNS=5; needs python3, openssl, curl)
	python3 Benchmarks/fetch.py --subreport .build/release/subreport --runs $(RUNS)

bench-growth: release valgrind ## count instructions at two sizes; more than twelve times as many for ten times the input fail (needs python3)
	python3 Benchmarks/growth.py --subreport .build/release/subreport

valgrind: ## install valgrind, which counts instructions
	@command -v valgrind >/dev/null || Scripts/apt-install valgrind
	@valgrind --version

bench-statistics: release ## compare price_impact.csv with the truth of simulated worlds (WORLDS=200; needs python3)
	python3 Benchmarks/price_impact.py --worlds $(WORLDS) --subreport .build/release/subreport

format: ## format all Swift code
	swift format format --in-place --parallel --recursive $(FORMATTED)

lint: ## check the format of all Swift code
	swift format lint --strict --parallel --recursive $(FORMATTED)

docs: release ## bring METRICS.md and the table of docs/settings.md up to date
	.build/release/subreport metrics -f md >.build/METRICS.md
	mv .build/METRICS.md METRICS.md
	.build/release/subreport describe settings >.build/settings.md
	sed -i -e '/^<!-- settings -->$$/,/^<!-- \/settings -->$$/{//!d}' \
	  -e '/^<!-- settings -->$$/r .build/settings.md' docs/settings.md

sample-reports: release ## write the reports and receipts in sample-reports anew
	rm -rf .build/sample-reports
	.build/release/subreport simulate -o .build/sample-reports $(SAMPLE)
	rm -rf .build/sample-reports/truth sample-reports/*/
	mv .build/sample-reports/* sample-reports/

sample-page: release ## write the page of sample-reports in docs/sample anew
	rm -rf .build/sample-page
	.build/release/subreport report sample-reports -q -o .build/sample-page
	rm -rf docs/sample
	mkdir -p docs/sample
	cp .build/sample-page/*.html docs/sample/

screenshot: release ## write docs/screenshot.png anew (needs chromium)
	Scripts/screenshot

clean: ## remove what was built, but not the data of make bench
	rm -rf .build .build-* Benchmarks/.build Examples/.build out

prerequisites:
	@Scripts/prerequisites

release: prerequisites
	swift build $(RELEASE) $(WITH_TRAITS) --product subreport
