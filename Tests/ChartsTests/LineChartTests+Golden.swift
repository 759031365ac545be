extension LineChartTests {
  /// A small chart, byte by byte.
  static let golden = """
    <svg xmlns="http://www.w3.org/2000/svg" id="rate" class="chart" role="img" aria-labelledby="rate-title rate-desc" viewBox="0 0 300 313" font-size="13" fill="currentColor">\
    <title id="rate-title">Rate</title>\
    <desc id="rate-desc">It rose.</desc>\
    <defs>\
    <pattern id="rate-hatch" width="7" height="7" patternUnits="userSpaceOnUse">\
    <path d="M0 7L7 0M-1 1L1 -1M6 8L8 6" fill="none" stroke="currentColor" stroke-opacity="0.3" stroke-width="1"/></pattern></defs>\
    <text x="0" y="12.3" font-size="12">share</text>\
    <path d="M172.9 47H240.2V267H172.9Z" class="provisional" fill="url(#rate-hatch)"/>\
    <g text-anchor="end" font-size="12">\
    <text x="30.1" y="271.3">0 %</text>\
    <text x="30.1" y="227.3">2 %</text>\
    <text x="30.1" y="183.3">4 %</text>\
    <text x="30.1" y="139.3">6 %</text>\
    <text x="30.1" y="95.3">8 %</text>\
    <text x="30.1" y="51.3">10 %</text></g>\
    <path d="M38.1 223H240.2M38.1 179H240.2M38.1 135H240.2M38.1 91H240.2M38.1 47H240.2" fill="none" stroke="currentColor" stroke-opacity="0.16"/>\
    <path d="M38.1 267H240.2" fill="none" stroke="currentColor" stroke-opacity="0.7"/>\
    <path d="M139.2 30V267" fill="none" stroke="currentColor" stroke-opacity="0.6" stroke-dasharray="4 3"/>\
    <g class="c1" color="#0072b2">\
    <path d="M71.8 113L139.2 69V113L71.8 157Z" class="band" fill="currentColor" fill-opacity="0.16"/></g>\
    <g class="c1" color="#0072b2">\
    <path d="M71.8 135L139.2 91L206.6 47" class="line" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/>\
    <path d="M68.8 135a3 3 0 1 1 6 0a3 3 0 1 1 -6 0ZM136.2 91a3 3 0 1 1 6 0a3 3 0 1 1 -6 0Z" fill="currentColor"/>\
    <path d="M203.1 47a3.5 3.5 0 1 1 7 0a3.5 3.5 0 1 1 -7 0Z" class="paper" fill="#fff" stroke="currentColor" stroke-width="1.6"/></g>\
    <g class="c1" color="#0072b2">\
    <path d="M211.6 47H246.2" fill="none" stroke="currentColor" stroke-opacity="0.5"/></g>\
    <text x="248.2" y="51.7">\
    <tspan font-weight="600">10.0 %</tspan></text>\
    <text x="143.2" y="40.8" font-size="12" class="gap" stroke="#fff" stroke-width="3" stroke-linejoin="round" paint-order="stroke">event</text>\
    <g text-anchor="middle" font-size="12">\
    <text x="71.8" y="285.3">May</text>\
    <text x="139.2" y="285.3">June</text>\
    <text x="206.6" y="285.3">July</text></g>\
    <rect x="38.1" y="297.5" width="14" height="11" fill="url(#rate-hatch)" stroke="currentColor" stroke-opacity="0.4"/>\
    <text x="58.1" y="307.3" font-size="12">provisional</text>\
    <g fill="none" pointer-events="all">\
    <rect x="38.1" y="47" width="67.4" height="220" data-v="May&#10;rate: 6.0 % (5.0 % to 7.0 %)">\
    <title>May&#10;rate: 6.0 % (5.0 % to 7.0 %)</title></rect>\
    <rect x="105.5" y="47" width="67.4" height="220" data-v="June&#10;rate: 8.0 % (7.0 % to 9.0 %)&#10;event">\
    <title>June&#10;rate: 8.0 % (7.0 % to 9.0 %)&#10;event</title></rect>\
    <rect x="172.9" y="47" width="67.4" height="220" data-v="July&#10;rate: 10.0 %, provisional">\
    <title>July&#10;rate: 10.0 %, provisional</title></rect></g></svg>
    """
}
