import { Secret, TOTP } from 'otpauth'
import { readForms } from '../../fuzz/world/forms.ts'
import { totp, type TotpOptions } from '../../src/second-factor.ts'
import { csrfOf, type App } from './app.ts'
import type { Agent } from './browser-agent.ts'

/** Options of `openApp` for an application with a second factor. */
export function withFactor(options: Partial<TotpOptions> = {}) {
  return { secondFactor: totp({ issuer: 'Example', ...options }) }
}

/** What a user keeps of an enrolment. */
export interface Enrolled {
  readonly secret: string
  readonly recovery: readonly string[]
}

/** The code that an authenticator app shows. */
export function codeOf(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now })
}

/** Opens the page that shows a secret. @returns the secret, and the fields of the form */
export async function openEnrolment(agent: Agent) {
  const page = await agent.send('/auth/factor-enrolment?callbackUrl=/account')
  const html = await page.text()
  const [form] = readForms(html)
  const secret = (/<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1] ?? '').replaceAll(' ', '')
  return { page, html, secret, fields: { ...form?.fields } }
}

/** Enrols an authenticator app. Its first code is used, so the clock moves on. */
export async function enrol(app: Pick<App, 'clock'>, agent: Agent): Promise<Enrolled> {
  const enrolled = await sendFirstCode(app, agent)
  app.clock.advance(30)
  return enrolled
}

/** Sends the first code of an authenticator app. The clock stands still, so other requests can run in the meantime. */
export async function sendFirstCode(app: Pick<App, 'clock'>, agent: Agent): Promise<Enrolled> {
  const { secret, fields } = await openEnrolment(agent)
  const form = { ...fields, code: codeOf(secret, app.clock.now()) }
  const html = await (await agent.send('/auth/factor-enrolment', { form })).text()
  return {
    secret,
    recovery: [...html.matchAll(/<code[^>]*>([a-z2-7-]{27})<\/code>/g)].map(([, code]) => code ?? ''),
  }
}

/** Sends a code. */
export async function enterCode(agent: Agent, code: string, form: Record<string, string> = {}) {
  return agent.send('/auth/factor', { form: { csrfToken: await csrfOf(agent), code, ...form } })
}
