import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { properties } from '../../../fuzz/properties/index.ts'
import { isDescribed, setupsOf } from '../../../fuzz/properties/property.ts'
import { severityOfFailure } from '../../../fuzz/run/assess.ts'
import { judge } from '../../../fuzz/run/judge.ts'
import type { Description } from '../../../fuzz/targets/described/description.ts'
import { driveUrl, tryUrl } from '../../../fuzz/targets/url.ts'
import { type Carelessness, carelessness, describeCareless, serveCarelessApp } from './careless-app.ts'

/** The first of the oracle's four ports. */
const port = 24_740
const folder = mkdtempSync(join(tmpdir(), 'authmachine-careless-'))
const described = properties.filter(isDescribed)
const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Judges a property on the application, with or without a bug. */
async function judgeOn(name: string, bug?: Carelessness) {
  const property = described.find((each) => each.name === name) ?? expect.fail(`There is no property ${name}`)
  const log = join(folder, 'app.log')
  const { url, close } = await serveCarelessApp(port, log, bug)
  closing.push(close)
  const driver = await driveUrl({ url, port, description: describeCareless(log) })
  closing.push(driver.close)
  const [setup = ''] = Object.keys(setupsOf(property))
  return judge(property, setup, driver, { seed: 1, share: 0.3, limit: 20_000 })
}

describe('a property about applications with custom routes', () => {
  it('has a bug here', () => {
    expect(described.map(({ name }) => name).toSorted()).toEqual(Object.keys(carelessness).toSorted())
  })

  it.each(Object.entries(carelessness))('passes without a bug, and fails with it: %s', async (name, bug) => {
    const sound = await judgeOn(name)
    expect(sound.verdict, sound.finding?.says ?? sound.reason).toBe('PASS')
    for (const close of closing.splice(0)) await close()
    const { verdict, broken, proves } = await judgeOn(name, bug)
    expect({ verdict, broken }).toEqual({ verdict: 'FAIL', broken: proves[0] })
  })
})

it('a form of another site that only replaces the cookie of its visitor is no sign-out', async () => {
  const replaced = await judgeOn(
    'signs nobody out through a form on another site',
    'signs out without a token',
  )
  expect(replaced.finding?.says).toMatch(
    /^a form of .*, sent without cookies, replaced the session cookie of ada$/,
  )
  expect(severityOfFailure(replaced)).toBe('hardening')
  for (const close of closing.splice(0)) await close()
  const ended = await judgeOn('signs nobody out by a link', 'signs out by a link')
  expect(severityOfFailure(ended)).toBe('denial of service')
})

it('a user in a parameter is reported with the one parameter that the application reads', async () => {
  const name = 'takes the user from no parameter and no cookie that names one'
  const { finding } = await judgeOn(name, 'believes a parameter that names a user')
  expect(finding?.says).toMatch(
    /^adding email=ada@\w+\.example to GET \/\S* makes the application answer eve as ada$/,
  )
})

it('a user in a sign-in request is reported with the one parameter that the application reads', async () => {
  const name = 'takes the user from no parameter of the request that starts a sign-in'
  const { finding } = await judgeOn(name, 'believes an address in a sign-in request')
  expect(finding?.says).toMatch(
    /^a sign-in that eve starts with email=ada@\w+\.example makes the application answer as ada$/,
  )
})

describe('trying a description with all members', () => {
  async function attempt(bug?: Carelessness, changes: Partial<Description> = {}) {
    const log = join(folder, 'app.log')
    const { url, close } = await serveCarelessApp(port, log, bug)
    closing.push(close)
    const trials = await tryUrl({ url, port }, { ...describeCareless(log), ...changes })
    return trials.map(({ member, result }) => `${member}: ${result}`)
  }

  it('says that each fits', async () => {
    const signIns = ['session', 'session']
    const fitting = ['signIn', 'session', 'csrf', ...signIns, 'cookies.session', 'signOut', 'mail', 'log']
    expect(await attempt()).toEqual(fitting.map((member) => `${member}: fits`))
  })

  it('finds a session that survives its sign-out, unless the description says that it does', async () => {
    const complaint = 'session.stateless: does not fit'
    expect(await attempt('keeps the session')).toContain(complaint)
    const session = { url: '/me', user: 'mail', stateless: true }
    expect(await attempt('keeps the session', { session })).not.toContain(complaint)
  })

  it('finds a request that mails no link', async () => {
    const mail = { url: '/nowhere', fields: { to: '{address}' }, link: '/letter' }
    expect(await attempt(undefined, { mail })).toContain('mail: does not fit')
  })
})
