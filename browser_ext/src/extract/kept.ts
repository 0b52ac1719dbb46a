// Extraction of a page that is to be kept: beside its text, the addresses in its attributes that name people.
import { extractVisible, type Extraction } from './page'
import { privateSignsOf, type PrivateSigns } from './private_signs'
import { inSlices, type Work } from './slices'

export interface KeptExtraction extends Extraction {
  /** Where its visible links lead: mail, telephones and other pages, as they are written, each once. */
  addresses: string[]
  signs: PrivateSigns
}

const ADDRESSES_MOST = 500
const ADDRESS_CHARACTERS = 300
/** Mail and telephones first: of the other links, a page may have thousands. */
const LINKS = ['a[href^="mailto:" i], a[href^="tel:" i]', 'a[href^="http" i], a[href^="//"]']

/** What the page hides from the owner names nobody: it could be put there for Penny. */
export async function extractToKeep(page: Document): Promise<KeptExtraction> {
  const { extraction, visible } = await extractVisible(page)
  const signs = await inSlices(signsIn(page))
  return { ...extraction, addresses: addressesIn(visible), signs }
}

function* signsIn(page: Document): Work<PrivateSigns> {
  return privateSignsOf(page)
}

function addressesIn(visible: Document): string[] {
  const addresses = LINKS.flatMap((links) => [...visible.querySelectorAll(links)])
    .map((link) => link.getAttribute('href')?.trim() ?? '')
    .filter((address) => address.length <= ADDRESS_CHARACTERS)
  return [...new Set(addresses)].slice(0, ADDRESSES_MOST)
}
