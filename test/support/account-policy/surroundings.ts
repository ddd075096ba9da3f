import { expect } from 'vitest'
import { hashPassword } from '../../../src/password.ts'
import { csrfOf, sessionOf, signOut } from '../app.ts'
import type { Agent } from '../browser-agent.ts'
import { confirm, poll, start } from '../device.ts'
import { confirmChange, requestChange, tokenOf } from '../email-change.ts'
import { askForLink, pathOf } from '../mail.ts'
import { newPassword, parameters, password, requestLink, sendNewPassword, signIn } from '../passwords.ts'
import { enterCode } from '../second-factor.ts'
import { devices, issueKey, startProgram } from './kept-by-features.ts'
import { enterWhole, nextCode, type Site } from './site.ts'

/** Something that exists before a change. */
export interface Surrounding {
  readonly name: string
  readonly class:
    'session' | 'trust' | 'pending' | 'held sign-in' | 'of a feature' | 'credential' | 'of another user'
  /** Whether using it proves the address of the user. That proof ends some of the others. */
  readonly proves?: true
  /** Uses it, once. */
  readonly works: () => Promise<boolean>
}

const isIn = async (agent: Agent) => (await sessionOf(agent)) !== null

/** Prepares one thing of each kind that a change could end. */
export async function surround(site: Site): Promise<readonly Surrounding[]> {
  const { app } = site
  const session = await enterWhole(site)
  const device = await enterWhole(site, { remember: 'true' })
  await signOut(device)
  const held = app.agent()
  await site.enter(held)
  expect(app.ended()).toBe('held')
  const hasDevices = app.config.features?.includes(devices) === true
  const approved = hasDevices ? await approveDevice(site) : undefined
  const other = await enterAsCarol(site)
  const runs = await startProgram(site.id, app.config)
  const opens = await issueKey(site.id, app.config)
  return [
    { name: 'a program of a feature', class: 'of a feature', works: runs },
    { name: 'an API key of a feature', class: 'credential', works: opens },
    { name: 'a session of another user', class: 'of another user', works: () => isIn(other) },
    { name: 'a session', class: 'session', works: () => isIn(session) },
    ...(approved
      ? [{ name: 'a device that a session has approved', class: 'pending' as const, works: approved }]
      : []),
    {
      name: 'a sign-in that waits for the second factor',
      class: 'held sign-in',
      async works() {
        await enterCode(held, nextCode(site))
        return isIn(held)
      },
    },
    {
      name: 'a remembered device',
      class: 'trust',
      async works() {
        await site.enter(device)
        return isIn(device)
      },
    },
    ...(site.kind === 'passkey' ? [] : await requestMails(site)),
  ]
}

/** Returns whether the device still gets its session. */
async function approveDevice(site: Site) {
  const device = site.app.agent()
  const started = await start(device)
  const approver = await enterWhole(site)
  await confirm(approver, started)
  expect(site.app.ended()).toBe('confirmed')
  await signOut(approver)
  return async () => {
    await poll(device, started)
    return isIn(device)
  }
}

async function enterAsCarol({ app }: Site): Promise<Agent> {
  const email = 'carol@example.com'
  const { id } = await app.store.createUser({ id: 'carol', email, emailVerified: new Date(0) })
  await app.store.setPassword(id, await hashPassword(password, parameters))
  const agent = app.agent()
  await signIn(agent, email)
  expect(await isIn(agent)).toBe(true)
  return agent
}

/** One mail of each kind, requested by the owner of the address. */
async function requestMails(site: Site): Promise<readonly Surrounding[]> {
  const { app, sent, first } = site
  const { email } = first
  const finish = async (agent: Agent) => {
    if (app.ended() === 'held') await enterCode(agent, nextCode(site))
    return isIn(agent)
  }
  const changer = await enterWhole(site)
  await requestChange(changer, 'ada@another.example')
  const change = tokenOf({ links: sent.changes })
  await signOut(changer)
  const resetting = app.agent()
  await requestLink(resetting, email)
  const mails = [...sent.passwordMails]
  const typing = app.agent()
  await askForLink(typing, email, {}, 'code')
  const code = sent.mails.at(-1)?.token ?? ''
  const opening = app.agent()
  await askForLink(opening, email)
  const link = pathOf(sent.mails.at(-1) ?? expect.fail('no link was mailed'))
  return [
    {
      name: 'a link that sets a password',
      class: 'pending',
      async works() {
        await sendNewPassword({ mails }, resetting, { password: `${newPassword} again` })
        return app.ended() !== 'invalid'
      },
    },
    {
      name: 'a mailed code',
      class: 'pending',
      proves: true,
      async works() {
        await typing.send('/auth/callback/code', { form: { csrfToken: await csrfOf(typing), code } })
        return finish(typing)
      },
    },
    {
      name: 'a mailed link',
      class: 'pending',
      proves: true,
      async works() {
        await opening.send(link)
        return finish(opening)
      },
    },
    {
      // The last one, because it ends the others.
      name: 'a link to a new address',
      class: 'pending',
      async works() {
        await site.enter(changer)
        if (!(await finish(changer))) return false
        await confirmChange(changer, change)
        return app.ended() === 'changed'
      },
    },
  ]
}
