extension LineChartTests {
  /// A small chart, byte by byte.
  static let golden = """
    <svg xmlns="http://www.w3.org/2000/svg" id="rate" class="chart" role="img" aria-labelledby="rate-title rate-desc" viewBox="0 0 300 313" font-size="13" fill="currentColor">\
    <title id="rate-title">Rate</title>\
    <desc id="rate-desc">It rose.</desc>\
    <defs>\
    <pattern id="rate-hatch" width="7" height="7" patternUnits="userSpaceOnUse">\
    <path d="M0 7L7 0M-1 1L1 -1M6 8L8 6" fill="none" stroke="currentColor" stroke-opacity="0.3" stroke-width="1"/></pattern></defs>\
    <text x="0" y="12.32" font-size="12">share</text>\
    <path d="M172.86 47H240.25V267H172.86Z" class="provisional" fill="url(#rate-hatch)"/>\
    <g text-anchor="end" font-size="12">\
    <text x="30.08" y="271.32">0 %</text>\
    <text x="30.08" y="227.32">2 %</text>\
    <text x="30.08" y="183.32">4 %</text>\
    <text x="30.08" y="139.32">6 %</text>\
    <text x="30.08" y="95.32">8 %</text>\
    <text x="30.08" y="51.32">10 %</text></g>\
    <path d="M38.08 223H240.25M38.08 179H240.25M38.08 135H240.25M38.08 91H240.25M38.08 47H240.25" fill="none" stroke="currentColor" stroke-opacity="0.16"/>\
    <path d="M38.08 267H240.25" fill="none" stroke="currentColor" stroke-opacity="0.7"/>\
    <path d="M139.16 30V267" fill="none" stroke="currentColor" stroke-opacity="0.6" stroke-dasharray="4 3"/>\
    <g class="c1" color="#0072b2">\
    <path d="M71.78 113L139.16 69V113L71.78 157Z" class="band" fill="currentColor" fill-opacity="0.16"/></g>\
    <g class="c1" color="#0072b2">\
    <path d="M71.78 135L139.16 91L206.55 47" class="line" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/>\
    <path d="M68.78 135a3 3 0 1 1 6 0a3 3 0 1 1 -6 0ZM136.16 91a3 3 0 1 1 6 0a3 3 0 1 1 -6 0Z" fill="currentColor"/>\
    <path d="M203.05 47a3.5 3.5 0 1 1 7 0a3.5 3.5 0 1 1 -7 0Z" class="paper" fill="#fff" stroke="currentColor" stroke-width="1.6"/></g>\
    <g class="c1" color="#0072b2">\
    <path d="M211.55 47H246.25" fill="none" stroke="currentColor" stroke-opacity="0.5"/></g>\
    <text x="248.25" y="51.68">\
    <tspan font-weight="600">10.0 %</tspan></text>\
    <text x="143.16" y="40.82" font-size="12" class="gap" stroke="#fff" stroke-width="3" stroke-linejoin="round" paint-order="stroke">event</text>\
    <g text-anchor="middle" font-size="12">\
    <text x="71.78" y="285.32">May</text>\
    <text x="139.16" y="285.32">June</text>\
    <text x="206.55" y="285.32">July</text></g>\
    <rect x="38.08" y="297.5" width="14" height="11" fill="url(#rate-hatch)" stroke="currentColor" stroke-opacity="0.4"/>\
    <text x="58.08" y="307.32" font-size="12">provisional</text>\
    <g fill="none" pointer-events="all">\
    <rect x="38.08" y="47" width="67.39" height="220" data-v="May&#10;rate: 6.0 % (5.0 % to 7.0 %)">\
    <title>May&#10;rate: 6.0 % (5.0 % to 7.0 %)</title></rect>\
    <rect x="105.47" y="47" width="67.39" height="220" data-v="June&#10;rate: 8.0 % (7.0 % to 9.0 %)&#10;event">\
    <title>June&#10;rate: 8.0 % (7.0 % to 9.0 %)&#10;event</title></rect>\
    <rect x="172.86" y="47" width="67.39" height="220" data-v="July&#10;rate: 10.0 %, provisional">\
    <title>July&#10;rate: 10.0 %, provisional</title></rect></g></svg>
    """
}
