import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { formsFor, sendForm } from './account.ts'
import { confirmChange, receiveChange } from './email-changes.ts'
import { change, choose, enter, receiveReset, setPassword } from './passwords.ts'
import { type App, enrol, enterCode, period, readSetup } from './second-factor.ts'

/** Applications where an account can be changed in every way, with either kind of session. */
export const changeableSetups = {
  database: {
    strategy: 'database',
    providers: ['alpha', 'mail'],
    passwords: {},
    emailChange: {},
    with: { 'account-page': true, 'second-factor': true },
  },
  jwt: {
    strategy: 'jwt',
    providers: ['alpha', 'mail'],
    config: { adapter: true },
    passwords: {},
    emailChange: {},
    with: { 'account-page': true, 'second-factor': true, 'jwt-revocation': true },
  },
} as const satisfies Record<string, Setup>

export const address = 'member@mail.example'
const newAddress = 'member@new.example'
const first = 'the first password of the member'
const second = 'the second password of the member'

/** A user with a password, a second factor and an account at a provider. */
export interface Member {
  /** Has just signed in, with the second factor. */
  owner: Browser
  /** Returns a code that was not used. */
  readonly code: () => string
  readonly app: App
  /** The address with which the user signs in. */
  email: string
  password: string
}

export const isIn = async (browser: Browser) => (await browser.whoAmI()) !== undefined

/** Registers the user. */
export async function openMember(world: World): Promise<Member> {
  const owner = await setPassword(world, address, first)
  await owner.arrive(await owner.visit('alpha', world.people.ada, { link: 'true' }))
  world.assume(world.rows.accounts.length === 1, 'the account is not linked')
  const app = await enrol(world, owner)
  const code = () => {
    world.clock.advance(period)
    return app.code()
  }
  return { owner, code, app, email: address, password: first }
}

/** Enters the first factor. */
export async function enterFirst(world: World, browser: Browser, { email, password }: Member): Promise<void> {
  await enter(world, browser, email, password)
}

/** Signs in with both factors, in a new browser. */
export async function enterBoth(world: World, member: Member, more = {}): Promise<Browser> {
  const browser = world.browser()
  await enterFirst(world, browser, member)
  await enterCode(world, browser, member.code(), more)
  world.assume(await isIn(browser), 'nobody is signed in')
  return browser
}

/** Sets a password with a mail that has already arrived, and with the second factor if it is required. */
export async function finishReset(
  world: World,
  browser: Browser,
  mail: Awaited<ReturnType<typeof receiveReset>>,
  member: Member,
): Promise<void> {
  await choose(world, browser, mail, second)
  if (await isIn(browser)) return
  await enterCode(world, browser, member.code())
  // A target may demand the code before the form.
  if (!(await isIn(browser))) await choose(world, browser, mail, second)
}

async function submit(world: World, browser: Browser, name: string): Promise<void> {
  const [form] = await formsFor(world, browser, name)
  world.assume(form !== undefined, `the page has no form for ${name}`)
  if (form) await sendForm(world, browser, form)
}

/** Changes of an account that end everything else, by the names that a user would give them. */
export const endingChanges = {
  async 'a reset of the password'(world: World, member: Member) {
    const browser = world.browser()
    await finishReset(world, browser, await receiveReset(world, browser, member.email), member)
    member.password = second
  },
  async 'a change of the password'(world: World, member: Member) {
    await change(world, member.owner, first, second)
    member.password = second
  },
  async 'the end of the other sessions'(world: World, member: Member) {
    // Without another session, the page has no button.
    await enterBoth(world, member)
    await submit(world, member.owner, 'end-other-sessions')
  },
  'the removal of the second factor': (world: World, { owner }: Member) =>
    submit(world, owner, 'remove-factor'),
  'the removal of an account': (world: World, { owner }: Member) => submit(world, owner, 'unlink'),
  async 'another second factor'(world: World, { owner }: Member) {
    const { fields, code } = await readSetup(world, owner)
    await owner.send(`${world.basePath}/factor-enrolment`, {
      form: { ...fields, code: code() },
      says: 'enters the first code of another app',
    })
  },
  async 'another address'(world: World, member: Member) {
    await confirmChange(member.owner, await receiveChange(world, member.owner, newAddress))
    member.email = newAddress
  },
  async 'the end of all sessions by the application'({ operations, rows }: World) {
    await operations?.revokeSessions?.(rows.users[0]?.id ?? '')
  },
} as const satisfies Record<string, (world: World, member: Member) => Promise<unknown>>
export type EndingChange = keyof typeof endingChanges
export const endingChangeNames = Object.keys(endingChanges) as EndingChange[]
