import { tableKeys } from '../values/language.ts';

/** Words for parts of the day, for which the data of Intl has other words or none. */
export interface DayWords {
  readonly am: string;
  readonly pm: string;
  readonly upperAm: string;
  readonly upperPm: string;
  /** Undefined if no word is known. */
  readonly midnight: string | undefined;
  readonly noon: string | undefined;
}

/** The words for a locale of Intl; undefined if the table has no row for it. */
export function dayWords(locale: string): DayWords | undefined {
  const key = tableKeys(locale).find((candidate) => rows.has(candidate));
  return key === undefined ? undefined : rows.get(key);
}

/**
 * Languages, then the words for `a.m.`, `p.m.`, `AM`, `PM`, `midnight` and `noon` in the translations of
 * Django 5.2. Left out are languages in which Django has one word for both halves of the day. Django exchanges
 * `AM` and `PM` in Swedish; here they are in the right order.
 */
const source = `
af|vm.|nm.|VM|NM|middernag|middag
ar|ص|م|ص|م|منتصف الليل|ظهراً
ast|a.m.|p.m.|AM|PM|Media nueche|Meudía
az|g.ə.|g.s.|GƏ|GS|gecə yarısı|günorta
be|папоўначы|папаўдні|папоўначы|папаўдні|поўнач|поўдзень
bg|преди обяд|след обяд|преди обяд|след обяд|полунощ|обяд
bn|পূর্বাহ্ন|অপরাহ্ন|পূর্বাহ্ন|অপরাহ্ন|মধ্যরাত|দুপুর
br|mintin|g.m.|Mintin|G.M.|hanternoz|kreisteiz
bs|prije p.|po p.|AM|PM|ponoć|podne
ca|a.m.|p.m.|AM|PM|mitjanit|migdia
cs|dop.|odp.|dop.|odp.|půlnoc|poledne
cy|y.b.|y.h.|YB|YH|canol nos|canol dydd
da|a.m.|p.m.|AM|PM|midnat|middag
dsb|dopołdnja|wótpołdnja|dopołdnja|wótpołdnja|połnoc|połdnjo
el|πμ.|μμ.|ΠΜ|ΜΜ|μεσάνυχτα|μεσημέρι
eo|atm|ptm|ATM|PTM|noktomezo|tagmezo
es|a.m.|p.m.|AM|PM|medianoche|mediodía
et|e.l.|p.l.|EL|PL|südaöö|keskpäev
eu|a.m.|p.m.|AM|PM|gauerdia|eguerdia
fa|صبح|ب.ظ.|صبح|بعد از ظهر|نیمه شب|ظهر
fi|ap|ip|AP|IP|keskiyö|keskipäivä
fr|matin|après-midi|Matin|Après-midi|minuit|midi
ga|r.n.|i.n.|RN|IN|meán oíche|nóin
gd|m|f|m|f|meadhan-oidhche|meadhan-latha
gl|a.m.|p.m.|AM|PM|medianoite|mediodía
he|בבוקר|אחר הצהריים|בבוקר|אחר הצהריים|חצות|12 בצהריים
hr|ujutro|popodne|ujutro|popodne|ponoć|podne
hsb|dopołdnja|popołdnju|dopołdnja|popołdnju|połnoc|připołdnjo
hu|de|du|DE|DU|éjfél|dél
hy|a.m.|p.m.|AM|PM|կեսգիշեր|կեսօր
ia|am.|pm.|AM|PM|medienocte|mediedie
id|a.m|p.m|AM|PM|tengah malam|siang
ig|a.m.|p.m.|AM|PM|etiti Abalị|Ehihie
is|morgun|eftirmiðdegi|Morgun|Eftirmiðdegi|miðnætti|hádegi
it|a.m.|p.m.|AM|PM|mezzanotte|mezzogiorno
ja|a.m.|p.m.|AM|PM|0時|12時
ka|a.m.|p.m.|AM|PM|შუაღამე|შუადღე
kab|f.t.|m.d.|FT|MD|ttnaṣfa n yiḍ|ttnaṣfa n uzal
kk|Т.Ж.|Т.Қ.|ТЖ|ТҚ|түнжарым|түсқайта
kn|ಪೂರ್ವಾಹ್ನ|ಅಪರಾಹ್ನ|ಪೂರ್ವಾಹ್ನ|ಅಪರಾಹ್ನ|ಮಧ್ಯರಾತ್ರಿ|ಮಧ್ಯಾಹ್ನ
ko|오전|오후|오전|오후|자정|정오
ky|түшкө чейин|түштөн кийин|Түшкө чейин|Түштөн кийин|Түнүчү|ай
lt|a.m.|p.m.|AM|PM|vidurnaktis|vidurdienis
lv|priekšpusdienā|pēcpusdienā|priekšpusdienā|pēcpusdienā|pusnakts|dienasvidus
mk|наутро|попладне|наутро|попладне|полноќ|пладне
ml|എ. എം (ഉച്ചയ്ക്കു മുമ്പ്)|പി. എം (ഉച്ചയ്ക്കു ശേഷം)|എ. എം (ഉച്ചയ്ക്കു മുമ്പ്)|പി. എം (ഉച്ചയ്ക്കു ശേഷം)|അര്‍ധരാത്രി|ഉച്ച
mn|a.m.|p.m.|AM|PM|шөнө дунд|үд дунд
mr|म.पू.|म.उ.|मपू|मउ|मध्यरात्री|दुपारी
ms|pagi|malam|PAGI|MALAM|tengah malam|tengahari
my|မနက်|ညနေ|မနက်|ညနေ|သန်းခေါင်|မွန်းတည့်
nb nn no|a.m.|p.m.|AM|PM|midnatt|12:00
ne|a.m.|p.m.|AM|PM|मध्यरात|मध्यान्ह
nl|a.m.|p.m.|AM|PM|middernacht|middag
os|ӕ.р.|ӕ.ф.|ӔР|ӔФ|ӕмбисӕхсӕв|ӕмбисбон
pa|a.m.|p.m.|ਸਵੇਰ|ਸ਼ਾਮ|ਅੱਧੀ-ਰਾਤ|ਨੂਨ
pl|rano|po południu|rano|po południu|północ|południe
pt|a.m.|p.m.|AM|PM|meia-noite|meio-dia
ro|a.m.|p.m.|AM|PM|miezul nopții|amiază
ru|д.п.|п.п.|ДП|ПП|полночь|полдень
sk|predpoludním|popoludní|predpoludním|popoludní|polnoc|poludnie
sl|a.m.|p.m.|AM|PM|polnoč|poldne
sq|a.m.|p.m.|AM|PM|mesnatë|mesditë
sr|пре п.|по п.|AM|PM|поноћ|подне
sr-latn|pre p.|po p.|AM|PM|ponoć|podne
sv|f.m.|e.m.|FM|EM|midnatt|middag
sw|a.m|p.m|AM|PM|usiku wa manane|mchana
te|a.m.|p.m.|AM|PM|అర్ధరాత్రి|మధ్యాహ్నం
tg|н.р.|н.ш.|НР|НШ|нимашабӣ|нисфирузӣ
th|a.m.|p.m.|AM|PM|เที่ยงคืน|เที่ยงวัน
tk|a.m|p.m|AM|PM|ýary gije|günortan
tr|ö.ö.|ö.s.|ÖÖ|ÖS|gece yarısı|öğlen
tt|т.к.|т.с.|ТК|ТС|төн уртасы|көн уртасы
ug|a.m.|p.m.|AM|PM|يېرىم كېچىدە|چۈشتە
uk|до полудня|після полудня|до полудня|після полудня|північ|полудень
ur|صبح|شام|صبح|شام|نصف رات|دوپہر
uz|ertalab|kechqurun|Ertalab|Kechqurun|yarim tunda|peshin
vi|a.m.|p.m.|sáng|chiều|Nửa đêm|Buổi trưa
zh-hans zh-hant|a.m.|p.m.|AM|PM|午夜|中午
`;

const rows: ReadonlyMap<string, DayWords> = new Map(source.trim().split('\n').flatMap(readRow));

function readRow(line: string): [string, DayWords][] {
  const [keys = '', am = '', pm = '', upperAm = '', upperPm = '', midnight = '', noon = ''] = line.split('|');
  return keys.split(' ').map((key) => [key, { am, pm, upperAm, upperPm, midnight, noon }]);
}
