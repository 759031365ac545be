extension FinanceRegions {
  /// Names of the App Store's storefronts in payments CSVs: German, French, Italian and Spanish, where
  /// they differ from the English ones.
  ///
  /// Source: Unicode CLDR, and other usual names.
  static let storefrontNames = """
    AE Vereinigte Arabische Emirate;Émirats arabes unis;Emirati Arabi Uniti;Emiratos Árabes Unidos
    AF Afganistán
    AG Antigua-et-Barbuda
    AI Anguila
    AL Albanien;Albanie
    AM Armenien;Arménie
    AR Argentinien;Argentine
    AT Autriche
    AU Australien;Australie
    AZ Aserbaidschan;Azerbaïdjan;Azerbaigian;Azerbaiyán
    BA Bosnien und Herzegowina;Bosnie-Herzégovine;Bosnia ed Erzegovina
    BB Barbade
    BE Belgien;Belgio;Bélgica
    BG Bulgarien;Bulgarie
    BH Bahreïn;Baréin
    BM Bermudes;Bermudas
    BN Brunei Darussalam
    BO Bolivien;Bolivie
    BR Brasilien;Brésil;Brasile
    BT Bhoutan;Bután
    BW Botsuana
    BY Biélorussie;Bielorussia;Bielorrusia;Weißrussland
    BZ Belice
    CA Kanada
    CD Kongo-Kinshasa;Congo-Kinshasa;República Democrática del Congo;Kongo, Demokratische Republik;République démocratique du Congo;Repubblica Democratica del Congo
    CG Kongo-Brazzaville;Congo-Brazzaville;Congo;Republik Kongo;République du Congo;Repubblica del Congo;República del Congo
    CH Suiza
    CI Costa d'Avorio;Costa de Marfil
    CL Chili;Cile
    CM Kamerun;Cameroun;Camerun
    CN Chine;Cina;China (Festland);Festlandchina;Chine continentale;Cina continentale;China continental
    CO Kolumbien;Colombie
    CV Cabo Verde;Cap-Vert;Capo Verde
    CY Zypern;Chypre;Cipro;Chipre
    CZ Tschechien;Tchéquie;Cechia;Chequia;Tschechische Republik;République tchèque;Repubblica Ceca;República Checa
    DE Germania;Alemania
    DK Dänemark;Danimarca;Dinamarca
    DM Dominique
    DO Dominikanische Republik;République dominicaine;Repubblica Dominicana;República Dominicana
    DZ Algerien;Algérie;Argelia
    EC Équateur
    EE Estland;Estonie
    EG Ägypten;Égypte;Egitto;Egipto
    ES Spanien;Espagne;Spagna
    FI Finnland;Finlande;Finlandia
    FJ Fidschi;Fidji;Figi;Fiyi
    FM Mikronesien;Micronésie;Föderierte Staaten von Mikronesien;États fédérés de Micronésie;Stati Federati di Micronesia;Estados Federados de Micronesia
    FR Frankreich;Francia
    GA Gabun
    GB Vereinigtes Königreich;Royaume-Uni;Regno Unito;Reino Unido
    GD Grenade;Granada
    GE Georgien;Géorgie
    GM Gambie
    GR Griechenland;Grèce;Grecia
    GW Guinée-Bissau;Guinea-Bisáu
    HR Kroatien;Croatie;Croazia;Croacia
    HU Ungarn;Hongrie;Ungheria;Hungría
    ID Indonesien;Indonésie
    IE Irland;Irlande;Irlanda
    IL Israele
    IN Indien;Inde
    IQ Irak
    IS Island;Islande;Islanda;Islandia
    IT Italien;Italie
    JM Jamaika;Jamaïque;Giamaica
    JO Jordanien;Jordanie;Giordania;Jordania
    JP Japon;Giappone
    KE Kenia
    KG Kirgisistan;Kirghizstan;Kirghizistan;Kirguistán
    KH Kambodscha;Cambodge;Cambogia;Camboya
    KN St. Kitts und Nevis;Saint-Christophe-et-Niévès;San Cristóbal y Nieves
    KR Südkorea;Corée du Sud;Corea del Sud;Corea del Sur;Republik Korea;République de Corée;Repubblica di Corea;República de Corea;Corea
    KW Koweït
    KY Kaimaninseln;Îles Caïmans;Isole Cayman;Islas Caimán
    KZ Kasachstan;Kazakistan;Kazajistán
    LB Libanon;Liban;Libano
    LC St. Lucia;Sainte-Lucie;Santa Lucía
    LT Litauen;Lituanie;Lituania
    LU Luxemburg;Lussemburgo;Luxemburgo
    LV Lettland;Lettonie;Lettonia;Letonia
    LY Libyen;Libye;Libia
    MA Marokko;Maroc;Marocco;Marruecos
    MD Republik Moldau;Moldavie;Moldavia;República de Moldavia
    MG Madagaskar
    MK Nordmazedonien;Macédoine du Nord;Macedonia del Nord;Macedonia del Norte;Mazedonien;Macédoine;Macedonia
    MM Myanmar (Birmanie);Myanmar (Birmania);Birmanie;Birmania
    MN Mongolei;Mongolie
    MR Mauretanien;Mauritanie
    MT Malte
    MU Maurice;Mauricio
    MV Malediven;Maldive;Maldivas
    MW Malaui
    MX Mexiko;Mexique;Messico
    MY Malaisie;Malasia
    MZ Mosambik;Mozambico
    NA Namibie
    NL Niederlande;Pays-Bas;Paesi Bassi;Países Bajos
    NO Norwegen;Norvège;Norvegia;Noruega
    NZ Neuseeland;Nouvelle-Zélande;Nuova Zelanda;Nueva Zelanda
    PE Pérou
    PG Papua-Neuguinea;Papouasie-Nouvelle-Guinée;Papua Nuova Guinea;Papúa Nueva Guinea
    PH Philippinen;Filippine;Filipinas
    PL Polen;Pologne;Polonia
    PT Portogallo
    PW Palaos
    QA Katar;Catar
    RO Rumänien;Roumanie;Rumanía
    RS Serbien;Serbie
    RU Russland;Russie;Rusia
    RW Ruanda
    SA Saudi-Arabien;Arabie saoudite;Arabia Saudita
    SB Salomonen;Îles Salomon;Isole Salomone;Islas Salomón
    SC Seychellen
    SE Schweden;Suède;Svezia;Suecia
    SG Singapur;Singapour
    SI Slowenien;Slovénie;Eslovenia
    SK Slowakei;Slovaquie;Slovacchia;Eslovaquia
    SL Sierra Leona
    SR Surinam
    ST Sao Tomé-et-Principe;Santo Tomé y Príncipe
    SZ Esuatini;Swasiland
    TC Turks- und Caicosinseln;Îles Turques-et-Caïques;Isole Turks e Caicos;Islas Turcas y Caicos
    TD Tschad;Tchad;Ciad
    TH Thaïlande;Thailandia;Tailandia
    TJ Tadschikistan;Tadjikistan;Tagikistan;Tayikistán
    TN Tunesien;Tunisie;Túnez
    TR Türkei;Turquie;Turchia;Turquía
    TT Trinité-et-Tobago
    TZ Tansania;Tanzanie
    UA Ucraina;Ucrania
    UG Ouganda
    US Vereinigte Staaten;États-Unis;Stati Uniti;Estados Unidos
    UZ Usbekistan;Ouzbékistan
    VC St. Vincent und die Grenadinen;Saint-Vincent-et-les Grenadines;Saint Vincent e Grenadine;San Vicente y las Granadinas
    VG Britische Jungferninseln;Îles Vierges britanniques;Isole Vergini Britanniche;Islas Vírgenes Británicas
    VN Viêt Nam
    YE Jemen
    ZA Südafrika;Afrique du Sud;Sudafrica
    ZM Sambia;Zambie
    ZW Simbabwe;Zimbabue
    """
}
