import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import type { Mail } from '../../world/mailbox.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/** Applications with passwords, with either session strategy. */
export const withPasswords = {
  database: { strategy: 'database', passwords: {} },
  jwt: { strategy: 'jwt', config: { adapter: true }, passwords: {} },
} as const satisfies Record<string, Setup>

/** Only database sessions can be ended. */
export const withStoredSessions = { database: withPasswords.database }

/** A password that is long enough. */
export const longPassword = fc.string({ minLength: 16, maxLength: 60, unit: 'grapheme' }).filter(isUsable)

/** A character with several code units, or several ways to write it. */
const oddCharacter = fc.constantFrom('a', 'é', 'e\u0301', '字', '😀')

/** A password that is too short by one character, which may still have many code units. */
export const shortPassword = oddCharacter.map((character) => character.repeat(14))

/** A password of the maximum length, and a longer one that starts with it. */
export const longestPasswords = fc
  .tuple(fc.constantFrom('a', 'é', '😀'), fc.constantFrom('a', '\u0301', '😀', 'a'.repeat(1024)))
  .map(([character, more]) => {
    const longest = character.repeat(1024 / new TextEncoder().encode(character).length)
    return [longest, longest + more] as const
  })

/** Two passwords that differ. */
export const twoPasswords = fc
  .tuple(longPassword, longPassword)
  .filter(([one, other]) => one.normalize('NFC') !== other.normalize('NFC'))

/** Fields of forms change line breaks, and an escaped password cannot be searched for in a page. */
function isUsable(text: string): boolean {
  return !/[\r\n\0<>&"'\\]/.test(text) && Array.from(text.normalize('NFC')).length >= 15
}

type Fields = Readonly<Record<string, string>>

async function post(
  world: World,
  browser: Browser,
  action: string,
  fields: Fields,
  says: string,
): Promise<Reply> {
  const form = { csrfToken: await browser.csrfToken(), ...fields }
  return browser.send(`${world.basePath}/${action}/password`, { form, says })
}

/** Signs in with a password. */
export async function enter(world: World, browser: Browser, email: string, password: string): Promise<Reply> {
  return post(world, browser, 'callback', { email, password }, `enters a password for ${email}`)
}

/** Requests a link, and returns the response. */
export async function requestReset(world: World, browser: Browser, email: string): Promise<Reply> {
  return post(world, browser, 'password', { email }, `requests a link for the password of ${email}`)
}

/** Requests a link, and returns the mail. */
export async function receiveReset(world: World, browser: Browser, email: string): Promise<Mail> {
  const after = world.mailbox.mails.length
  await requestReset(world, browser, email)
  const mail = await world.mailbox.waitFor(email, after)
  world.assume(mail !== undefined, 'no mail arrived')
  return mail ?? { to: email, link: new URL(world.url('')) }
}

/** Sends the form of a link. */
export async function choose(
  world: World,
  browser: Browser,
  { link }: Mail,
  password: string,
  more: Fields = {},
): Promise<Reply> {
  const fields = { ...Object.fromEntries(link.searchParams), password, ...more }
  return post(world, browser, 'password-reset', fields, 'chooses a password')
}

/** Sets the password of an address, which registers it if it is new. */
export async function setPassword(world: World, email: string, password: string): Promise<Browser> {
  const browser = world.browser()
  await choose(world, browser, await receiveReset(world, browser, email), password)
  world.assume((await browser.whoAmI()) === email, 'the password cannot be set')
  return browser
}

/** Changes the password of a signed-in user. */
export async function change(
  world: World,
  browser: Browser,
  current: string,
  password: string,
): Promise<Reply> {
  return post(
    world,
    browser,
    'password-change',
    { currentPassword: current, password },
    'changes the password',
  )
}

/** Returns whether the password signs in. */
export async function opens(world: World, email: string, password: string): Promise<boolean> {
  const browser = world.browser()
  await enter(world, browser, email, password)
  return (await browser.whoAmI()) === email
}

/** The parts of a response that anyone can see, without random values. */
export function seenIn({ status, location, text, headers, cookies }: Reply): string {
  const kept = [...headers].filter(([name]) => name !== 'set-cookie' && name !== 'location')
  const lines = cookies.map(({ key, path, httpOnly, secure }) => [key, path, httpOnly, secure])
  return JSON.stringify([status, location?.href, text, kept, lines])
}
