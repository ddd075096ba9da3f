import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/index.ts'
import { Password } from '../../src/password.ts'
import { createRateLimits } from '../../src/rate-limit.ts'
import { totp } from '../../src/second-factor.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import * as app from '../bench/application.ts'
import { cookiesOf, post } from '../bench/browser.ts'
import { codeOf } from '../support/second-factor.ts'
import { type Inputs, type Prepare, silent } from './hostile-input.ts'

/** A letter and marks. Each mark of the second half has to be sorted before all of the first half. */
export function marks(length: number): string {
  return `a${'\u0301'.repeat(length / 2)}${'\u0334'.repeat(length / 2)}`
}

/** Different Chinese characters, which are expensive to encode in a host name. */
export function chinese(length: number): string {
  return Array.from({ length }, (_, n) => String.fromCodePoint(0x4e00 + ((7 * n) % 20_000))).join('')
}

/** URLs whose host is expensive to parse, by the number of characters. */
export const hosts: Readonly<Record<string, (length: number) => string>> = {
  'a host in Chinese': (length) => `https://${chinese(length)}.example/`,
  'a host after many slashes': (length) => `https:////${chinese(length)}.example/`,
  'a host without a scheme': (length) => `//${chinese(length)}.example/`,
  'a host of marks': (length) => `https://${marks(length)}.example/`,
  'a host of Chinese labels': (length) => `https://${`${chinese(60)}.`.repeat(length / 61)}example/`,
  'a host of marked labels': (length) => `https://${`${marks(60)}.`.repeat(length / 62)}example/`,
  'a host of encoded labels': (length) => `https://${'xn--4gbrim.'.repeat(length / 11)}example/`,
  'one encoded label': (length) => `https://xn--${'4gbrim'.repeat(length / 6)}.example/`,
}

/** Texts of so many bytes that may be typed where a code, a password, a name or an address is expected. */
const texts: Readonly<Record<string, (bytes: number) => string>> = {
  marks: (bytes) => marks(bytes / 2),
  'rows of marks': (bytes) => marks(60).repeat(bytes / 121),
  'marks that become two': (bytes) => `a${'\u0344'.repeat(bytes / 4)}${'\u0334'.repeat(bytes / 4)}`,
  'half-width marks': (bytes) => `a${'\uff9e\u0334'.repeat(bytes / 5)}`,
  'characters that normalise to 18': (bytes) => '\ufdfa'.repeat(bytes / 3),
}
const longTexts: typeof texts = {
  'digits of another script': (bytes) => '\u0661'.repeat(bytes / 2),
  dashes: (bytes) => '\u2013'.repeat(bytes / 3),
  'capital letters': (bytes) => '\u0130\u03a3'.repeat(bytes / 4),
}

/** The bytes of a body. */
const size = 60_000

/** The number of bytes of a body, and roughly those that the limits of passwords, names, addresses and codes allow. */
const sizes = { '': size, '3000 bytes of ': 3000, '1000 bytes of ': 1000, '120 bytes of ': 120 }

type Send = (text: string) => Prepare

/** Every hostile text, in place of a well-formed one. The rest of the body is padding. */
function inputs(send: Send, wellFormed: string): Inputs {
  const attacks = [
    ...Object.entries(longTexts).map(([name, write]) => [name, send(write(size))]),
    ...Object.entries(texts).flatMap(([name, write]) =>
      Object.entries(sizes).map(([amount, bytes]) => [amount + name, send(write(bytes))]),
    ),
  ]
  return [send(wellFormed), Object.fromEntries(attacks) as Record<string, Prepare>]
}

/** Keeps two texts: the longest, and one of the length of a password. Hashing takes long. */
function few([plain, attacks]: Inputs): Inputs {
  const kept = Object.entries(attacks).filter(([name]) => /^(3000 bytes of )?marks$/.test(name))
  return [plain, Object.fromEntries(kept)]
}

type Handle = (request: Request) => Response | Promise<Response>

/** Sends a field in a JSON body of constant size. */
function field(handle: Handle, path: string, name: string, more: object = {}, cookies = ''): Send {
  return (text) => {
    const bytes = Buffer.byteLength(text)
    const members = {
      ...more,
      csrfToken: app.csrf.token,
      [name]: text,
      pad: 'x'.repeat(Math.max(0, size - bytes)),
    }
    const headers = { cookie: `${app.heldCookies}; ${cookies}`, 'content-type': 'application/json' }
    const body = JSON.stringify(members)
    return () => {
      const request = new Request(`${app.origin}${app.basePath}/${path}`, { method: 'POST', headers, body })
      return () => handle(request)
    }
  }
}

/** An application that reads all kinds of typed texts. */
function open(config: Partial<AuthConfig>) {
  const mail = { name: 'E-mail', type: 'email', maxAge: 600, sendVerificationRequest() {} }
  const own = (raw: string) => raw.normalize('NFKC').trim().toLowerCase()
  const { providers } = app.configure()
  return createAuth({
    ...app.configure(),
    logger: silent,
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    ...config,
    providers: [
      ...providers,
      { ...mail, id: 'codes', method: 'code' },
      { ...mail, id: 'own', normalizeIdentifier: own },
      Password({ sendLink() {} }),
    ] as unknown as AuthConfig['providers'],
  }).handler
}

/** The inputs of everything that reads what a user types. */
export async function typedTexts(): Promise<Readonly<Record<string, Inputs>>> {
  const handle = open({})
  const { rateLimit } = createRateLimits({
    account: ({ username }) => username,
    limits: { credentials: { attempts: 1e9, seconds: 60 } },
  })
  const counted = open({ callbacks: { rateLimit } })
  const factor = await openFactor()
  const reset = { token: 'x', email: app.user.email }
  return {
    'mailed code': inputs(field(handle, 'callback/codes', 'code'), '123456'),
    'code of an app': inputs(factor.challenge, '123456'),
    'first code of an app': inputs(factor.enrolment, '123456'),
    'new password': inputs(
      field(handle, 'password-reset/password', 'password', reset),
      'correct horse battery staple',
    ),
    password: few(
      inputs(
        field(handle, 'callback/password', 'password', { email: app.user.email }),
        'correct horse battery staple',
      ),
    ),
    'name to count attempts by': inputs(field(counted, 'callback/credentials', 'username'), 'ada'),
    'address, normalised by the site': inputs(field(handle, 'signin/own', 'email'), app.user.email),
  }
}

/** Opens an enrolment, and a sign-in of a user who has enrolled. @returns what sends a code to each */
async function openFactor(): Promise<{ readonly challenge: Send; readonly enrolment: Send }> {
  const [enrolled, enrolling] = [await beginEnrolment(), await beginEnrolment()]
  const { handle, signIn, secret, setup, signedIn } = enrolled
  await handle(post('factor-enrolment', { setup, code: codeOf(secret, Date.now()) }, signedIn))
  const enrolment = field(
    enrolling.handle,
    'factor-enrolment',
    'code',
    { setup: enrolling.setup },
    enrolling.signedIn,
  )
  return { challenge: field(handle, 'factor', 'code', {}, await signIn()), enrolment }
}

async function beginEnrolment() {
  const adapter = memoryAdapter()
  await adapter.createUser({ ...app.user, emailVerified: null })
  const handle = open({ adapter, secondFactor: totp({ issuer: 'Example' }) })
  const signIn = async () => cookiesOf(await handle(post('callback/credentials', { password: 'password' })))
  const signedIn = await signIn()
  const cookie = `${app.heldCookies}; ${signedIn}`
  const page = await handle(new Request(`${app.origin}/auth/factor-enrolment`, { headers: { cookie } }))
  const html = await page.text()
  const secret = (/<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1] ?? '').replaceAll(' ', '')
  const setup = /name="setup" value="([^"]+)"/.exec(html)?.[1] ?? ''
  return { handle, signIn, signedIn, secret, setup }
}
