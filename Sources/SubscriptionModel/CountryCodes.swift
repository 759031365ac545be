/// Returns a country as a 2-letter code in upper case.
///
/// Event reports of 2017 and signed transactions have 3-letter codes. Any other text is returned in
/// upper case.
///
/// - Parameter text: The code, without blanks at its ends.
/// - Returns: The code, such as `US` for `us` and for `USA`.
package func countryCode(_ text: String) -> String {
  let code = text.uppercased()
  return code.utf8.count == 3 ? twoLetterCodes[code] ?? code : code
}

/// Returns the code of a country by its English name.
///
/// - Parameter name: The name in any case, with or without "the", blanks and marks.
/// - Returns: The code, such as `DE` for `Germany`, and `GB` for `UK`; `nil` for another text.
package func countryCode(named name: String) -> String? { codesByName[letters(of: name)] }

/// The English names of the App Store's storefronts with their codes.
///
/// Other usual names are among them, those of some countries in their own languages, and codes that people use in place of
/// the App Store's.
package let countryNames: [(name: String, code: String)] =
  storefronts
  .split(whereSeparator: { $0 == "," || $0.isNewline })
  .map { $0.drop(while: \.isWhitespace) }
  .filter { !$0.isEmpty }
  .map { (String($0.dropLast(3)), String($0.suffix(2))) }

private let codesByName = [String: String](
  countryNames.map { (letters(of: $0.name), $0.code) }, uniquingKeysWith: { first, _ in first })

/// Returns the letters of a name in lower case, without a leading "the".
private func letters(of name: String) -> String {
  let words = name.lowercased().split { !$0.isLetter }
  return words.drop { $0 == "the" }.joined()
}

private let twoLetterCodes: [String: String] = {
  var codes: [String: String] = [:]
  for pair in pairs.split(whereSeparator: \.isWhitespace) {
    codes[String(pair.prefix(3))] = String(pair.dropFirst(3))
  }
  return codes
}()

/// Pairs of 3-letter and 2-letter codes: ISO 3166-1, Kosovo, and Romania's code until 2002.
private let pairs = """
  ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT
  AZEAZ BDIBI BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO
  BRABR BRBBB BRNBN BTNBT BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG
  COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO
  DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB
  GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY
  HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT
  JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY
  LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH
  MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA
  NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PCNPN PERPE
  PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROMRO ROURO RUSRU RWARW
  SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST
  SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL
  TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC VENVE
  VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS XKSXK XKXXK YEMYE ZAFZA ZMBZM ZWEZW
  """

private let storefronts = """
  Afghanistan AF, Albania AL, Algeria DZ, Angola AO, Anguilla AI, Antigua and Barbuda AG,
  Argentina AR, Armenia AM, Australia AU, Austria AT, Azerbaijan AZ, Bahamas BS, Bahrain BH,
  Barbados BB, Belarus BY, Belgium BE, Belize BZ, Benin BJ, Bermuda BM, Bhutan BT, Bolivia BO,
  Bosnia and Herzegovina BA, Botswana BW, Brazil BR, British Virgin Islands VG, Brunei BN,
  Bulgaria BG, Burkina Faso BF, Cambodia KH, Cameroon CM, Canada CA, Cape Verde CV,
  Cayman Islands KY, Chad TD, Chile CL, China mainland CN, China CN, Colombia CO, Congo CD,
  Costa Rica CR, Cote d'Ivoire CI, Ivory Coast CI, Croatia HR, Cyprus CY, Czech Republic CZ,
  Czechia CZ, Denmark DK, Dominica DM, Dominican Republic DO, Ecuador EC, Egypt EG, El Salvador SV,
  Estonia EE, Eswatini SZ, Swaziland SZ, Fiji FJ, Finland FI, France FR, Gabon GA, Gambia GM,
  Georgia GE, Germany DE, Ghana GH, Greece GR, Grenada GD, Guatemala GT, Guinea-Bissau GW,
  Guyana GY, Honduras HN, Hong Kong HK, Hungary HU, Iceland IS, India IN, Indonesia ID, Iraq IQ,
  Ireland IE, Israel IL, Italy IT, Jamaica JM, Japan JP, Jordan JO, Kazakhstan KZ, Kenya KE,
  South Korea KR, Korea KR, Kosovo XK, Kuwait KW, Kyrgyzstan KG, Laos LA, Latvia LV, Lebanon LB,
  Liberia LR, Libya LY, Lithuania LT, Luxembourg LU, Macao MO, Macau MO, North Macedonia MK,
  Madagascar MG, Malawi MW, Malaysia MY, Maldives MV, Mali ML, Malta MT, Mauritania MR,
  Mauritius MU, Mexico MX, Micronesia FM, Moldova MD, Mongolia MN, Montenegro ME, Montserrat MS,
  Morocco MA, Mozambique MZ, Myanmar MM, Namibia NA, Nauru NR, Nepal NP, Netherlands NL,
  Holland NL, New Zealand NZ, Nicaragua NI, Niger NE, Nigeria NG, Norway NO, Oman OM, Pakistan PK,
  Palau PW, Panama PA, Papua New Guinea PG, Paraguay PY, Peru PE, Philippines PH, Poland PL,
  Portugal PT, Qatar QA, Republic of the Congo CG, Romania RO, Russia RU, Rwanda RW,
  Saint Kitts and Nevis KN, Saint Lucia LC, Saint Vincent and the Grenadines VC,
  Sao Tome and Principe ST, Saudi Arabia SA, Senegal SN, Serbia RS, Seychelles SC, Sierra Leone SL,
  Singapore SG, Slovakia SK, Slovenia SI, Solomon Islands SB, South Africa ZA, Spain ES,
  Sri Lanka LK, Suriname SR, Sweden SE, Switzerland CH, Taiwan TW, Tajikistan TJ, Tanzania TZ,
  Thailand TH, Tonga TO, Trinidad and Tobago TT, Tunisia TN, Turkey TR, Turkiye TR,
  Turkmenistan TM, Turks and Caicos TC, Uganda UG, Ukraine UA, United Arab Emirates AE,
  Emirates AE, UAE AE, United Kingdom GB, Great Britain GB, Britain GB, England GB, UK GB,
  United States of America US, United States US, America US, USA US, Uruguay UY, Uzbekistan UZ,
  Vanuatu VU, Venezuela VE, Vietnam VN, Yemen YE, Zambia ZM, Zimbabwe ZW, EL GR,
  Allemagne DE, Belgique BE, België BE, Brasil BR, Česko CZ, Danmark DK, Deutschland DE, España ES, GER DE, Großbritannien GB, Italia IT, Magyarország HU,
  México MX, NED NL, Nederland NL, Nippon JP, Norge NO, Österreich AT, Polska PL, România RO, Schweiz CH, SUI CH, Suisse CH,
  Suomi FI, Sverige SE, Svizzera CH, Türkiye TR, Zhongguo CN
  """
