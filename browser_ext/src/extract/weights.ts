// What each sign of a block is worth, fitted to pages of which people had marked what they are about: `python -m tests.bench.reading` says how
// well. Positive: it belongs to what the page is about. The signs are those of signs.ts; one that is not here says nothing.
import type { Weights } from './body_text'

// prettier-ignore
export const WEIGHTS: Weights = {
  bias: -1.006, copyright: -3.295, 'named consent': -3.112, label: -2.976, aside: -2.677, figure: -2.159, footer: -2.045,
  'under named faq': 1.899, 'named newsletter': -1.714, 'under named tool': -1.683, 'outside the article': -1.676, 'outside main': -1.625,
  'under named form': 1.446, 'under named code': 1.412, place: -1.332, details: 1.331, 'before the title': -1.305, dialog: -1.291,
  'says named post': -1.226, 'under named search': -1.129, article: 1.113, terms: -1.079, 'named review': -1.044, 'among the words': 1.006,
  'under named filter': -0.998, 'under named signature': 0.995, h2: 0.986, 'said before': -0.954, 'says named details': -0.918,
  'says named share': -0.872, h1: -0.871, 'middle box, linked': -0.866, length: 0.859, 'under named side': -0.833, table: 0.826,
  'named comment': -0.758, 'under named related': -0.727, 'named contents': 0.715, 'named footer': -0.714, button: -0.699,
  'under named details': 0.692, 'says named content': -0.683, 'says named price': -0.674, header: -0.619, 'named title': 0.611,
  'named carousel': -0.603, 'large box, share': 0.602, 'named tool': -0.592, 'under named comment': -0.581, linked: -0.571, capitals: -0.562,
  'named trail': -0.549, 'named form': -0.519, 'sections before': -0.504, tabs: -0.484, 'named dialog': -0.479, 'under named price': 0.479,
  alike: 0.452, 'under named post': -0.448, 'named header': -0.445, 'length squared': -0.437, 'named meta': -0.422, 'under named footer': -0.409,
  'says named account': -0.398, 'under named meta': -0.386, tabpanel: -0.384, 'named details': 0.379, 'says named product': -0.373,
  'page, linked': 0.367, item: 0.360, 'small box, share': -0.358, 'middle box, share': -0.352, 'after the sentences': -0.343,
  'no sentences': 0.342, h3: 0.335, 'said before, 4 words or more': -0.334, 'named signature': -0.320, quotation: 0.318, 'named help': 0.314,
  'no title': -0.301, p: 0.301, commas: 0.298, 'under named locale': -0.295, 'named content': 0.290, 'one word': 0.283,
  'large box, words in a block': -0.282, 'named faq': -0.253, 'under named product': -0.251, sentence: 0.242, form: -0.236, 'named nav': -0.234,
  'at the start': -0.233, 'says named meta': -0.230, 'named hero': 0.222, '1 before, linked': 0.213, numbered: 0.207,
  '2 before, sentence': 0.194, 'three or four words': -0.188, 'named code': -0.185, 'named search': -0.179, 'middle box, sentences': 0.176,
  '1 after, sentence': 0.175, 'named locale': -0.174, question: 0.171, 'named filter': -0.165, 'named related': -0.164, 'page, words': -0.162,
  h4: 0.153, link: 0.134, 'named price': 0.127, 'named side': -0.124, numbers: -0.119, pre: -0.111, main: 0.109,
  'small box, words in a block': 0.096, 'at the end': -0.095, '1 after, length': 0.091, 'under named content': 0.080, '2 before, linked': -0.071,
  '2 after, linked': -0.070, '2 after, sentence': 0.058, 'named post': -0.054, '1 before, length': 0.052, 'among the sentences': -0.042,
  'page, articles': -0.039, 'before any sentence': -0.036, 'small box, sentences': -0.035, 'middle box, words in a block': 0.025,
}
