// Sites of mail and messages, of which no page is kept by itself. thoughts/text/private/correspondence.py reads the
// same list.
import data from '../../../thoughts/text/private/correspondence.json'

const sites = new Set([...data.mail, ...data.messengers].join(' ').split(' '))

export function isCorrespondence(host: string): boolean {
  const labels = host.split('.')
  return labels.some((_label, at) => sites.has(labels.slice(at).join('.')))
}
