// The weights of the features in block_features.ts, fitted to pages whose content people had marked (`python -m
// tests.bench.reading` measures them). Positive: the block belongs to the content. A feature that is not listed weighs
// nothing.
import type { Weights } from './body_text'

// prettier-ignore
export const WEIGHTS: Weights = {
  bias: -0.969, copyright: -3.364, 'named consent': -3.269, label: -3.089, aside: -2.643, footer: -2.293, 'under named faq': 2.014,
  'under named tool': -1.716, figure: -1.707, 'named newsletter': -1.656, 'outside the article': -1.575, 'under named form': 1.489,
  'says named post': -1.342, closed: 1.313, 'outside main': -1.313, dialog: -1.292, place: -1.245, 'before the title': -1.201,
  'named review': -1.169, article: 1.168, 'under named code': 1.165, terms: -1.106, 'under named filter': -1.082, 'under named search': -1.079,
  h2: 1.039, 'among the words': 1.011, button: -0.945, 'under named side': -0.919, 'under named comment': -0.868, header: -0.842,
  'says named share': -0.827, 'said before': -0.815, length: 0.809, 'says named meta': -0.767, 'under named related': -0.762, h1: -0.693,
  'named footer': -0.689, linked: -0.689, 'says named details': -0.688, 'says named price': -0.679, 'named comment': -0.664,
  'named dialog': -0.656, 'named form': -0.647, 'large box, share': 0.628, 'named title': 0.611, 'says named content': -0.598,
  'under named post': -0.583, 'named carousel': -0.581, 'sections before': -0.577, 'under named footer': -0.575, 'small box, share': -0.572,
  'no sentences': 0.551, 'middle box, linked': -0.538, 'under named price': 0.530, tabs: -0.525, 'named header': -0.520, 'named trail': -0.511,
  table: 0.510, alike: 0.496, item: 0.496, 'named tool': -0.469, 'under named details': 0.465, 'said before, 4 words or more': -0.464,
  'says named account': -0.438, 'named contents': 0.433, 'named faq': -0.432, 'named meta': -0.428, 'page, sentences': -0.419,
  'under named locale': -0.407, commas: 0.394, 'length squared': -0.387, 'says named dialog': -0.382, h3: 0.367,
  'large box, words in a block': -0.365, 'middle box, sentences': 0.340, 'named search': -0.334, 'after the sentences': -0.327,
  'named details': 0.323, 'named content': 0.321, 'says named product': -0.301, p: 0.300, 'named nav': -0.289, quotation: 0.279,
  'named related': -0.279, 'named signature': -0.274, question: 0.274, 'middle box, share': -0.259, 'at the start': -0.255, sentence: 0.248,
  'under named product': -0.224, 'named help': 0.224, '2 before, sentence': 0.214, 'three or four words': -0.214, numbered: 0.214,
  'at the end': -0.209, 'before any sentence': -0.207, 'large box, sentences': 0.205, 'named code': -0.202, details: 0.194,
  'named locale': -0.187, capitals: -0.180, 'large box, linked': -0.177, 'under named signature': 0.174, '1 before, linked': 0.171,
  'under named content': 0.169, 'named hero': 0.167, 'named side': -0.162, h4: 0.141, link: 0.139, 'named filter': -0.139,
  '1 after, length': 0.134, 'page, words': -0.133, nav: -0.130, price: -0.108, '2 before, linked': -0.103, 'under named meta': 0.099,
  'small box, sentences': -0.081, 'under named review': 0.081, 'one word': 0.077, 'middle box, words in a block': 0.074, 'named hidden': 0.071,
  'page, articles': -0.071, 'named post': -0.064, '2 after, sentence': 0.047, '1 after, sentence': 0.046, '1 after, linked': -0.046,
  '1 before, length': 0.046, main: 0.031, 'small box, words in a block': 0.015, '2 after, length': 0.014,
}
