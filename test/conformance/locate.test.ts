import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { locate } from '../../fuzz/report/locate.ts'
import { findPlaces } from '../../fuzz/targets/described/find-places.ts'
import { loadDescription } from '../../fuzz/targets/described/load-description.ts'

/** Reads the places of a description from the repository, and its lines. */
async function open(path: string) {
  const file = new URL(`../../fuzz/peers/${path}`, import.meta.url).pathname
  const [text, { description }] = await Promise.all([readFile(file, 'utf8'), loadDescription(file)])
  if (!description) throw new Error('Expected a description')
  return { text, places: findPlaces(text, description) }
}

const target = 'http://localhost:4800'

describe('the places of a description', () => {
  it('are the values that the file contains, with their lines and columns', async () => {
    const { text, places } = await open('python/target.json')
    const lines = text.split('\n')
    for (const { value, member, line, column, end } of places) {
      const written = JSON.parse((lines[line - 1] ?? '').slice(column - 1, end - 1)) as string
      // The description has the path of the log from the working directory.
      expect(member === 'log' ? value.endsWith(written) : value === written, member).toBe(true)
    }
    expect(places.map(({ member }) => member)).toEqual([
      'signIn.url',
      'callback',
      'session.url',
      'signOut.url',
      'mail.url',
      'mail.link',
      'cookies.session',
      'log',
    ])
  })

  it('are where the file names the preset, if that defines the member', async () => {
    const { text, places } = await open('relying-parties/authlib/target.json')
    const preset = text.split('\n').findIndex((line) => line.includes('"preset"')) + 1
    const lines = Object.fromEntries(places.map(({ member, line }) => [member, line]))
    expect(lines).toMatchObject({ 'signIn.url': preset, 'session.url': preset })
    expect(lines.log).toBeGreaterThan(preset)
  })
})

describe('the place of a failure', () => {
  const sign = 'ada signs out: POST /leave → 302, to http://localhost:4800/'
  const start = 'ada starts a sign-in at alpha: POST /enter → 302, to http://127.0.0.1:4010/authorize'
  const back = 'ada returns from alpha: GET /back/alpha?code=‹secret 1› → 302, sets sid'
  const reads = 'ada asks who is signed in: GET / → 200, sets sid'
  const mail = 'ada starts a sign-in at mail: POST /letter → 200'
  const link = 'ada opens the link in the mail: GET /letter/‹secret 2› → 302, sets sid'

  it.each<[string, string, readonly string[]]>([
    ['signOut.url', 'a form of another site signed ada out', [start, back, sign, reads]],
    ['callback', 'a response without a state signed ada in', [start, back, reads]],
    ['signIn.url', 'a link starts a sign-in at alpha', [start]],
    ['mail.url', 'two addresses got a link', [mail]],
    ['mail.link', 'a mailed link signed ada in twice', [mail, link, reads]],
    ['session.url', 'a shared cache may store who is signed in', [reads]],
    [
      'session.url',
      'the query shows the session of ada',
      [start, back, reads.replace('GET /', 'GET /?user=ada')],
    ],
    ['cookies.session', 'sid is readable by scripts', [start, back]],
    ['cookies.session', 'a copy of the cookies is still signed in', [start, back, sign, reads]],
    ['log', 'the log contains the code verifier', [start, back]],
  ])('is %s if %s', async (member, says, trace) => {
    const { places } = await open('python/target.json')
    expect(locate({ target, places }, { says, trace })?.member).toBe(member)
  })

  it('is the provider if the description does not name the callback', async () => {
    const { places } = await open('python/target.json')
    const provider = { member: 'providers.alpha', value: 'google', line: 3, column: 1, end: 9 }
    const others = [...places.filter(({ member }) => member !== 'callback'), provider]
    expect(locate({ target, places: others }, { says: 'it opened', trace: [start, back, reads] })).toBe(
      provider,
    )
  })

  it('is relative to the path of the application', async () => {
    const { places } = await open('python/target.json')
    const trace = [sign.replace('/leave', '/shop/leave')]
    expect(locate({ target: `${target}/shop`, places }, { says: 'it ended', trace })?.member).toBe(
      'signOut.url',
    )
  })

  it('is unknown for a target without a description', () => {
    expect(locate({ target }, { says: 'it ended', trace: [sign] })).toBeUndefined()
  })
})
