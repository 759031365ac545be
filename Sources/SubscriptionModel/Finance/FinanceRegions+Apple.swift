extension FinanceRegions {
  /// Apple's regions as far as they are public.
  ///
  /// Codes, currencies and countries: Apple's page "Financial report regions and currencies", FORMATS.md
  /// section 4.2. Bulgaria was settled in leva before it joined the euro.
  public static let apple = FinanceRegions(
    table.split(separator: "\n").map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return FinanceRegion(
        code: String(cells[0]),
        paymentsNames: cells[1].split(separator: ";").map(String.init), currency: String(cells[2]),
        validFrom: Day(String(cells[3])),
        countries: cells[4].split(separator: " ").map(String.init))
    })

  /// `region_code,payments_name,currency,valid_from,countries`, names separated by semicolons.
  private static let table = """
    AE,United Arab Emirates,AED,,AE
    AU,Australia,AUD,,AU
    BG,Bulgaria,BGN,,BG
    BG,Bulgaria,EUR,2026-01-01,BG
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
    HR,Croatia,EUR,,HR
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
    US,Americas;United States,USD,,US
    VN,Vietnam,VND,,VN
    ZA,South Africa,ZAR,,ZA
    EU,Euro-Zone;Eurozone;Eurozona,EUR,,AT BE BA BG CY CZ DE EE ES FI FR GR HU IE IT LT LU LV ME MT NL PL PT RO RS SI SK
    LL,Latin America and the Caribbean;Latin America & Caribbean,USD,,AG AI AR BB BM BO BS BZ CL CR DM DO EC GD GT GY HN JM KN KY LC MS NI PA PY SR SV TC TT UY VC VE VG
    AP,South Asia and Pacific;South Asia & Pacific,USD,,BN BT FJ FM KH LA LK MM MN MO MV NP NR PG PW SB TO VU
    WW,Rest of World;Reste du monde;Rest der Welt;Resto del mondo;Resto del mundo,USD,,AF AL AM AO AZ BF BH BJ BW BY CD CG CI CM CV DZ EG GA GE GH GM GW HR IQ IS JO KE KG KW KZ LB LR LY MA MD MG MK ML MR MU MW MY MZ NA NE NG OM PH PK QA RW SC SL SN ST SZ TD TJ TM TN UA UG UZ YE ZM ZW
    """
}
