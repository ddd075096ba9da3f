import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import type { Mail } from '../../world/mailbox.ts'
import type { World } from '../../world/world.ts'
import { formsFor, sendForm } from './account.ts'
import { address, changeableSetups, isIn } from './account-changes.ts'
import { enterCode as enterMailedCode } from './codes.ts'
import { confirmChange, receiveChange } from './email-changes.ts'
import { consentAs, withAccounts } from './identities.ts'
import { choose, receiveReset } from './passwords.ts'
import { type App, enrol, enterCode, period } from './second-factor.ts'

const sub = 'member-at-alpha'
const account = { sub, claims: { name: 'member', email: address, email_verified: true } }
const providers = ['alpha', 'beta', 'mail'] as const

/** Applications where an account can be changed in every way, by a user of `alpha` with the same address, too. */
export const newcomerSetups = {
  database: { ...changeableSetups.database, providers, idp: withAccounts([account]) },
  jwt: { ...changeableSetups.jwt, providers, idp: withAccounts([account]) },
} as const satisfies Record<string, Setup>

/** A user whose account has never changed since it was created. */
export interface Newcomer {
  readonly registers: 'by mail' | 'at a provider'
  /** The browser with which the user registers. */
  readonly owner: Browser
  /** The address with which the user signs in. */
  email: string
  app?: App
}

/** Describes a user who has not registered yet. */
export function openNewcomer(world: World, registers: Newcomer['registers']): Newcomer {
  return { registers, owner: world.browser(), email: address }
}

/** Registers the user, with an account that can be unlinked. Nothing of this ends anything. */
export async function register(world: World, newcomer: Newcomer): Promise<void> {
  const { owner, registers } = newcomer
  await enterAs(world, owner, newcomer)
  await owner.arrive(await owner.visit('beta', world.people.ada, { link: 'true' }))
  const expected = registers === 'by mail' ? 1 : 2
  world.assume(world.rows.accounts.length === expected, 'the account is not linked')
}

/** Follows a mailed link, or enters a mailed code. */
export async function useMail(world: World, browser: Browser, mail: Mail): Promise<void> {
  const { token = '' } = mail
  if (/^\d+$/.test(token)) await enterMailedCode(world, browser, token)
  else await browser.followLink(mail)
}

/**
 * Enters the code of the app, if the sign-in waits for it. Returns whether the user is signed in, and not a new
 * one with an address that the user has given up.
 */
export async function passFactor(world: World, browser: Browser, { app }: Newcomer): Promise<boolean> {
  if (app && !(await isIn(browser))) {
    world.clock.advance(period)
    await enterCode(world, browser, app.code())
  }
  return (await isIn(browser)) && world.rows.users.length === 1
}

/** Signs in as the user has registered, which proves no address for the first time. */
export async function begin(world: World, browser: Browser, { registers, email }: Newcomer): Promise<void> {
  if (registers === 'by mail') await useMail(world, browser, await browser.requestLink(email))
  else await browser.arrive(await consentAs(world, browser, 'alpha', sub))
}

/** Signs in, with the second factor if there is one. */
export async function enterAs(world: World, browser: Browser, newcomer: Newcomer): Promise<void> {
  await begin(world, browser, newcomer)
  world.assume(await passFactor(world, browser, newcomer), 'nobody is signed in')
}

async function submit(world: World, browser: Browser, name: string): Promise<void> {
  const form = (await formsFor(world, browser, name)).at(-1)
  world.assume(form !== undefined, `the page has no form for ${name}`)
  if (form) await sendForm(world, browser, form)
}

/** Changes that can be the first one of an account. */
export const firstChanges = {
  async 'the first password'(world: World, { email }: Newcomer) {
    const browser = world.browser()
    await choose(
      world,
      browser,
      await receiveReset(world, browser, email),
      'the first password of the member',
    )
  },
  async 'the first proof of the address'(world: World, { email }: Newcomer) {
    const browser = world.browser()
    await useMail(world, browser, await browser.requestLink(email))
  },
  async 'the first second factor'(world: World, newcomer: Newcomer) {
    newcomer.app = await enrol(world, newcomer.owner)
  },
  async 'another address'(world: World, newcomer: Newcomer) {
    const next = 'member@new.example'
    await confirmChange(newcomer.owner, await receiveChange(world, newcomer.owner, next))
    newcomer.email = next
  },
  'the removal of an account': (world: World, { owner }: Newcomer) => submit(world, owner, 'unlink'),
  async 'the end of the other sessions'(world: World, newcomer: Newcomer) {
    // Without another session, the page has no button.
    await enterAs(world, world.browser(), newcomer)
    await submit(world, newcomer.owner, 'end-other-sessions')
  },
  async 'the end of all sessions by the application'({ operations, rows }: World) {
    await operations?.revokeSessions?.(rows.users[0]?.id ?? '')
  },
} as const satisfies Record<string, (world: World, newcomer: Newcomer) => Promise<unknown>>
export type FirstChange = keyof typeof firstChanges
export const firstChangeNames = Object.keys(firstChanges) as FirstChange[]
