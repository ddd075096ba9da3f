import { URI } from 'otpauth'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import { readForms } from '../../world/forms.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { Options } from '../../world/webauthn/authenticator.ts'
import type { World } from '../../world/world.ts'

/** Applications with a second factor, with either session strategy. */
export const withFactor = {
  database: { strategy: 'database', passwords: {}, with: { 'second-factor': true } },
  jwt: { strategy: 'jwt', config: { adapter: true }, passwords: {}, with: { 'second-factor': true } },
} as const satisfies Record<string, Setup>

/** Seconds of a time step. */
export const period = 30

/** An authenticator app, and the recovery codes of its user. */
export interface App {
  /** In base32. */
  readonly secret: string
  readonly recovery: readonly string[]
  /** Returns the code of a time step, by default of the current one. */
  readonly code: (later?: number) => string
}

function readUri(text: string): string | undefined {
  return /otpauth:[^"\s<]+/.exec(text)?.[0].replaceAll('&amp;', '&')
}

/** Opens the page that enrols an app, and returns the fields of its form and the codes of the app. */
export async function readSetup(
  world: World,
  browser: Browser,
): Promise<Omit<App, 'recovery'> & { readonly fields: Readonly<Record<string, string>> }> {
  const page = await browser.send(enrolmentPath(world), { says: 'opens the page that enrols an app' })
  const uri = readUri(page.text)
  world.assume(uri !== undefined, 'the page has no otpauth: URI')
  const totp = URI.parse(uri ?? '')
  const code = (later = 0) => {
    const timestamp = world.clock.now() + later * period * 1000
    return 'period' in totp ? totp.generate({ timestamp }) : ''
  }
  const [form] = readForms(page.text)
  return { secret: totp.secret.base32, fields: form?.fields ?? {}, code }
}

/** Enrols an app for the user of a browser, and waits for the next code. */
export async function enrol(world: World, browser: Browser): Promise<App> {
  const { secret, fields, code } = await readSetup(world, browser)
  const done = await browser.send(enrolmentPath(world), {
    form: { ...fields, code: code() },
    says: 'enters the first code of the app',
  })
  const recovery = readRecoveryCodes(done.text)
  world.assume(recovery.length > 0, 'the page has no recovery codes')
  world.clock.advance(period)
  return { secret, recovery, code }
}

/** Returns the recovery codes that a page shows. */
export function readRecoveryCodes(text: string): readonly string[] {
  return [...new Set(text.match(/\b[a-z2-7]{6}(?:-[a-z2-7]{6}){3}\b/g))]
}

const enrolmentPath = ({ basePath }: World) => `${basePath}/factor-enrolment`

/** Enters a code. */
export async function enterCode(
  world: World,
  browser: Browser,
  code: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const form = { csrfToken: await browser.csrfToken(), code, ...more }
  return browser.send(`${world.basePath}/factor`, { form, says: 'enters a code of the second factor' })
}

/** Another code of six digits. */
export function wrongCode(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0')
}

/** Codes that are valid neither in the current time step nor in the steps next to it. */
export function wrongCodes({ code }: Pick<App, 'code'>, seed: number, count: number): readonly string[] {
  const right = [-1, 0, 1].map(code)
  const codes = Array.from({ length: count + right.length }, (_, by) => wrongCode(code(), seed + by))
  return codes.filter((each) => !right.includes(each)).slice(0, count)
}

/** Returns whether the session of the browser has the second factor. */
export async function hasFactor(browser: Browser): Promise<boolean> {
  const { json } = await browser.readSession()
  const amr = typeof json === 'object' && json !== null && 'amr' in json ? json.amr : undefined
  return Array.isArray(amr) && amr.includes('mfa')
}

/** Requests options, as the script of the page for the second factor does. */
export async function requestFactorOptions(world: World, browser: Browser): Promise<Options | undefined> {
  const path = `${world.basePath}/factor?action=authenticate`
  const reply = await browser.send(path, { says: 'requests options for the second factor' })
  const options = member(reply.json, 'options')
  return reply.status === 200 && typeof options === 'object' ? (options as Options) : undefined
}

/** Posts the response of an authenticator, as the form of the page does. */
export async function sendFactorPasskey(world: World, browser: Browser, answer: unknown): Promise<Reply> {
  const form = {
    csrfToken: await browser.csrfToken(),
    code: '',
    action: 'authenticate',
    data: JSON.stringify(answer),
  }
  return browser.send(`${world.basePath}/factor`, { form, says: 'uses a passkey as the second factor' })
}
