import { afterEach, describe, expect, it } from 'vitest'
import { checkConformance } from '../../../fuzz/run/check-conformance.ts'
import { outOfTime, type Judgement } from '../../../fuzz/run/verdict.ts'
import type { Description } from '../../../fuzz/targets/described/description.ts'
import { presets } from '../../../fuzz/targets/described/presets.ts'
import { readDescription } from '../../../fuzz/targets/described/read-description.ts'
import { driveUrl, tryUrl } from '../../../fuzz/targets/url.ts'
import { build } from '../../../fuzz/targets/described/routes.ts'
import { openWorld } from '../../../fuzz/world/world.ts'
import { description, serveSmallApp, type Bug } from './small-app.ts'

/** The first of the oracle's four ports. */
const port = 24_730
const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function drive(bug?: Bug, changes: Partial<Description> = {}) {
  const { url, close } = await serveSmallApp(port, bug)
  closing.push(close)
  const driver = await driveUrl({ url, port, description: { ...description, ...changes } })
  closing.push(driver.close)
  return driver
}

/** Runs the properties of a few requirements on the small application. */
async function judge(only: readonly string[], bug?: Bug, time?: number) {
  const { url, close } = await serveSmallApp(port, bug)
  closing.push(close)
  const place = { kind: 'url', name: 'small', url, port, description } as const
  const { invariants } = await checkConformance(place, {
    only,
    seed: 1,
    ...(time !== undefined && { time }),
  })
  const whole = invariants.filter(({ part }) => part === undefined)
  return Object.fromEntries(
    whole.map(({ id, verdict, reason, severity }) => [id, { verdict, reason, severity }]),
  )
}

describe('a description', () => {
  it.each(Object.entries(presets))('is complete in the preset %s', (name, preset) => {
    expect(readDescription({ preset: name })).toEqual(preset)
  })

  it.each([
    [null, 'the description: expected an object, got null'],
    [{ preset: 'authjs', log: 1 }, 'log: expected a text, got 1'],
    [{ preset: 'rails' }, 'preset: expected "authjs" or "better-auth"'],
    [{ preset: 'authjs', callback: '/x' }, 'only "log" beside the preset "authjs", got "callback"'],
    [{ session: { url: '/me', user: 'x' } }, 'signIn: expected an object, got nothing'],
    [{ ...description, signin: {} }, /^expected only the members providers, signIn/],
    [{ ...description, callback: 'done' }, 'callback: expected a path that begins with "/", got "done"'],
    [{ ...description, signIn: { url: '/{id}' } }, 'signIn.url: expected only the placeholders'],
    [{ ...description, signIn: { url: '/', method: 'PUT' } }, 'signIn.method: expected "GET" or "POST"'],
    [{ ...description, signIn: { url: '/', json: {}, fields: {} } }, 'expected either fields or json'],
    [{ ...description, session: { url: '/me' } }, 'session: expected either "user"'],
    [{ ...description, session: { url: '/', text: 'Hi' } }, 'session.text: expected a text with {user}'],
    [{ ...description, mail: { url: '/m', link: '/l' } }, 'mail: expected a field or member with {address}'],
    [
      { ...description, signOut: { method: 'GET', url: '/', json: {} } },
      'the method POST for json, got "GET"',
    ],
    [
      { ...description, session: { url: '/me', user: 'x', stateless: 1 } },
      'stateless: expected true or false',
    ],
    [{ ...description, csrf: { field: 'x' } }, 'csrf: expected either "from", a page with the token'],
    [{ ...description, csrf: { from: '/' } }, 'csrf: expected either "field" or "header"'],
    [{ ...description, csrf: 'yes' }, 'csrf: expected "none" or an object, got "yes"'],
    [{ ...description, cookies: { session: 1 } }, 'cookies.session: expected a text, got 1'],
  ])('%j is refused with the place and the expected value', (value, complaint) => {
    expect(() => readDescription(value)).toThrow(complaint)
  })
})

describe('trying a description', () => {
  const attempt = async (changes: Partial<Description>) => {
    const { url, close } = await serveSmallApp(port)
    closing.push(close)
    const trials = await tryUrl({ url, port }, { ...description, ...changes })
    return trials
      .filter(({ result }) => result === 'does not fit')
      .map(({ member, says }) => `${member}: ${says}`)
  }

  it('finds nothing wrong with one that fits', async () => {
    expect(await attempt({})).toEqual([])
  })

  it('does not complain about a log that no sign-in writes to, and reports on each member', async () => {
    const { url, close } = await serveSmallApp(port)
    closing.push(close)
    const trials = await tryUrl({ url, port }, { ...description, log: '/nowhere.log' })
    const of = (member: string) => trials.find((each) => each.member === member)
    expect(of('log')).toMatchObject({
      result: 'not seen',
      says: expect.stringContaining('nothing was written to /nowhere.log') as string,
    })
    expect(of('csrf')).toMatchObject({ result: 'unused' })
  })

  it('says why the provider refused the application', async () => {
    const { url, close } = await serveSmallApp(port, 'plain challenge')
    closing.push(close)
    const why =
      'alpha refused a request: the code_challenge_method is plain, and the provider supports only S256'
    const trials = await tryUrl({ url, port }, description)
    expect(trials.find(({ member }) => member === 'callback')?.says).toContain(why)
    const driver = await drive('plain challenge')
    const world = await openWorld(driver, {}, 0)
    await expect(world.browser('ada').signIn('alpha', world.people.ada)).rejects.toThrow(why)
  })

  it.each<[string, Partial<Description>]>([
    [
      'signIn: signIn at alpha: expected a redirect to http://127.0.0.1:24730, got status 200',
      { signIn: { url: '/x' } },
    ],
    [
      'callback: /done?state=x returns status 400; the sign-in at alpha asked to return to http://127.0.0.1:',
      { callback: '/done?state=x' },
    ],
    [
      'session: after a sign-in at alpha, /me returned {"who":{"mail":"eve@alpha.example"}}, which has no who.name',
      { session: { url: '/me', user: 'who.name' } },
    ],
    [
      '/me returned {"who":{"mail":"eve@alpha.example"}}, which does not contain "Hello {user}"',
      { session: { url: '/me', text: 'Hello {user}' } },
    ],
    [
      'from POST /x. If a link starts your sign-in, add "method": "GET"',
      { signIn: { url: '/x', fields: { next: '/' } } },
    ],
    [
      '/me has no CSRF token in a form with the field proof',
      { signIn: { method: 'POST', url: '/go/{provider}' }, csrf: { from: '/me', field: 'proof' } },
    ],
    ['cookies.session: a signed-in browser has the cookies sid', { cookies: { session: 'id' } }],
    ['signOut: returns status 200; afterwards, the session shows ada', { signOut: { url: '/quit' } }],
  ])('says what does not fit: %s', async (expected, changes) => {
    expect((await attempt(changes)).join('\n')).toContain(expected)
  })
})

describe('an application with custom routes', () => {
  it('starts a sign-in with a target that no URL can carry', async () => {
    const driver = await drive(undefined, { signIn: { url: '/go/{provider}?next={returnTo}' } })
    const world = await openWorld(driver, {}, 0)
    const { status } = await world.browser('ada').start('alpha', { callbackUrl: '/\ud800' })
    expect(status).toBe(302)
  })

  it('signs in and out as its description says', async () => {
    const driver = await drive()
    expect([...driver.providers]).toEqual(['alpha'])
    const world = await openWorld(driver, {}, 1)
    const browser = world.browser('ada')
    expect(await browser.whoAmI()).toBeUndefined()
    await browser.signIn('alpha', world.people.ada)
    expect(await browser.whoAmI()).toBe('ada')
    await browser.signOut()
    expect(await browser.whoAmI()).toBeUndefined()
  })

  it.each([
    ['no callback here' as const, {}, /signIn at alpha: expected a redirect to http:.*, got status 200/],
    ['foreign callback' as const, {}, 'got the callback http://elsewhere.example/done, which is not at http'],
    [undefined, { providers: { beta: 'beta' } }, /^signIn at beta: expected a redirect(?!.*plain)/],
    [undefined, { session: { url: '/me', user: 'nobody' } }, undefined],
  ])('is refused if its sign-in does not fit: %s', async (bug, changes, complaint) => {
    const driver = drive(bug, changes)
    if (complaint === undefined) await driver
    else await expect(driver).rejects.toThrow(complaint)
  })

  it('is refused if it does not respond', async () => {
    const closed = driveUrl({ url: 'http://127.0.0.1:9', port, description })
    await expect(closed).rejects.toThrow('http://127.0.0.1:9 does not respond: ')
  })

  it('passes only with evidence, and is skipped with the reason if the description lacks a member', async () => {
    const verdicts = await judge(['TX-02', 'SE-10', 'CK-01', 'CK-09', 'RD-02', 'IL-02', 'SU-01'])
    expect(verdicts).toMatchObject({
      'TX-02': { verdict: 'PASS' },
      'SE-10': { verdict: 'PASS' },
      'CK-01': { verdict: 'PASS' },
      'CK-09': { verdict: 'SKIP', reason: 'it needs routes or cookies that a description does not name' },
      'RD-02': { verdict: 'SKIP', reason: 'no request of the description has a {returnTo}' },
      'IL-02': { verdict: 'SKIP', reason: 'the description has no "log"' },
      'SU-01': { verdict: 'SKIP', reason: 'the target does not use the provider mail' },
    })
  })

  it('needs no time for what does not apply to it', async () => {
    expect(await judge(['TX-02', 'CK-09'], undefined, 0)).toMatchObject({
      'TX-02': { verdict: 'INCONCLUSIVE', reason: outOfTime },
      'CK-09': { verdict: 'SKIP' },
    })
  })

  it('is asked about the most severe requirements first', async () => {
    const { url, close } = await serveSmallApp(port)
    closing.push(close)
    const order: string[] = []
    const report = ({ proves, verdict }: Judgement) => {
      if (verdict === 'PASS') order.push(...proves)
    }
    const place = { kind: 'url', name: 'small', url, port, description } as const
    await checkConformance(place, {
      only: ['CK-01', 'SE-10', 'TX-02'],
      seed: 1,
      progress: { start() {}, report },
    })
    expect([...new Set(order)].filter((id) => ['CK-01', 'SE-10', 'TX-02'].includes(id))).toEqual([
      'TX-02',
      'SE-10',
      'CK-01',
    ])
  })

  it.each([
    ['no state' as const, 'TX-02'],
    ['keeps the session' as const, 'SE-10'],
  ])('fails with the bug "%s"', async (bug, id) => {
    expect((await judge([id], bug))[id]?.verdict).toBe('FAIL')
  })

  it('is not judged by its iss if it has only one provider', async () => {
    expect((await judge(['TX-06']))['TX-06']).toMatchObject({
      verdict: 'SKIP',
      reason: 'the application needs no iss, because with one provider there is nobody to mix it up with',
    })
  })

  it('offers nobody a session if it only keeps the state of a sign-in that failed', async () => {
    expect((await judge(['TX-03'], 'keeps the state'))['TX-03']).toMatchObject({
      verdict: 'FAIL',
      severity: 'hardening',
      reason: expect.stringMatching(
        /^a new code for the same request arrived after an end by (access-denied|error-of-its-own): /,
      ) as string,
    })
  })
})

describe('a target that is a URL', () => {
  const pathTo = (returnTo: string) =>
    build(
      { url: '/go?next={origin}{returnTo}' },
      { provider: 'alpha', address: '', returnTo },
      { origin: 'https://app.example', basePath: '' },
    ).path

  it('has the origin of the application, unless the target itself names a place', () => {
    expect(pathTo('/welcome')).toBe('/go?next=https%3A%2F%2Fapp.example%2Fwelcome')
    for (const target of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      'javascript:alert(1)',
    ])
      expect(pathTo(target)).toBe(`/go?next=${encodeURIComponent(target)}`)
  })
})

describe('an application that takes the identity from the userinfo response', () => {
  it('is not judged by id_tokens that it never reads, and the report says so once', async () => {
    const { url, close } = await serveSmallApp(port)
    closing.push(close)
    const place = { kind: 'url', name: 'small', url, port, description } as const
    const { judgements, cautions } = await checkConformance(place, {
      only: ['OI-01', 'OI-02', 'OI-09'],
      seed: 1,
    })
    const verdicts = judgements.map(({ verdict, reason }) => `${verdict}: ${reason}`)
    expect(verdicts.filter((each) => !each.startsWith('SKIP'))).toEqual([])
    expect(verdicts).toContain(
      'SKIP: the application reads no id_token of alpha: it signs in with one that is no JWT',
    )
    expect(cautions.filter((each) => each.includes('the application ignores id_tokens'))).toEqual([
      expect.stringMatching(/^OI-01, OI-02, OI-09 were not judged/),
    ])
  })
})
