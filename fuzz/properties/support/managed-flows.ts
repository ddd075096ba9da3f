import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { formsFor } from './account.ts'
import type { Flow } from './flows.ts'
import { receiveReset, setPassword } from './passwords.ts'
import { type App, enrol, readSetup } from './second-factor.ts'

/** The user of a prepared form. */
export const member = 'member@mail.example'
export const firstPassword = 'the first password of the member'
export const secondPassword = 'the second password of the member'

/** Applications whose users manage passwords, a second factor and their account, with either kind of session. */
export const managedSetups = {
  database: {
    strategy: 'database',
    providers: ['alpha', 'beta'],
    passwords: {},
    with: { 'account-page': true, 'second-factor': true },
  },
  jwt: {
    strategy: 'jwt',
    providers: ['alpha', 'beta'],
    config: { adapter: true },
    passwords: {},
    with: { 'account-page': true, 'second-factor': true, 'jwt-revocation': true },
  },
} as const satisfies Record<string, Setup>

/** A form that is ready to be sent. */
export interface ReadyForm {
  readonly browser: Browser
  /** Another browser of the same user, with a session. */
  readonly other?: Browser
  readonly path: string
  /** All fields but the CSRF token. */
  readonly fields: Readonly<Record<string, string>>
  /** The app that the user has afterwards. */
  readonly app?: Pick<App, 'code'>
}

/** The forms of passwords, second factors and the account page, by their purpose. */
export const managedForms = {
  'requesting a link for a password': async (world) => {
    // For an unknown address, the application works only to take the same time, and ignores failures of that work.
    await setPassword(world, member, firstPassword)
    return { browser: world.browser('ada'), path: 'password/password', fields: { email: member } }
  },
  'resetting a password': async (world) => {
    await setPassword(world, member, firstPassword)
    const browser = world.browser('ada')
    const { link } = await receiveReset(world, browser, member)
    const fields = { ...Object.fromEntries(link.searchParams), password: secondPassword }
    return { browser, path: 'password-reset/password', fields }
  },
  'changing a password': async (world) => ({
    browser: await setPassword(world, member, firstPassword),
    path: 'password-change/password',
    fields: { currentPassword: firstPassword, password: secondPassword },
  }),
  'enrolling an app': async (world) => {
    const browser = await openMember(world)
    const { fields, code } = await readSetup(world, browser)
    return {
      browser,
      path: 'factor-enrolment',
      fields: { ...withoutToken(fields), code: code() },
      app: { code },
    }
  },
  'entering a code': async (world) => {
    const app = await enrol(world, await openMember(world))
    const browser = world.browser('ada')
    await browser.arrive(await browser.visit('alpha', world.people.ada))
    return { browser, path: 'factor', fields: { code: app.code() }, app }
  },
  'ending other sessions': (world) => openChange(world, 'end-other-sessions'),
  'unlinking an account': (world) => openChange(world, 'unlink'),
  'deleting the user': (world) => openChange(world, 'delete-user'),
} as const satisfies Record<string, (world: World) => Promise<ReadyForm>>

export type ManagedForm = keyof typeof managedForms
export const managedFormNames = Object.keys(managedForms) as ManagedForm[]

/** Prepares a form with the CSRF token of its browser, as a flow. */
export async function openManaged(world: World, name: ManagedForm): Promise<Flow & ReadyForm> {
  const ready: ReadyForm = await managedForms[name](world)
  const csrfToken = await ready.browser.csrfToken()
  return { ...ready, go: () => send(world, ready, { csrfToken }, name) }
}

/** Sends a prepared form with additional fields. */
export function send(
  world: World,
  { browser, path, fields }: ReadyForm,
  more: Readonly<Record<string, string>>,
  says: string,
): Promise<Reply> {
  return browser.send(`${world.basePath}/${path}`, { form: { ...fields, ...more }, says })
}

async function openMember(world: World): Promise<Browser> {
  const browser = world.browser('ada')
  await browser.signIn('alpha', world.people.ada)
  return browser
}

/** Ada signs in on two devices, links both providers, and opens the account page. */
async function openChange(world: World, change: string): Promise<ReadyForm> {
  const browser = await openMember(world)
  await browser.signIn('beta', world.people.ada)
  const other = await openMember(world)
  const [form] = await formsFor(world, browser, change)
  world.assume(form !== undefined, `the page has no form for ${change}`)
  const confirmation = change === 'delete-user' && { confirmation: world.people.ada.address.alpha }
  return { browser, other, path: 'account', fields: { ...withoutToken(form?.fields ?? {}), ...confirmation } }
}

function withoutToken({ csrfToken: _, ...fields }: Readonly<Record<string, string>>) {
  return fields
}
