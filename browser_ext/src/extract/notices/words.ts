// How pages say, in the languages of most readers, that they do not show their content. Whole words of small letters.

/** A choice about cookies and personal data comes first: words of its subject, and of its buttons. */
const CONSENT_SUBJECTS = [
  'cookies?\\b|consent\\b|personal data|privacy|third part|partners?\\b|gdpr|tracking',
  'datenschutz|einwilligung|personenbezogen|datenverarbeitung|vie privée|données personnelles|traceurs|confidentialité',
  'privacidad|datos personales|riservatezza|dati personali|privacidade|dados pessoais|persoonsgegevens|toestemming',
  'prywatnoś|dane osobowe|ciastecz|personuppgifter|integritet|samtyck|personoplysninger|samtykke|tietosuoja|evästei',
  'soukromí|osobní údaje|çerez|kişisel veri|gizlilik|куки|файлы cookie|персональн|конфиденциальн|クッキー|個人情報|隐私|cookie',
  'ملفات تعريف الارتباط|الخصوصية|עוגיות|פרטיות|쿠키|개인정보|คุกกี้|कुकीज़|کوکی|حریم خصوصی|کوکیز|কুকি|ব্যক্তিগত তথ্য|குக்கீ|προσωπικά δεδομένα|dữ liệu cá nhân|персональні дані|date personale|особисті дані|cookie-uri|adatvédel|süti',
]
const CONSENT_CHOICES = [
  'accept|agree\\b|allow all|reject|decline|refuse|manage (?:my )?(?:choices|options|preferences|cookies)|got it|only necessary|necessary only',
  'akzeptier|zustimm|ablehn|einverstanden|nur notwendige|auswahl|einstellungen|accepter|refuser|paramétrer|tout accepter',
  'aceptar|rechazar|configurar|accett|rifiut|aceitar|rejeitar|recusar|accepteren|weigeren|akkoord|instellingen',
  'akceptuj|zgadzam|odrzuć|zgodę|godkänn|acceptera|avvisa|acceptér|accepter|afvis|godta|avslå|hyväksy|hylkää',
  'přijmout|souhlasím|odmítnout|kabul|reddet|принять|соглас|отклонить|同意|許可|拒否|接受|拒绝|동의|거부|قبول|موافق|אישור|קבל|ยอมรับ|स्वीकार|پذیرش|قبول|গ্রহণ|ஏற்க|αποδοχή|αποδέχομαι|chấp nhận|прийняти|погоджуюс|^\\s*ok\\s*$|elfogad|accept[aă]',
]
/** A page whose only content is such a choice. */
const CONSENT = [
  'before you continue|bevor (?:sie|du) (?:fortfahren|fortfährst|weiter)|avant (?:d.accéder|de continuer)',
  'antes de (?:ir|continuar|prosseguir)|prima di continuare|voordat je verdergaat|zanim przejdziesz|innan du fortsätter',
  'før du fortsætter|før du fortsetter|ennen kuin jatkat|než budete pokračovat|devam etmeden önce|прежде чем перейти',
  '続行する前に|继续之前|在您继续|계속하기 전에',
]
const HUMAN = [
  'captcha|unusual traffic|automated (?:queries|requests|traffic)|suspicious (?:activity|traffic)|bots? use duckduckgo',
  '(?:you.?re|you are|if you are) (?:not )?a?n? ?(?:human|robot|bot)\\b|human verification|verify (?:that )?you|prove you|security check',
  'checking (?:your browser|if the site)|just a moment|please enable (?:javascript|js)\\b|trouble accessing|solve th(?:e|is) challenge',
  'access (?:to this page has been )?denied|too many requests|have been blocked|one last step|attention required',
  'ungewöhnliche[rn]? (?:datenverkehr|aktivität|anfragen)|kein roboter|ein mensch (?:sind|bist)|automatisierte anfragen|zugriff verweigert',
  'trafic (?:inhabituel|exceptionnel)|pas un robot|êtes humain|tráfico inusual|no (?:eres|es|soy) un robot|eres humano',
  'traffico (?:insolito|anomalo)|non sei un robot|sei umano|tráfego incomum|não é um robô|é humano|ongebruikelijk verkeer',
  'geen robot|een mens bent|nietypowy ruch|nie jesteś robotem|ovanlig trafik|inte (?:är )?en robot|usædvanlig trafik',
  'uvanlig trafikk|ikke (?:er )?en robot|epätavallis\\S* liikenne|et ole robotti|neobvykl\\S* provoz|nejste robot',
  'olağan dışı trafik|robot olmadığın|необычн\\S* трафик|подозрительн\\S* трафик|не робот|вы человек',
  '通常と異なるトラフィック|ロボットではありません|人間であること|异常流量|不是机器人|人机验证|비정상적인 트래픽|로봇이 아닙니다',
]
const SIGN_IN = [
  '(?:log|sign) ?in to (?:continue|view|see|read|access|join|your)|(?:must|need to|have to|please|first) (?:be (?:logged|signed) in|(?:log|sign) in)',
  '^members? only\\W*$|(?:is|are|reserved) for (?:registered )?(?:members|users) only|create an account to (?:continue|view|see|read)|you.?(?:re| are) not (?:logged|signed) in',
  '(?:bitte )?(?:melden sie sich|melde dich) an,? um|anmelden,? um|nur für (?:registrierte |angemeldete )?(?:mitglieder|benutzer|nutzer)|sie müssen (?:sich anmelden|angemeldet sein)',
  'connectez-vous pour|vous devez (?:être connecté|vous connecter)|réservé aux (?:membres|inscrits)|inicia sesión para|debes (?:iniciar sesión|estar conectado)',
  'accedi per|devi (?:effettuare l.accesso|accedere|essere registrato)|faça login para|inicie sessão para|log in om|je moet (?:ingelogd|inloggen)|zaloguj się,? (?:aby|żeby)|musisz (?:być zalogowany|się zalogować)',
  'logga in för att|du måste (?:vara inloggad|logga in)|log ind for at|logg inn for å|kirjaudu sisään|přihlaste se|giriş yap(?:malı|ın|mak)|войдите,? чтобы|необходимо (?:войти|авторизоваться)',
  'ログインして(?:ください|続)|ログインが必要|登录后(?:可|才|查看|继续)|请先登录|请登录|로그인(?:이 필요|하세요|해 주세요)|تسجيل الدخول (?:للمتابعة|لعرض)|יש להתחבר|กรุณาเข้าสู่ระบบ|लॉग इन करें',
]
const AGE = [
  '(?:are you|you must be|i am|i.m) (?:at least |over )?(?:18|21)\\b|(?:over|under) (?:18|21)\\b.{0,40}(?:enter|leave|exit)|legal (?:drinking|smoking) age|age verification|(?:verify|confirm) (?:your|that you).{0,20}\\bage|adults? only|enter your (?:date of birth|birth ?date)',
  '(?:bist du|sind sie|ich bin) (?:mindestens |über |schon )?(?:16|18)|alterspr[üu]fung|altersverifikation|volljährig|avez-vous (?:plus de )?18|j.ai (?:plus de )?18|âge légal|majeur',
  'mayor de (?:edad|18)|(?:tienes|tengo) (?:más de )?18|verifica(?:r|ción)? (?:tu|de) edad|hai (?:più di )?18|maggiorenne|maior(?:es)? de (?:idade|18)|(?:ben je|bent u) (?:al |ouder dan )?18|ouder dan 18|masz (?:ukończone )?18|pełnoletni',
  'är du (?:över )?(?:18|20)|er du (?:over )?18|fyldt 18|oletko (?:yli )?18|je vám (?:více než )?18|18 yaşından|вам (?:уже )?(?:есть )?18|18 лет|18歳以上|年齢確認|满18|年满18|18세 이상|성인 인증',
]
const REGION = [
  '(?:not|isn.t|currently un)\\s?available (?:in|for|to visitors from) (?:your|this) (?:country|region|location|area)|unavailable in your (?:country|region|location|area)|unavailable (?:due to|for) legal reasons|(?:from|in) your (?:current )?(?:country|region|location) (?:is|are|cannot|can.t)|outside of? (?:your|the) (?:country|region|eu|uk|us)\\b.{0,30}(?:available|access)|451: |european (?:economic area|union).{0,120}(?:cannot grant|not available|unable|unavailable)',
  'in (?:ihrem|deinem) (?:land|gebiet|region) nicht verfügbar|in (?:ihrer|deiner) region nicht|n.est pas disponible dans (?:votre|ton) (?:pays|région)|no (?:está|esta) disponible en (?:tu|su) (?:país|región|zona)',
  'non (?:è )?disponibile nel (?:tuo|suo) paese|não (?:está )?disponível (?:no seu país|na sua região)|niet beschikbaar in (?:jouw|uw) (?:land|regio)|niedostępn\\S+ w (?:twoim|państwa) (?:kraju|regionie)|inte tillgänglig\\S* i ditt land|ikke tilgængelig\\S* i dit land',
  'недоступ\\S* в вашей |недоступ\\S* в вашем|(?:お住まいの|お客様の)(?:国|地域)では|您所在的(?:国家|地区)|해당 (?:국가|지역)에서는|귀하의 (?:국가|지역)|ülkenizde (?:kullanıla|mevcut)|غير متاح في (?:بلدك|منطقتك)',
]
const PAYWALL = [
  '(?:subscribe|sign up|register|log in) (?:now )?to (?:continue|keep) reading(?!.{0,20}full archive)|subscribe (?:now )?to (?:read|unlock|access|continue)|(?:continue|keep) reading (?:with|for|by) (?:a |an )?(?:subscription|free|trial|account)|^to (?:continue|keep) reading|(?:this|the) (?:article|story|content|post) is (?:only )?(?:for|available to|reserved for|exclusive to|only for) (?:paid |paying |our )?(?:subscribers|members)',
  '^(?:this is )?(?:an? )?(?:subscriber|member)s?[- ]only (?:content|article|story|post)\\W*$|you.?(?:ve| have) (?:reached|read|used) (?:your|all|\\d+) .{0,30}(?:limit|free articles)|unlock (?:this|the) (?:article|story)|(?:start|get) (?:your|a) (?:free )?trial to (?:read|continue)|this post is for paid subscribers|free articles? (?:left|remaining)',
  'weiterlesen mit|jetzt weiterlesen|(?:artikel|inhalt) (?:ist )?(?:nur )?für (?:abonnenten|abonnentinnen|mitglieder)|mit (?:einem )?abo (?:weiter)?lesen|um (?:diesen artikel|den ganzen artikel|weiter)\\S* zu lesen|réservé aux abonnés|(?:il vous reste|la suite est réservée)|abonnez-vous pour (?:lire|continuer)|pour lire la suite',
  'contenido exclusivo para suscriptores|suscríbete para (?:seguir|leer|continuar)|para seguir leyendo|(?:contenuto|articolo) riservato agli abbonati|abbonati per (?:leggere|continuare)|per continuare a leggere|(?:conteúdo )?exclusivo para assinantes|assine para (?:ler|continuar)',
  'alleen voor abonnees|word abonnee om|verder lezen\\?|tylko dla (?:prenumeratorów|subskrybentów)|wykup dostęp|aby czytać dalej|för att läsa vidare|bli prenumerant|kun for abonnenter|log ind for at læse|for å lese (?:hele|videre)|tilaajille|jatka lukemista',
  'только для подписчиков|оформите подписку,? чтобы|この記事は有料|会員限定|続きを読むには|残り.{0,12}文字|订阅后(?:可|阅读|继续)|付费阅读|阅读全文需|구독자 전용|구독하고 계속|للمشتركين فقط|למנויים בלבד|pouze pro předplatitele|abonelere özel',
]
const GONE =
  '(?:(?:(?:was|were|is|are|could|can|does|do)(?: ?not|n.t)|cannot|not) (?:be )?(?:found|exist|available|here|displayed|loaded)|(?:is |are )?no longer (?:available|here|exists?|online)|(?:has|have|was|were)(?: been)? (?:removed|deleted|moved)|(?:is |are )?(?:unavailable|missing|gone))(?: (?:anymore|any more|here))?'
/** Each is the whole of a heading or of a part of the title. */
const ERROR = [
  '(?:error|http|status|code|err)?[ :#-]*(?:4\\d\\d|5\\d\\d)(?: error)?[ :!.–—-]*(?:page|file)?(?: ?(?:not found|forbidden|gone|bad gateway|internal server error|service unavailable|gateway time-?out|server error|unavailable))?',
  `(?:(?:sorry|oops|uh[- ]?oh|whoops|hmm)[ ,.!:…-]*)?(?:(?:the|this|that|your|requested) ){0,2}(?:page|file|article|content|item|product|listing|video|post|document|site|resource|url|address|link)s?(?: (?:that )?you(?:.re| are| were|.ve| have)? (?:requested|looking for|looked for|wanted|trying to \\w+))? ${GONE}`,
  '(?:oops|sorry|uh[- ]?oh|whoops|ups)[ !.,…-]*(?:something went wrong)?|something went wrong|an? (?:unexpected )?error (?:has )?occurred|(?:internal )?server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|not found|nothing (?:was )?found(?: here)?|we can.t find (?:the|that) page|(?:we.?re )?(?:down for|under) maintenance|application error|temporarily (?:down|unavailable)|page unavailable',
  '(?:die|diese) (?:seite|angeforderte seite|gesuchte seite).{0,30}(?:nicht gefunden|existiert nicht|nicht (?:mehr )?(?:verfügbar|vorhanden))|seite (?:wurde )?nicht gefunden|fehler(?: 404)?|ein fehler ist aufgetreten|wartungsarbeiten|page (?:non trouvée|introuvable|inexistante)|(?:cette |la )?page (?:demandée )?(?:n.existe (?:pas|plus)|est introuvable)|une erreur (?:est survenue|s.est produite)|erreur(?: 404)?',
  'p[áa]gina no (?:encontrada|existe|disponible)|(?:la|esta) p[áa]gina (?:no existe|que buscas no existe)|ha ocurrido un error|se ha producido un error|error(?: 404)?|pagina non (?:trovata|disponibile)|si è verificato un errore|errore(?: 404)?|página não encontrada|ocorreu um erro|erro(?: 404)?|pagina niet gevonden|er is (?:een fout|iets mis)\\S*.{0,12}|fout(?: 404)?',
  'nie znaleziono strony|strona nie (?:została znaleziona|istnieje)|wystąpił błąd|błąd(?: 404)?|sidan (?:kunde inte hittas|finns inte|hittades inte)|siden (?:blev ikke fundet|findes ikke|finnes ikke|ble ikke funnet)|sivua ei (?:löydy|löytynyt)|stránka nenalezena|stránka nebyla nalezena|sayfa bulunamadı|страница не (?:найдена|существует)|произошла ошибка|ошибка(?: 404)?',
  '(?:お探しの)?ページ(?:が|は)?(?:見つかりません(?:でした)?|存在しません)|エラーが発生しました|(?:页面|网页|頁面)(?:不存在|未找到|找不到了?|无法访问)|找不到(?:该|此)?(?:页面|网页|頁面)|(?:요청하신 )?페이지를 찾을 수 없습니다|الصفحة غير موجودة|הדף לא נמצא|העמוד לא נמצא|ไม่พบหน้า\\S*|पृष्ठ नहीं मिला|पेज नहीं मिला|az oldal nem található|pagina nu (?:a fost găsită|există)',
]
const NO_SCRIPTS = [
  '(?:enable|turn on|activate|requires?|need) (?:to (?:enable|run) )?javascript|javascript (?:is|must be|needs to be) (?:required|disabled|enabled|turned)|(?:doesn.t|does not) work (?:properly )?without javascript|unsupported browser|browser is (?:not supported|out of date)',
  'javascript (?:aktivieren|ist deaktiviert)|aktivieren sie (?:bitte )?javascript|activer javascript|activez javascript|habilita(?:r)? javascript|abilita(?:re)? javascript|ativ(?:e|ar) (?:o )?javascript|włącz javascript|включите javascript|javascriptを有効|启用 ?javascript|자바스크립트',
]
const LOADING =
  '(?:loading|please wait|wird geladen|chargement|cargando|caricamento|carregando|laden|ładowanie|laddar|загрузка|読み込み中|加载中|로딩)[ .…]*'

const anyOf = (words: readonly string[], all = false) =>
  new RegExp(all ? `^[\\s\\p{P}\\p{S}]*(?:${words.join('|')})[\\s\\p{P}\\p{S}]*$` : words.join('|'), 'iu')

export const CONSENT_SUBJECT = anyOf(CONSENT_SUBJECTS)
export const CONSENT_CHOICE = anyOf(CONSENT_CHOICES)
export const ASKS_CONSENT = anyOf(CONSENT)
export const ASKS_HUMAN = anyOf(HUMAN)
export const ASKS_SIGN_IN = anyOf(SIGN_IN)
export const ASKS_AGE = anyOf(AGE)
export const OTHER_REGION = anyOf(REGION)
export const ASKS_MONEY = anyOf(PAYWALL)
export const IS_ERROR = anyOf(ERROR, true)
export const NEEDS_SCRIPTS = anyOf(NO_SCRIPTS)
export const IS_LOADING = anyOf([LOADING], true)
