extension FinanceRegions {
  /// Apple's regions, from public sources.
  ///
  /// Codes, currencies and countries are from Apple's page "Financial report regions and
  /// currencies", FORMATS.md section 4.2. Bulgaria was settled in leva before it joined the euro.
  /// South Asia and Pacific became a region in 2024, when another of Apple's companies took it over
  /// (Apple's notice to developers); before, its countries belonged to `WW`.
  package static let apple = FinanceRegions(
    table.split(separator: "\n").map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return FinanceRegion(
        code: String(cells[0]),
        paymentsNames: cells[1].split(separator: ";").map(String.init), currency: String(cells[2]),
        validFrom: Day(String(cells[3])),
        countries: cells[4].split(separator: " ").map(String.init))
    })

  /// Lines of `region_code,payments_name,currency,valid_from,countries`, with semicolons between
  /// names.
  private static let table = """
    AE,United Arab Emirates,AED,,AE
    AU,Australia,AUD,,AU
    BG,Bulgaria;Bulgarie;Bulgarien,BGN,,BG
    BG,Bulgaria;Bulgarie;Bulgarien,EUR,2026-01-01,BG
    BR,Brazil,BRL,,BR
    CA,Canada,CAD,,CA
    CH,Switzerland,CHF,,CH
    CL,Chile,CLP,,CL
    CN,China mainland;China,CNY,,CN
    CO,Colombia,COP,,CO
    CZ,Czech Republic;Czechia,CZK,,CZ
    DK,Denmark,DKK,,DK
    EG,Egypt,EGP,,EG
    GB,United Kingdom,GBP,,GB
    HK,Hong Kong,HKD,,HK
    HR,Croatia;Croacia;Croatie;Kroatien;Croazia,EUR,,HR
    HU,Hungary,HUF,,HU
    ID,Indonesia,IDR,,ID
    IL,Israel,ILS,,IL
    IN,India,INR,,IN
    JP,Japan,JPY,,JP
    KR,Republic of Korea;Korea,KRW,,KR
    KZ,Kazakhstan,KZT,,KZ
    MX,Mexico,MXN,,MX
    MY,Malaysia,MYR,,MY
    NG,Nigeria,NGN,,NG
    NO,Norway,NOK,,NO
    NZ,New Zealand,NZD,,NZ
    PE,Peru,PEN,,PE
    PH,Philippines,PHP,,PH
    PK,Pakistan,PKR,,PK
    PL,Poland,PLN,,PL
    QA,Qatar,QAR,,QA
    RO,Romania,RON,,RO
    RU,Russia,RUB,,RU
    SA,Saudi Arabia,SAR,,SA
    SE,Sweden,SEK,,SE
    SG,Singapore,SGD,,SG
    TH,Thailand,THB,,TH
    TR,Türkiye;Turkiye;Turkey,TRY,,TR
    TW,Taiwan,TWD,,TW
    TZ,Tanzania,TZS,,TZ
    US,Americas;America;Amériques;Amérique;Amerika;Nord- und Südamerika;Americhe;United States;Estados Unidos;États-Unis;Vereinigte Staaten;Stati Uniti;USA,USD,,US
    VN,Vietnam,VND,,VN
    ZA,South Africa,ZAR,,ZA
    EU,Euro-Zone;Eurozone;Eurozona;Zona euro;Zone euro,EUR,,AT BE BA BG CY CZ DE EE ES FI FR GR HU IE IT LT LU LV ME MT NL PL PT RO RS SI SK
    LL,Latin America and the Caribbean;América Latina y el Caribe;Latinoamérica y el Caribe;Amérique latine et Caraïbes;Amérique latine et Antilles;Lateinamerika und Karibik;America Latina e Caraibi,USD,,AG AI AR BB BM BO BS BZ CL CR DM DO EC GD GT GY HN JM KN KY LC MS NI PA PY SR SV TC TT UY VC VE VG
    AP,South Asia and Pacific;Sur de Asia y Pacífico;Asia meridional y Pacífico;Asie du Sud et Pacifique;Asie du Sud et Pacifique Sud;Südasien und Pazifik;Asia meridionale e Pacifico;Asia del Sud e Pacifico,USD,2024-10-26,BN BT FJ FM KH LA LK MM MN MO MV NP NR PG PW SB TO VU
    WW,Rest of World;Reste du monde;Rest der Welt;Übrige Welt;Resto del mondo;Resto del mundo,USD,,AF AL AM AO AZ BF BH BJ BN BT BW BY CD CG CI CM CV DZ EG FJ FM GA GE GH GM GW HR IQ IS JO KE KG KH KW KZ LA LB LK LR LY MA MD MG MK ML MM MN MO MR MU MV MW MY MZ NA NE NG NP NR OM PG PH PK PW QA RW SB SC SL SN ST SZ TD TJ TM TN TO UA UG UZ VU YE ZM ZW
    """
}
