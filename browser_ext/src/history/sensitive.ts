// What is never reported of the history, whatever the owner switched on: health, money, sex, and the owner's own list.
// It rather leaves out too much. A name with a dot is a site with its subdomains. A word that ends with * is the
// beginning of words.

/** Languages of the words: English, German, French, Spanish, Italian, Dutch, Portuguese. Accents are removed. */
const SITES = [
  // Health
  'webmd.com mayoclinic.org clevelandclinic.org healthline.com nhs.uk medlineplus.gov drugs.com rxlist.com verywellmind.com ' +
    'medicalnewstoday.com patient.info netdoktor.de netdoktor.at apotheken-umschau.de onmeda.de doctolib.de doctolib.fr doctolib.it ' +
    'jameda.de doctissimo.fr ameli.fr docmorris.de shop-apotheke.com betterhelp.com talkspace.com zocdoc.com goodrx.com 23andme.com ' +
    'plannedparenthood.org thuisarts.nl miodottore.it doctoralia.es doctoralia.com.br',
  // Money
  'paypal.com chase.com wellsfargo.com citi.com capitalone.com americanexpress.com fidelity.com vanguard.com schwab.com robinhood.com ' +
    'etrade.com coinbase.com binance.com kraken.com revolut.com wise.com n26.com ing.com ing.de ing.nl dkb.de comdirect.de flatex.de ' +
    'traderepublic.com scalable.capital hsbc.com hsbc.co.uk barclays.co.uk natwest.com lloydsbankinggroup.com monzo.com santander.com ' +
    'bbva.es bnpparibas.fr boursorama.com intesasanpaolo.com unicredit.it abnamro.nl intuit.com hrblock.com elster.de impots.gouv.fr ' +
    'irs.gov klarna.com venmo.com cash.app etoro.com experian.com equifax.com schufa.de',
  // Sex
  'xvideos.com xnxx.com xhamster.com redtube.com chaturbate.com stripchat.com livejasmin.com brazzers.com spankbang.com literotica.com ' +
    'fetlife.com adultfriendfinder.com ashleymadison.com tinder.com grindr.com motherless.com f95zone.to joyclub.de',
].flatMap((some) => some.split(' '))

const WORDS = [
  // Health
  'health* medic* doctor* physician* hospital* clinic* klinik* krankenh* krankheit* krankenkass* arzt* aerzt* arztin apothek* pharmac* ' +
    'pharmaz* farmac* diagnos* symptom* therap* psych* psico* psiqui* cancer* krebs* tumor* tumour* oncolog* onkolog* chemo* diabet* ' +
    'insulin* hiv aids hepatitis herpes chlamyd* syphilis std pregnan* schwanger* grossesse* enceinte embaraz* gravidanz* gravidez zwanger* ' +
    'abort* abtreib* avort* fertil* fruchtbark* ivf contracept* verhutung* miscarriage* fehlgeburt* menopaus* depress* anxiety angststor* ' +
    'bipolar* schizo* adhd adhs autis* suicid* suizid* selbstmord* anorex* bulimi* addict* sucht* alcoholi* alkoholi* rehab* overdos* ' +
    'antidepress* antibiot* vaccin* impf* vacun* surger* surgeon* chirurg* dentist* zahnarzt* urolog* gynae* gynec* gynak* dermatolog* ' +
    'cardiolog* kardiolog* neurolog* dementia demenz* alzheimer* parkinson* epilep* infarct* infarkt* disease* illness* disorder* syndrom* ' +
    'enfermed* maladie* malatti* ziekte* doenca* salud sante salute saude gesundheit* medecin* hopital* ospedal* ziekenh* huisarts* biops* ' +
    'prescription* dosage* hormon* incontinen* inkontinen* viagra',
  // Money
  'bank banks banking bankaccount* bankkonto* banque* banco* bancar* banca sparkass* volksbank* raiffeisen* kredit* credit* darlehen* loan ' +
    'loans mortgage* hypothe* hipotec* ipotec* debt debts schulden* dette dettes deuda* insolven* bankrupt* konto* girokont* iban paypal ' +
    'venmo zelle revolut klarna tax taxes taxation taxpayer* steuererkl* steuerbesch* steuernumm* einkommens* lohnsteuer* finanzamt* ' +
    'finanz* financ* impot impots impuest* belasting* imposto* hmrc payroll* payslip* salary salaries gehalt* lohnabr* salaire* ' +
    'sueldo* stipendio pension* rente renten* retraite* insurance* insurer* insured versicher* assuranc* seguro seguros assicuraz* verzeker* ' +
    'invest investing investment* investor* investier* broker* aktie aktien aktienk* etf etfs trading forex crypto* krypto* bitcoin* ' +
    'ethereum* coinbase wallet* dividend* 401k schufa',
  // Sex
  'porn* xxx nsfw sex sexo sexy sexual* sexuel* sexuell* sexting sesso seks* erotic* erotik* erotis* hentai fetish* fetisch* bdsm escort* ' +
    'nude nudes nudity nackt* desnud* milf blowjob* orgasm* masturb* dildo* vibrator* camgirl* onlyfans stripper* striptease* swinger* ' +
    'hookup* penis* vagina* prostitu* bordell* brothel* adult adults rule34',
].flatMap((some) => some.split(' '))

/** In the name of a site these also count in the middle of a word. */
const PARTS = (
  'bank sparkass credit kredit financ finanz insuran versicher assuranc paypal crypto casino klinik clinic hospital health pharma apothek ' +
  'medic doctor arzt porn xxx nsfw escort hentai fetish onlyfans'
).split(' ')

const EXACT = new Set(WORDS.filter((word) => !word.endsWith('*')))
const BEGINNINGS = WORDS.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1))

/** The whole address is checked, although no path is ever reported. */
export interface Visited {
  domain: string
  path: string
  title: string
}

/** Whether a visit is about something that is never reported. `own`: words and sites of the owner's list. */
export function isSensitive({ domain, path, title }: Visited, own: readonly string[]): boolean {
  const text = fold(`${domain} ${path} ${title}`)
  if (SITES.some((site) => isBelow(domain, site)) || PARTS.some((part) => domain.includes(part))) return true
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).some(isSensitiveWord) || own.some((entry) => isOwn(entry, domain, text))
}

/** Parse the owner's list: one or several entries a line, normalised, without duplicates. */
export function entriesOf(list: string): string[] {
  const entries = list.split(/[\n,;]/).map((entry) => entryOf(entry.trim()))
  return [...new Set(entries.filter((entry) => entry !== ''))]
}

/** An address stands for its site. */
function entryOf(entry: string): string {
  const isSite = /^\S+\.\S+$/.test(entry)
  if (!isSite) return fold(entry)
  const address = entry.includes('://') ? entry : `http://${entry}`
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\.|\.$/g, '') : fold(entry)
}

function isOwn(entry: string, domain: string, text: string): boolean {
  return text.includes(entry) || (entry.includes('.') && isBelow(domain, entry))
}

function isBelow(domain: string, site: string): boolean {
  return domain === site || domain.endsWith(`.${site}`)
}

function isSensitiveWord(word: string): boolean {
  return EXACT.has(word) || BEGINNINGS.some((beginning) => word.startsWith(beginning))
}

/** Remove case and accents. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\s+/g, ' ')
    .trim()
}
