import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import type { Mail } from '../../world/mailbox.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/** Applications whose users change their address, with either kind of session. */
export const withEmailChange = {
  database: { strategy: 'database', providers: ['alpha', 'beta'], emailChange: {} },
  jwt: {
    strategy: 'jwt',
    providers: ['alpha', 'beta'],
    config: { adapter: true },
    emailChange: {},
    with: { 'jwt-revocation': true },
  },
} as const satisfies Record<string, Setup>

type Fields = Readonly<Record<string, string>>

/** Signs Ada in. */
export async function openAda(world: World): Promise<Browser> {
  const browser = world.browser('ada')
  await browser.signIn('alpha', world.people.ada)
  return browser
}

/** Requests a link to a new address. */
export async function requestChange(
  world: World,
  browser: Browser,
  email: string,
  more: Fields = {},
): Promise<Reply> {
  const form = { csrfToken: await browser.csrfToken(), email, ...more }
  return browser.send(`${world.basePath}/email-change`, {
    form,
    says: `asks to change the address to ${email}`,
  })
}

/** Requests a link, and returns its mail. */
export async function receiveChange(world: World, browser: Browser, email: string): Promise<Mail> {
  const after = world.mailbox.mails.length
  await requestChange(world, browser, email)
  const mail = await world.mailbox.waitFor(email, after)
  world.assume(mail !== undefined, 'no mail arrived')
  return mail ?? { to: email, link: new URL(world.url('')) }
}

/** Sends the form of a link. */
export async function confirmChange(browser: Browser, { link }: Mail, more: Fields = {}): Promise<Reply> {
  const form = { ...Object.fromEntries(link.searchParams), csrfToken: await browser.csrfToken(), ...more }
  return browser.send(link.pathname, { form, says: 'confirms the change of the address' })
}

/** The addresses of all users who have one. */
export function addressesIn(world: World): readonly string[] {
  return world.rows.users.flatMap(({ email }) => (typeof email === 'string' ? [email] : []))
}

/** Like `withEmailChange`, with a mail about each change to an account. */
export const withNotices = {
  database: { ...withEmailChange.database, config: { sendNotice() {} } },
  jwt: { ...withEmailChange.jwt, config: { ...withEmailChange.jwt.config, sendNotice() {} } },
} as const satisfies Record<string, Setup>

/** The recipients of the mails about a change to an account. */
export function toldOf({ recorded }: World, change: string): readonly unknown[] {
  return recorded.callbacks.flatMap(({ name, params }) =>
    name === 'accountNotice' && params.change === change ? [params.to] : [],
  )
}

/** The recipients of notices of a type. */
export function noticesOf({ recorded }: World, type: 'changed' | 'taken'): readonly unknown[] {
  return recorded.callbacks.flatMap(({ name, params }) =>
    name === 'sendNotice' && params.type === type ? [params.to] : [],
  )
}
