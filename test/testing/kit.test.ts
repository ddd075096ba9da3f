import { describe, expect, it } from 'vitest'
import { mailbox, platform, sessionCookie, virtualClock } from '../../fuzz/testing/index.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { sessionOf, signIn, openApp } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { askForLink } from '../support/mail.ts'
import { claimsOf, heldSession } from '../support/session-cookie.ts'

const secret = 'a secret of the tests, long enough'
const origin = 'http://localhost'
const user = { id: '1', name: 'Ada', email: 'ada@example.com', image: 'https://x.test/a.png' }

function openSite(config: Partial<AuthConfig> = {}) {
  return createAuth({ providers: [], secret, trustHost: true, logger: { warn() {} }, ...config })
}

function requestWith({ name, value }: { readonly name: string; readonly value: string }, site = origin) {
  return new Request(site, { headers: { cookie: `${name}=${value}` } })
}

describe('a prepared session', () => {
  it.each([
    ['http', origin, false],
    ['https', 'https://app.test', true],
  ])('KIT-003 is valid in the application, at %s', async (_, site, secure) => {
    const session = await openSite().getSession(
      requestWith(await sessionCookie({ user, secret, secure }), site),
    )
    const { id: _id, ...shown } = user
    expect(session?.user).toEqual(shown)
  })

  it('KIT-003 contains what a sign-in adds, and what the application adds', async () => {
    const app = openApp()
    const agent = app.agent()
    await signIn(app, agent)
    const signedIn = await claimsOf(app, heldSession(agent))
    const { value } = await sessionCookie({ user, secret, secure: true, clock: app.clock })
    const begun = await claimsOf(app, value)
    expect(Object.keys(begun).toSorted()).toEqual(Object.keys(signedIn).toSorted())
    const { exp, iat } = begun
    expect({ exp, iat }).toEqual({ exp: signedIn['exp'], iat: signedIn['iat'] })
    const more = await sessionCookie({
      user,
      secret,
      secure: true,
      clock: app.clock,
      claims: { role: 'admin' },
    })
    expect(await claimsOf(app, more.value)).toMatchObject({ sub: '1', name: 'Ada', role: 'admin' })
  })

  it('KIT-003 is invalid for another secret or name, or after its expiry', async () => {
    const clock = virtualClock()
    const { getSession } = openSite({ [platform]: clock })
    const good = await sessionCookie({ user, secret, clock, maxAge: 60 })
    const other = await sessionCookie({ user, secret: 'another secret that is long enough', clock })
    expect(await getSession(requestWith(good))).toMatchObject({ user: { name: 'Ada' } })
    expect(await getSession(requestWith(other))).toBeNull()
    expect(await getSession(requestWith({ ...good, name: 'sid' }))).toBeNull()
    clock.advance(61)
    expect(await getSession(requestWith(good))).toBeNull()
  })

  it('KIT-003 has the cookie name of the application', async () => {
    const cookies = { sessionToken: { name: 'sid' } }
    const cookie = await sessionCookie({ user, secret, name: 'sid' })
    expect(cookie.name).toBe('sid')
    expect(await openSite({ cookies }).getSession(requestWith(cookie))).toMatchObject({
      user: { name: 'Ada' },
    })
  })

  it('KIT-003 is a row with database sessions', async () => {
    const adapter = memoryAdapter()
    const member = await adapter.createUser({ ...user, emailVerified: null })
    const cookie = await sessionCookie({ user: member, adapter })
    expect(await openSite({ adapter }).getSession(requestWith(cookie))).toMatchObject({
      user: { name: 'Ada' },
    })
    await adapter.deleteSession(cookie.value)
    expect(await openSite({ adapter }).getSession(requestWith(cookie))).toBeNull()
  })

  it('KIT-003 is rejected if no browser would store it', async () => {
    const claims = { roles: 'x'.repeat(4000) }
    await expect(sessionCookie({ user, secret, claims })).rejects.toThrow('at most 3900 characters')
    await expect(sessionCookie({ user, secret: ' ' })).rejects.toThrow('blank')
  })
})

describe('a test clock', () => {
  it('KIT-004 stands still until it is advanced', () => {
    const clock = virtualClock(new Date('2030-01-01'))
    expect(clock.now()).toBe(Date.UTC(2030, 0, 1))
    clock.advance(90)
    expect(clock.now()).toBe(Date.UTC(2030, 0, 1, 0, 1, 30))
  })

  it('KIT-004 fires due timers in order, each at its time', () => {
    const clock = virtualClock(new Date(0))
    const rung: [string, number][] = []
    const ring = (name: string) => () => void rung.push([name, clock.now()])
    clock.timer(3000, ring('late'))
    clock.timer(1000, ring('early'))
    clock.timer(2000, ring('never')).cancel()
    clock.timer(9000, ring('not yet'))
    clock.advance(5)
    expect(rung).toEqual([
      ['early', 1000],
      ['late', 3000],
    ])
  })

  it('KIT-004 fires short timers at once', async () => {
    const clock = virtualClock()
    await new Promise<void>((resolve) => void clock.timer(50, resolve))
    const { cancel } = clock.timer(50, () => expect.unreachable('it was cancelled'))
    cancel()
    await new Promise((resolve) => setImmediate(resolve))
  })
})

describe('a mailbox', () => {
  it('KIT-005 contains the sign-in link of an address', async () => {
    const { sendVerificationRequest, linkTo, mails } = mailbox()
    const clock = virtualClock()
    const mail = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest } as const
    const auth = openSite({ adapter: memoryAdapter(), providers: [mail], [platform]: clock })
    const agent = openAgent(origin, auth.handler)
    for (const name of ['ada', 'bob']) await askForLink(agent, `${name}@example.com`)
    await agent.send(linkTo('ada@example.com'))
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(mails.map(({ to }) => to)).toEqual(['ada@example.com', 'bob@example.com'])
    expect(mails[0]?.expires).toEqual(new Date(clock.now() + 86_400_000))
  })

  it('KIT-005 returns the last of several', () => {
    const { sendVerificationRequest, linkTo } = mailbox()
    const mail = { identifier: 'ada@example.com', expires: new Date(), token: '', theme: {} }
    const provider = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest } as const
    for (const url of ['http://localhost/1', 'http://localhost/2'])
      sendVerificationRequest({ ...mail, url, provider, request: new Request(url) })
    expect(linkTo('ada@example.com')).toBe('http://localhost/2')
    expect(() => linkTo('eve@example.com')).toThrow(
      'Expected a mail to eve@example.com, but mails went to ada@example.com',
    )
    expect(() => mailbox().linkTo('eve@example.com')).toThrow('mails went to nobody')
  })
})
