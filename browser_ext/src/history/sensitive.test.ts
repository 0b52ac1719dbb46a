import { describe, expect, it } from 'vitest'
import { entriesOf, isSensitive } from './sensitive'

const about = (title: string, domain = 'news.example', path = '/') => isSensitive({ domain, path, title }, [])

describe('what is never told', () => {
  it.each([
    'Symptoms of diabetes',
    'Find a doctor near you',
    'Zahnärztin in Leipzig',
    'Schwangerschaftstest',
    'Dépression : que faire',
    'Embarazo semana 12',
    'Signs of ADHD in adults',
    'HIV testing',
    'Huisarts Amsterdam',
    'Ospedale San Raffaele',
  ])('is health: %s', (title) => expect(about(title)).toBe(true))

  it.each([
    'Online banking',
    'Compare mortgages',
    'Mein Girokonto',
    'Steuererklärung 2026',
    'Assurance habitation',
    'Bitcoin price',
    'Car insurance quotes',
    'Payslip March',
    'Hypothekenrechner',
    'Impôts sur le revenu',
  ])('is money: %s', (title) => expect(about(title)).toBe(true))

  it.each(['Free porn videos', 'NSFW subreddit', 'Erotik Shop', 'Sexo casual', 'Escort service'])(
    'is sex: %s',
    (title) => {
      expect(about(title)).toBe(true)
    },
  )

  it.each([
    'de.webmd.com',
    'doctolib.de',
    'commerzbank.de',
    'www2.sparkasse-leipzig.de',
    'mypharmacy.example',
    'paypal.com',
    'best.xxx',
    'pornhub.com',
  ])('is a site of that kind: %s', (domain) => expect(about('Welcome', domain)).toBe(true))

  it('is said by the rest of the address alone, which is looked at and not told', () => {
    expect(about('Question 12', 'forum.example', '/c/hiv-positive/12')).toBe(true)
    expect(about('Results', 'search.example', '?q=am i pregnant')).toBe(true)
    expect(about('Question 12', 'forum.example', '/c/gardening/12')).toBe(false)
  })

  it.each([
    'Lever espresso machines',
    'Old maps of Rome',
    'Rust release notes',
    'Der Bau von Cembali',
    'Essex walks',
    'The taxi strike',
    'Accreditation',
  ])('is not this: %s', (title) => expect(about(title)).toBe(false))

  it('is also what the owner adds: words anywhere, sites with all below them', () => {
    const own = entriesOf('Knitting, https://www.Secret.example/path\nÉglise;  two   words ')
    expect(own).toEqual(['knitting', 'secret.example', 'eglise', 'two words'])
    const isLeftOut = (title: string, domain = 'news.example') => isSensitive({ domain, path: '/', title }, own)
    expect([
      isLeftOut('KNITTING patterns'),
      isLeftOut('Une eglise'),
      isLeftOut('Two words'),
      isLeftOut('x', 'a.secret.example'),
    ]).toEqual(Array(4).fill(true))
    expect([isLeftOut('Two other words'), isLeftOut('x', 'secrets.example')]).toEqual([false, false])
    expect(entriesOf(' \n,;')).toEqual([])
  })
})
