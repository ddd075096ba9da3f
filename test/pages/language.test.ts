import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arabic } from '../../src/pages/arabic.ts'
import { english } from '../../src/pages/english.ts'
import { german } from '../../src/pages/german.ts'
import { chooseLocale, compose, fill } from '../../src/pages/language.ts'
import { renderLocalised } from '../../src/pages/render-page.ts'
import type { PageLocale, PageTexts } from '../../src/types/page-texts.ts'
import { openApp, type AppOptions } from '../support/app.ts'
import { findAll, readShape, readText } from './read-html.ts'
import { pages, signInPage } from './samples.ts'

const languages = { en: english, de: german, ar: arabic }
const locales = ['en', 'de', 'ar'] as const

async function showSignIn(accepted: string | undefined, config: AppOptions['config'] = {}) {
  const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-language': accepted }
  const answer = await openApp({ config }).agent().send('/auth/signin', { headers })
  return answer.text()
}

function localeOf(html: string) {
  const [root] = findAll(html, 'html')
  return [root?.get('lang'), root?.get('dir')]
}

describe('the language of a page', () => {
  it('PAG-06 is the one that the browser prefers, or English', () => {
    const choices: readonly (readonly [string | null, PageLocale])[] = [
      [null, 'en'],
      ['', 'en'],
      ['*', 'en'],
      ['fr', 'en'],
      ['de', 'de'],
      ['DE-AT', 'de'],
      ['ar-EG,ar;q=0.9,en;q=0.8', 'ar'],
      ['fr-FR, de;q=0.5, en;q=0.4', 'de'],
      ['de;q=0.2, en;q=0.7', 'en'],
      ['de;q=0, en;q=0', 'en'],
      ['de;q=x', 'en'],
      ['german', 'en'],
      ['constructor', 'en'],
      [`${'fr,'.repeat(200)}de`, 'en'],
    ]
    for (const [header, locale] of choices) expect([header, chooseLocale(header)]).toEqual([header, locale])
  })

  it('PAG-06 covers the names and fields of the own providers, but no name that the site chose', async () => {
    const credentials = {
      email: { label: 'Email', type: 'email' },
      password: { label: 'Password', type: 'password' },
    }
    const providers = [
      { id: 'mail', name: 'Email', kind: 'email' },
      { id: 'password', name: 'Password', kind: 'password', credentials },
      {
        id: 'key',
        name: 'Passkey',
        kind: 'webauthn',
        formFields: { email: { label: 'Email' }, nick: { label: 'Nick' } },
      },
      { id: 'own', name: 'Password', kind: 'credentials', credentials: { pin: { label: 'Password' } } },
    ] as const
    const { html } = await renderLocalised(
      { ...signInPage, providers },
      { theme: {}, locale: 'de', texts: {} },
    )
    const text = readText(html)
    expect(text).toContain('Mit E-Mail anmelden')
    expect(text).toContain('Mit Passwort anmelden')
    const labels = [...html.matchAll(/<label[^>]*>([^<]*)/g)].map(([, label]) => label)
    expect(labels).toEqual(['E-Mail', 'E-Mail', 'Passwort', 'E-Mail', 'Nick', 'Password'])
    expect(text).toContain('Mit Password anmelden')
  })

  it('PAG-06 is chosen for every request, and has the direction of its script', async () => {
    expect(localeOf(await showSignIn(undefined))).toEqual(['en', 'ltr'])
    expect(localeOf(await showSignIn('de-DE,de;q=0.9,en;q=0.8'))).toEqual(['de', 'ltr'])
    const html = await showSignIn('ar')
    expect(localeOf(html)).toEqual(['ar', 'rtl'])
    expect(readText(html)).toContain('تسجيل الدخول باستخدام Idp')
    const agent = openApp().agent()
    for (const locale of ['de', 'ar', 'en', 'de'])
      for (const path of ['signin', 'signout', 'error', 'verify-request', 'nothing']) {
        const answer = await agent.send(`/auth/${path}`, { headers: { 'accept-language': locale } })
        expect([path, localeOf(await answer.text())[0]]).toEqual([path, locale])
      }
  })

  it('PAG-06 is fixed by `locale`', async () => {
    expect(localeOf(await showSignIn('ar', { locale: 'de' }))).toEqual(['de', 'ltr'])
    expect(readText(await showSignIn('en', { locale: 'de' }))).toContain('Mit Idp anmelden')
  })

  it('PAG-06 rejects an unknown locale, and texts that are not strings', async () => {
    for (const config of [{ locale: 'fr' }, { texts: { de: { signIn: 1 } } }, { texts: 'x' }]) {
      const app = openApp({ config: config as object })
      expect((await app.agent().send('/auth/signin')).status).toBe(500)
      expect(app.errors[0]?.message).toMatch(/^`(?:locale|texts)[.\w]*` must be/)
    }
  })
})

describe('the texts of a page', () => {
  it('PAG-07 are all in the guide', () => {
    const guide = readFileSync(new URL('../../docs/guides/pages.md', import.meta.url), 'utf8')
    const rows = [...guide.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(([, name, text]) => [name, text])
    const listed = new Set(Object.keys(english))
    expect(rows.filter(([name = '']) => listed.has(name))).toEqual(
      expect.arrayContaining(Object.entries(english)),
    )
  })

  it('PAG-06 have the same names and values in every language', () => {
    const placeholders = (texts: PageTexts) =>
      Object.entries(texts).map(([name, text]) => [name, text.match(/\{\w+\}/g)?.toSorted() ?? []])
    for (const locale of ['de', 'ar'] as const)
      expect(placeholders(languages[locale])).toEqual(placeholders(english))
    for (const texts of Object.values(languages))
      for (const text of Object.values(texts)) expect(text.trim()).not.toBe('')
  })

  it('PAG-06 contain no English in German and Arabic pages', async () => {
    for (const locale of ['de', 'ar'] as const)
      for (const page of pages) {
        const { html } = await renderLocalised(page, { theme: {}, locale, texts: {} })
        const words = readText(html.replaceAll(/<(details|p)[^>]* lang="en"[^]*?<\/\1>/g, ''))
        expect(words).not.toMatch(/\b(?:sign|please|with|again|the page|your|cancel|link to)\b/i)
      }
  })

  it('PAG-07 can be replaced one by one, in each language', async () => {
    const texts = { en: { signIn: 'Welcome back' }, de: { signInWith: 'Weiter mit {name}' } }
    const said = await showSignIn('en', { texts })
    expect(said).toContain('<h1>Welcome back</h1>')
    expect(readText(said)).toContain('Sign in with Idp')
    const other = readText(await showSignIn('de', { texts }))
    expect(other).toContain('Weiter mit Idp')
    expect(other).toContain(german.signIn)
  })

  it('IL-05 PAG-07 are escaped', async () => {
    const names = Object.keys(english)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('"><script>x</script>', '</style>', '{name', '{}', '{constructor}', "'", '&amp;'),
        fc.constantFrom(...pages),
        async (text, page) => {
          const own = Object.fromEntries(names.map((name) => [name, text])) as unknown as PageTexts
          const appearance = { theme: {} }
          const { html } = await renderLocalised(page, { ...appearance, texts: { en: own } })
          expect(findAll(html, 'script')).toEqual([])
          const tags = (shape: string[]) =>
            shape.filter((piece) => piece !== 'text' && piece !== 'strong dir')
          const usual = await renderLocalised(page, { ...appearance, texts: {} })
          expect(tags(readShape(html))).toEqual(tags(readShape(usual.html)))
        },
      ),
    )
  })

  it('PAG-07 keep unknown words in braces, and replace known ones once', () => {
    expect(fill('{name} {other} {constructor}', { name: '{other}$&', other: 'x' })).toBe(
      '{other}$& x {constructor}',
    )
    expect(compose('a {b} {c}', { b: 'B' })).toEqual(['a ', 'B', ' ', '{c}', ''])
  })

  it('WIR-061 are those of the language of each request', async () => {
    const appearance = { theme: {}, texts: {} }
    for (const locale of [...locales, ...locales]) {
      const { html } = await renderLocalised(signInPage, appearance, locale)
      expect(html).toContain(`<h1>${languages[locale].signIn}</h1>`)
    }
  })
})
