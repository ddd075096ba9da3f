import fc from 'fast-check'
import { opensSession } from '../../monitors/monitor.ts'
import type { Browser } from '../../world/browser.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { stored } from './outcome.ts'

/** Applications that mail codes. */
export const mailingCodes = stored({ provider: { mail: { method: 'code' } } })

/** A number to add to a six-digit code to get a wrong one. */
export const offset = fc.integer({ min: 1, max: 999_999 })

/** Requests a code. @returns its digits @throws {Unreached} if no mail with a code arrives */
export async function requestCode(world: World, browser: Browser, address: string): Promise<string> {
  const { token = '' } = await browser.requestLink(address)
  world.assume(/\d/.test(token), 'the mail has no code')
  return token
}

/** Submits the form for the code. */
export async function enterCode(
  world: World,
  browser: Browser,
  code: string,
  { id = world.idOf('mail') ?? 'mail', ...fields }: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const csrfToken = await browser.csrfToken()
  return browser.send(`${world.basePath}/callback/${id}`, {
    form: { csrfToken, code, ...fields },
    says: 'enters a code',
  })
}

/** Returns a wrong code of the same length. */
export function misread(code: string, by: number): string {
  const digits = code.replaceAll(/\D/g, '')
  return String((Number(digits) + by) % 10 ** digits.length).padStart(digits.length, '0')
}

/** Returns whether a guess was compared with the code: it signed in, or the user may try again. */
export function isCompared(reply: Reply): boolean {
  return opensSession(reply) || reply.location?.searchParams.has('attempts') === true
}

/** Gives a browser the cookies that the request for a code added in another one, and nothing else. */
export function plantCode(from: Browser, into: Browser, before: Readonly<Record<string, string>>): number {
  const added = Object.entries(from.cookies()).filter(([name]) => !(name in before) && !/csrf/.test(name))
  for (const [name, value] of added) into.setCookie(`${name}=${value}; Path=/; Secure`)
  return added.length
}
