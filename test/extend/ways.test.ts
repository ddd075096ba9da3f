import {
  admitted,
  admitting,
  checkingCsrf,
  defineFeature,
  faulted,
  type Feature,
  type FeatureDefinition,
  featureChart,
  final,
  type ProvenIdentity,
  refused,
  toolbox,
  working,
} from 'authmachine/extend'
import { describe, expect, it } from 'vitest'
import { phone } from '../../docs/examples/features/phone.ts'
import { terms } from '../../docs/examples/features/terms.ts'
import { admission } from '../../machines/admission.ts'
import { readForms } from '../../fuzz/world/forms.ts'
import { revokeSessions } from '../../src/handler/manage-sessions.ts'
import { chartsOfConfig } from '../../src/tools/cli/charts-of-config.ts'
import type { RateLimitParams } from '../../src/types/rate-limit.ts'
import { type AppOptions, csrfOf, openApp, origin, sessionOf, signIn, signOut } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { copyCookies } from '../support/follow-link.ts'
import { adaPhone, askForCode, enterPhoneCode, openPhones } from '../support/phone.ts'
import { codeOf, enrol, enterCode, withFactor } from '../support/second-factor.ts'
import { heldSession, plant } from '../support/session-cookie.ts'

const locationOf = (response: Response) => response.headers.get('location')
const strategies = ['database', 'jwt-stored'] as const
const bobPhone = '+491709999999'

/** Another code of six digits. */
const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

/** Signs in with a code. */
async function enter({ code }: ReturnType<typeof openPhones>, agent: Agent, number = adaPhone) {
  await askForCode(agent, number)
  return enterPhoneCode(agent, code())
}

const { step, flow, outcome } = toolbox<object>()

/** A gate that holds every sign-in until its page has had a POST. */
const asking = defineFeature<undefined>({
  name: 'ask',
  title: 'Ask',
  routes: {
    ask: {
      methods: ['GET', 'POST'],
      flow: () =>
        flow({
          chart: featureChart({
            id: 'ask',
            description: 'Ask',
            initial: 'checkingCsrf',
            states: {
              checkingCsrf: checkingCsrf('asked'),
              asked: final('It continues', 'success'),
              refused,
              faulted,
            },
          }),
          steps: {},
          outcomes: { asked: outcome({ answer: (_, tools) => tools.pass() }) },
        }),
    },
  },
  gate: { description: 'Check', check: () => 'hold' },
})

/** A way to sign in that proves whatever the form says. */
function make(
  more: Partial<FeatureDefinition> = {},
  prove: (body: Readonly<Record<string, unknown>>) => ProvenIdentity = ({ id }) => ({ id: String(id) }),
): Feature {
  const badge = flow({
    chart: featureChart({
      id: 'badge',
      description: 'Sign in with a badge',
      initial: 'checkingCsrf',
      states: {
        checkingCsrf: checkingCsrf('reading'),
        reading: working('Read the badge', 'read', { 'badge.read': 'admitting' }),
        admitting,
        ...admitted,
        refused,
        faulted,
      },
    }),
    steps: {
      read: step({
        says: { 'badge.read': ['identity', 'callbackUrl'] },
        run: (_, { request: { body } }) => ({
          type: 'badge.read',
          identity: prove(body),
          callbackUrl: typeof body['target'] === 'string' ? body['target'] : '/',
        }),
      }),
    },
    outcomes: {},
  })
  return defineFeature({
    name: 'badge',
    title: 'Badge',
    options: {},
    routes: { badge: { methods: ['POST'], flow: () => badge } },
    signIn: { amr: 'hwk' },
    ...more,
  })
}

const openBadges = (feature = make(), options: AppOptions = {}) =>
  openApp({
    strategy: 'database',
    ...options,
    config: { ...options.config, features: [feature, ...(options.config?.features ?? [])] },
  })
const show = async (agent: Agent, fields: Readonly<Record<string, string>>) =>
  agent.send('/auth/badge', { form: { csrfToken: await csrfOf(agent), ...fields } })

describe('a feature as a way to sign in', () => {
  it.each(strategies)('FT-08 FT-11 signs in from the form of the sign-in page (%s)', async (strategy) => {
    const site = openPhones({ strategy })
    const { app, messages, code } = site
    const agent = app.agent()
    const page = await agent.send('/auth/signin?callbackUrl=/home')
    const [form] = readForms(await page.text())
    expect(form).toMatchObject({ action: `${origin}/auth/phone` })
    const fields = { ...form?.fields, number: '+49 (170) 123-4567' }
    const sent = await agent.send('/auth/phone', { form: fields })
    expect([locationOf(sent), app.ended()]).toEqual([`${origin}/auth/phone-code`, 'sent'])
    expect(messages).toEqual([{ to: adaPhone, code: expect.stringMatching(/^\d{6}$/) }])
    const done = await enterPhoneCode(agent, code())
    expect([locationOf(done), app.ended()]).toEqual([`${origin}/home`, 'signedIn'])
    expect(await sessionOf(agent)).not.toBeNull()
    const account = { provider: 'phone', providerAccountId: adaPhone, type: 'feature' }
    expect(app.rows.accounts()).toMatchObject([account])
    expect(app.events.find(({ event }) => event === 'signIn')?.message).toMatchObject({
      isNewUser: true,
      account,
      profile: { sub: adaPhone, phone_number: adaPhone },
    })
    const again = app.agent()
    await enter(site, again)
    expect([app.ended(), app.rows.users().length, app.errors]).toEqual(['signedIn', 1, []])
    await enter(site, app.agent(), bobPhone)
    expect(app.rows.users().length).toBe(2)
  })

  it('FT-08 shows its form in the language of the page', async () => {
    const { app } = openPhones({ config: { texts: { de: { 'phone.send': 'SMS senden' } } } })
    const page = await app.agent().send('/auth/signin', { headers: { 'accept-language': 'de' } })
    const html = await page.text()
    expect(html).toContain('Telefonnummer')
    expect(html).toContain('SMS senden')
  })

  it('FT-34 has links below its form, which lead to routes of the site', async () => {
    const show = async (to: string) => {
      const way: FeatureDefinition['signIn'] = {
        amr: 'badge',
        form: ({ link }) => ({ button: 'Show your badge', links: [link(to, 'Lost <your> badge?')] }),
      }
      const app = openBadges(make({ signIn: way }))
      const page = await app.agent().send('/auth/signin')
      return app.errors[0]?.message ?? /<\/form>(<p>.*?<\/p>)/.exec(await page.text())?.[1]
    }
    const text = 'Lost &lt;your> badge?'
    expect(await show('error')).toBe(`<p><a class="site" href="${origin}/auth/error">${text}</a></p>`)
    expect(await show('/help')).toBe(`<p><a class="site" href="/help">${text}</a></p>`)
    expect(await show('help')).toBe(
      'A link of the feature "badge" leads to "help", for which the site has no GET route',
    )
  })

  it('FT-08 adds nothing to the forms of other providers, as features of the library may', async () => {
    const describeForm = () => ({ own: { create: () => 'an element', script: '/script.js' } })
    const app = openBadges(Object.assign(make(), { describeForm }))
    const page = await app.agent().send('/auth/signin')
    expect(page.headers.get('content-security-policy')).not.toContain('script-src')
    expect(await page.text()).not.toContain('an element')
  })

  it('FT-08 needs the CSRF token', async () => {
    const { app, messages, code } = openPhones()
    const agent = app.agent()
    await agent.send('/auth/phone', { form: { number: adaPhone } })
    expect([app.ended(), messages]).toEqual(['refused', []])
    await askForCode(agent)
    await agent.send('/auth/phone-code', { form: { code: code() } })
    expect([app.ended(), heldSession(agent)]).toEqual(['refused', ''])
  })

  it('FT-08 signs in accounts of its name only, and asks the signIn callback', async () => {
    const asked: unknown[] = []
    let allows = false
    const app = openBadges(make(), {
      config: { callbacks: { signIn: (params) => (asked.push(params.account), allows) } },
    })
    const agent = app.agent()
    allows = true
    await signIn(app, agent)
    await signOut(agent)
    const [owner] = app.rows.users()
    const other = app.agent()
    allows = false
    await show(other, { id: 'ada' })
    expect([app.ended(), heldSession(other), app.rows.users().length]).toEqual(['denied', '', 1])
    expect(asked.at(-1)).toEqual({ provider: 'badge', providerAccountId: 'ada', type: 'feature' })
    allows = true
    await show(other, { id: 'ada' })
    expect([app.ended(), app.rows.users().length]).toEqual(['signedIn', 2])
    expect(await app.store.getUserByAccount({ provider: 'idp', providerAccountId: 'ada' })).toMatchObject({
      id: owner?.id,
    })
  })

  it('FT-08 never finds a user by the address', async () => {
    const claims = { email: 'ada@example.com', email_verified: true }
    const app = openBadges(make({}, ({ id }) => ({ id: String(id), profile: claims })))
    await signIn(app, app.agent())
    const agent = app.agent()
    const response = await show(agent, { id: 'eve' })
    expect([app.ended(), heldSession(agent)]).toEqual(['notLinked', ''])
    expect(locationOf(response)).toContain('error=')
  })

  it('FT-08 redirects to approved targets only', async () => {
    const app = openBadges()
    for (const target of ['https://evil.test/', '//evil.test', 'javascript:alert(1)'])
      expect(locationOf(await show(app.agent(), { id: 'ada', target }))).toBe(origin)
    expect(locationOf(await show(app.agent(), { id: 'ada', target: '/home' }))).toBe(`${origin}/home`)
    const phones = openPhones()
    const agent = phones.app.agent()
    await askForCode(agent, adaPhone, { callbackUrl: 'https://evil.test' })
    expect(locationOf(await enterPhoneCode(agent, phones.code()))).toBe(origin)
  })

  it.each(['', ' ', 'a\0b', 'x'.repeat(5000), 'undefined'])(
    'FT-08 signs nobody in with the unusable id %j',
    async (id) => {
      const app = openBadges()
      const agent = app.agent()
      await show(agent, { id })
      expect([app.ended(), heldSession(agent), app.rows.users()]).toEqual(['faulted', '', []])
    },
  )

  it('FT-08 works without an adapter, and says if a feature needs one', async () => {
    const app = openBadges(make(), { strategy: 'jwt', providers: [], config: { features: [] } })
    const agent = app.agent()
    await show(agent, { id: 'ada' })
    expect([app.ended(), await sessionOf(agent)]).toEqual(['signedIn', expect.any(Object)])
    const phones = openPhones({ strategy: 'jwt' })
    expect((await phones.app.agent().send('/auth/session')).status).toBe(500)
    expect(phones.app.errors[0]?.message).toContain('The feature "phone" needs an adapter')
    const small = openBadges(make(), {
      providers: [],
      wrap: ({ linkAccount: _link, ...adapter }) => adapter,
    })
    expect((await small.agent().send('/auth/session')).status).toBe(500)
    expect(small.errors[0]?.message).toContain('linkAccount')
  })

  it('FT-08 FT-32 reports a name of a provider, a missing or shared method, and a flow that admits without signIn', async () => {
    const twice = openBadges(make({ name: 'idp', routes: {} }))
    expect((await twice.agent().send('/auth/session')).status).toBe(500)
    expect(twice.errors[0]?.message).toContain('A provider and a feature have the name "idp"')
    const nameless = openBadges(make({ signIn: { amr: '' } }))
    await nameless.agent().send('/auth/session')
    expect(nameless.errors[0]?.message).toContain('`signIn.amr` must be a value of RFC 8176')
    const unproven = openBadges(make({ signIn: { amr: 'user', provenBy: 'cookie' as 'session' } }))
    await unproven.agent().send('/auth/session')
    expect(unproven.errors[0]?.message).toContain('`signIn.provenBy` must be "session" or undefined')
    const other = make({ name: 'other', routes: {}, signIn: { amr: 'user' } })
    const shared = openBadges(make({ signIn: { amr: 'user', provenBy: 'session' } }), {
      config: { features: [other] },
    })
    await shared.agent().send('/auth/session')
    expect(shared.errors[0]?.message).toContain(
      'must differ from that of other features, and "other" has "user", too',
    )
    const { signIn: _way, ...gateless } = make()
    const app = openBadges(gateless)
    const agent = app.agent()
    await show(agent, { id: 'ada' })
    expect([app.ended(), heldSession(agent)]).toEqual(['faulted', ''])
    expect(String(Object(app.errors[0]).message)).toContain('needs `signIn`')
  })

  it('FT-08 has the steps of admission in this one state only', () => {
    const untyped = flow as unknown as (given: object) => unknown
    const compose = (states: object, steps = {}, declare: (given: never) => object = featureChart) =>
      untyped({
        chart: declare({
          id: 'badge',
          description: 'Sign in',
          initial: 'issuing',
          states: { ...admitted, refused, faulted, ...states },
        } as never),
        steps,
        outcomes: {},
      })
    const issuing = working('Issue a session', 'issueToken', { 'token.issued': 'admitting' })
    expect(() => compose({ issuing, admitting })).toThrow('Only `admitting` has the step "issueToken"')
    expect(() => compose({ admitting }, { checkFactor: {} })).toThrow(
      'Only `admitting` has the step "checkFactor"',
    )
    expect(() => compose({ admitting }, {}, (given) => given)).toThrow('with `featureChart`')
    // A copy of the state, without what it checks, has no steps.
    const copied = compose({ admitting: { ...admitting, states: { ...admission.states } } })
    expect(Object.keys(Object(copied).steps)).not.toContain('admitUser')
  })

  it('FT-09 is drawn with the gates of the other features', async () => {
    const { app } = openPhones({ config: { features: [asking] } })
    const chart = (await chartsOfConfig(app.config)).get('phone-code')
    expect(JSON.stringify(chart)).toContain('checkingAsk')
  })

  it('FT-08 is not in the list of providers, whose members published clients start by their id', async () => {
    const { app } = openPhones()
    expect(await (await app.agent().send('/auth/providers')).json()).toEqual({})
    const agent = app.agent()
    const started = await agent.send('/auth/signin/phone', { form: { csrfToken: await csrfOf(agent) } })
    expect(locationOf(started)).toBe(`${origin}/auth/signin`)
    expect((await agent.send('/auth/callback/phone')).status).toBe(404)
  })
})

describe('a sign-in by a feature', () => {
  it.each(strategies)('FT-09 FT-11 passes the second factor, and then the gates (%s)', async (strategy) => {
    const features = [terms({ version: '1', url: '/terms' })]
    const site = openPhones({ strategy, config: { features, ...withFactor() } })
    const { app } = site
    const accept = async (agent: Agent) =>
      agent.send('/auth/terms', { form: { csrfToken: await csrfOf(agent), accept: 'yes' } })
    const owner = app.agent()
    await enter(site, owner)
    expect([app.ended(), app.rows.users()]).toEqual(['held', []])
    await accept(owner)
    expect(await sessionOf(owner)).toMatchObject({ amr: ['sms'] })
    const { secret } = await enrol(app, owner)
    const [user] = app.rows.users()
    await app.store.deleteRecord(String(user?.id), 'feature-terms')
    app.clock.advance(1)
    const agent = app.agent()
    await enter(site, agent)
    expect([app.ended(), heldSession(agent)]).toEqual(['held', ''])
    await enterCode(agent, codeOf(secret, app.clock.now()))
    expect([app.ended(), heldSession(agent)]).toEqual(['held', ''])
    const done = await accept(agent)
    expect([locationOf(done), app.ended()]).toEqual([`${origin}/home`, 'signedIn'])
    expect(await sessionOf(agent)).toMatchObject({ amr: ['sms', 'otp', 'mfa'] })
  })

  it('FT-09 continues in the flow of its feature, even if a flow of the library has the same id', async () => {
    const named = flow({
      chart: featureChart({
        id: 'callback',
        description: 'Sign in',
        initial: 'checkingCsrf',
        states: {
          checkingCsrf: checkingCsrf('reading'),
          reading: working('Read', 'read', { 'badge.read': 'admitting' }),
          admitting,
          ...admitted,
          refused,
          faulted,
        },
      }),
      steps: {
        read: step({
          says: { 'badge.read': ['identity'] },
          run: () => ({ type: 'badge.read', identity: { id: 'ada' } }),
        }),
      },
      outcomes: {},
    })
    const feature = make({ routes: { badge: { methods: ['POST'], flow: () => named } } })
    for (const strategy of ['jwt', 'database'] as const) {
      const app = openBadges(feature, {
        strategy,
        ...(strategy === 'jwt' && { providers: [] }),
        config: { features: [asking] },
      })
      const provider = strategy === 'database' ? app.agent() : undefined
      if (provider) await signIn(app, provider)
      const agent = app.agent()
      await show(agent, {})
      expect(app.ended()).toBe('held')
      await agent.send('/auth/ask', { form: { csrfToken: await csrfOf(agent), accept: 'yes' } })
      expect([app.ended(), heldSession(agent) !== '']).toEqual(['signedIn', true])
      if (provider) {
        await provider.send('/auth/ask', { form: { csrfToken: await csrfOf(provider), accept: 'yes' } })
        expect([app.ended(), app.rows.users().length]).toEqual(['signedIn', 2])
      }
    }
  })
})

describe('a one-time code', () => {
  it('FT-10 works once, and only in the browser that asked for it', async () => {
    const site = openPhones()
    const { app, code } = site
    const agent = app.agent()
    await askForCode(agent)
    const copy = copyCookies(agent, app.agent())
    const thief = app.agent()
    await csrfOf(thief)
    const name = '__Host-authjs.feature.phone-asked'
    thief.set(`${name}=${agent.cookies()[name]}; Path=/; Secure`)
    await enterPhoneCode(thief, code())
    expect([app.ended(), heldSession(thief)]).toEqual(['ended', ''])
    await enterPhoneCode(app.agent(), code())
    expect(app.ended()).toBe('ended')
    await enterPhoneCode(agent, code())
    expect(app.ended()).toBe('signedIn')
    await enterPhoneCode(copy, code())
    expect([app.ended(), heldSession(copy), app.rows.tokens()]).toEqual(['ended', '', []])
  })

  it('FT-10 allows five guesses, also with copies of earlier cookies and at once', async () => {
    const { app, code } = openPhones()
    const agent = app.agent()
    await askForCode(agent)
    const copies = Array.from({ length: 20 }, () => copyCookies(agent, app.agent()))
    const tries = await Promise.all(copies.map((each, by) => enterPhoneCode(each, wrong(code(), by + 1))))
    expect(tries.filter(({ status }) => status === 422 && status).length).toBe(20)
    // Of the copies, one has the row of the second attempt.
    const counted = copies.filter((each) => '__Host-authjs.feature.phone-asked' in each.cookies())
    expect(counted.length).toBe(1)
    const [left = expect.fail()] = counted
    for (let by = 2; by <= 4; by++) {
      const page = await enterPhoneCode(left, wrong(code(), by))
      expect(await page.text()).toContain(`Attempts left: ${5 - by}`)
    }
    const earlier = copyCookies(left, app.agent())
    await enterPhoneCode(left, wrong(code(), 5))
    expect(app.ended()).toBe('ended')
    for (const each of [left, earlier, agent, ...copies]) await enterPhoneCode(each, code())
    expect([app.ended(), app.rows.tokens(), app.rows.users()]).toEqual(['ended', [], []])
  })

  it('FT-10 costs no attempt without a text, and is read as people type it', async () => {
    const { app, code } = openPhones()
    const agent = app.agent()
    await askForCode(agent)
    for (let times = 0; times < 7; times++) await enterPhoneCode(agent, ' ')
    await enterPhoneCode(agent, ` ${code().slice(0, 3)}-${code().slice(3)} `)
    expect(app.ended()).toBe('signedIn')
  })

  it('FT-10 expires, and a later one of the browser replaces it', async () => {
    const { app, code } = openPhones()
    const agent = app.agent()
    await askForCode(agent)
    const first = code()
    const copy = copyCookies(agent, app.agent())
    await askForCode(agent)
    await enterPhoneCode(copy, first)
    expect(app.ended()).toBe('ended')
    app.clock.advance(601)
    await enterPhoneCode(agent, code())
    expect([app.ended(), heldSession(agent)]).toEqual(['ended', ''])
  })

  it('FT-10 is for the number to which it was sent', async () => {
    const { app, messages } = openPhones()
    const [mine, other] = [app.agent(), app.agent()]
    await askForCode(mine, bobPhone)
    await askForCode(other, adaPhone)
    const [, ofAda] = messages
    if (messages[0]?.code !== ofAda?.code) await enterPhoneCode(mine, ofAda?.code ?? '')
    expect([app.ended(), heldSession(mine)]).toEqual(['asking', ''])
    const name = '__Host-authjs.feature.phone-asked'
    mine.set(`${name}=${other.cookies()[name]}; Path=/; Secure`)
    await enterPhoneCode(mine, ofAda?.code ?? '')
    expect([app.ended(), app.rows.users()]).toEqual(['ended', []])
  })

  it.each(strategies)('FT-10 STM-01 ends with a change to the account (%s)', async (strategy) => {
    const site = openPhones({ strategy, config: { ...withFactor() } })
    const { app, code } = site
    const owner = app.agent()
    await enter(site, owner)
    const agent = app.agent()
    await askForCode(agent)
    await enrol(app, owner)
    await enterPhoneCode(agent, code())
    expect([app.ended(), heldSession(agent)]).toEqual(['ended', ''])
  })

  it('FT-10 ends with revokeSessions', async () => {
    const site = openPhones()
    const { app, code } = site
    await enter(site, app.agent())
    const agent = app.agent()
    await askForCode(agent)
    await revokeSessions(app.config, String(app.rows.users()[0]?.id))
    await enterPhoneCode(agent, code())
    expect([app.ended(), heldSession(agent)]).toEqual(['ended', ''])
  })

  it('FT-10 ends when its account passes to another user', async () => {
    const site = openPhones()
    const { app, code } = site
    await enter(site, app.agent())
    const agent = app.agent()
    await askForCode(agent)
    const { adapter = expect.fail() } = app.config
    const bob = await adapter.createUser?.({ id: 'bob', email: 'bob@example.com', emailVerified: null })
    const account = { provider: 'phone', providerAccountId: adaPhone }
    await adapter.unlinkAccount?.(account)
    await adapter.linkAccount?.({ ...account, type: 'feature', userId: bob?.id ?? expect.fail() })
    await enterPhoneCode(agent, code())
    expect([app.ended(), heldSession(agent)]).toEqual(['ended', ''])
  })

  it('FT-10 ends when somebody gets the account that nobody had', async () => {
    const site = openPhones()
    const { app, messages } = site
    const [first, second] = [app.agent(), app.agent()]
    await askForCode(first)
    await askForCode(second)
    const [earlier, later] = messages
    await enterPhoneCode(second, later?.code ?? expect.fail())
    expect(app.ended()).toBe('signedIn')
    await enterPhoneCode(first, earlier?.code ?? expect.fail())
    expect([app.ended(), heldSession(first)]).toEqual(['ended', ''])
  })

  it('FT-10 is neither in the cookies nor in the store, and does not exist if it could not be sent', async () => {
    const { app, code } = openPhones()
    const agent = app.agent()
    await askForCode(agent)
    expect(JSON.stringify([agent.cookies(), app.rows.tokens()])).not.toContain(code())
    const failing = phone({
      async send() {
        throw new Error('no network')
      },
    })
    const broken = openApp({ strategy: 'database', providers: [], config: { features: [failing] } })
    const other = broken.agent()
    await askForCode(other)
    expect([broken.ended(), broken.rows.tokens()]).toEqual(['faulted', []])
    expect(other.cookies()).not.toHaveProperty('__Host-authjs.feature.phone-asked')
  })

  it('FT-10 shows the form again, with the number and the target, after a typing error', async () => {
    const { app, code } = openPhones()
    const agent = app.agent()
    const page = await askForCode(agent, '0170 <b>')
    const html = await page.text()
    expect([page.status, app.ended()]).toEqual([422, 'asking'])
    expect(html).toContain('value="0170 &lt;b>"')
    const form = readForms(html).find(({ action }) => action.endsWith('/auth/phone'))
    await agent.send('/auth/phone', { form: { ...form?.fields, number: adaPhone } })
    expect(locationOf(await enterPhoneCode(agent, code()))).toBe(`${origin}/home`)
  })
})

describe('the rate limit of a feature', () => {
  it('FT-12 is asked before a message and before a guess, and its refusal ends the flow', async () => {
    const asked: RateLimitParams[] = []
    let refuses = ''
    const rateLimit = (attempt: RateLimitParams) => {
      asked.push(attempt)
      return attempt.type === 'feature' && attempt.attempt === refuses ? { retryAfter: 60 } : true
    }
    const { app, messages, code } = openPhones({ config: { callbacks: { rateLimit } } })
    const agent = app.agent()
    refuses = 'message'
    const limited = await askForCode(agent, '+49 170 1234567')
    expect([app.ended(), messages]).toEqual(['denied', []])
    expect(locationOf(limited)).toContain('RateLimited')
    const described = { type: 'feature', provider: 'phone', identifier: adaPhone }
    expect(asked).toMatchObject([{ ...described, attempt: 'message', request: expect.any(Request) }])
    refuses = 'code'
    await askForCode(agent)
    await enterPhoneCode(agent, code())
    expect([app.ended(), heldSession(agent)]).toEqual(['denied', ''])
    expect(asked.at(-1)).toMatchObject({ ...described, attempt: 'code' })
    refuses = ''
    await enterPhoneCode(agent, code())
    expect([app.ended(), app.warnings]).toEqual(['signedIn', ['debug-enabled']])
  })

  it('FT-12 is warned about if there is none', async () => {
    const { app } = openPhones()
    await askForCode(app.agent())
    await askForCode(app.agent())
    expect(app.warnings).toEqual(['debug-enabled', 'weak-link-token'])
  })
})

describe('an account of a feature', () => {
  const idp = openBadges().config.providers
  const openBoth = (options: AppOptions = {}) =>
    openPhones({ providers: idp, ...options, config: { accountPage: true, ...options.config } })
  const link = (agent: Agent, number = adaPhone) => askForCode(agent, number, { link: 'true' })

  it.each(strategies)('FT-13 is linked to the signed-in user who asks for it (%s)', async (strategy) => {
    const site = openBoth({ strategy })
    const { app, code } = site
    const agent = app.agent()
    await signIn(app, agent)
    await link(agent)
    await enterPhoneCode(agent, code())
    expect(app.ended()).toBe('signedIn')
    expect([app.rows.users().length, app.rows.accounts().length]).toEqual([1, 2])
    const later = app.agent()
    await enter(site, later)
    expect(await sessionOf(later)).toMatchObject({ user: { email: 'ada@example.com' }, amr: ['sms'] })
    expect(await sessionOf(agent)).toMatchObject({ amr: ['fed'] })
  })

  it('FT-13 signs in its own user if nobody asked to link it', async () => {
    const site = openBoth()
    const { app } = site
    const agent = app.agent()
    await signIn(app, agent)
    await enter(site, agent)
    expect([app.ended(), app.rows.users().length]).toEqual(['signedIn', 2])
    expect(await sessionOf(agent)).not.toMatchObject({ user: { email: 'ada@example.com' } })
  })

  it('FT-13 is not linked after a sign-out, or for another user of the browser', async () => {
    const site = openBoth()
    const { app, code } = site
    const agent = app.agent()
    await signIn(app, agent)
    await link(agent)
    await signOut(agent)
    await enterPhoneCode(agent, code())
    expect([app.ended(), heldSession(agent)]).toEqual(['ended', ''])
    const other = app.agent()
    app.idp.choose('bob')
    await signIn(app, other)
    for (const change of [
      () => app.store.deleteSession(heldSession(agent)),
      () => plant(agent, heldSession(other)),
    ]) {
      app.idp.choose('ada')
      await signOut(agent)
      await signIn(app, agent)
      await link(agent)
      await change()
      await enterPhoneCode(agent, code())
      expect(app.ended()).toBe('stale')
    }
    expect(app.rows.accounts().map(({ provider }) => provider)).toEqual(['idp', 'idp'])
  })

  it('FT-13 is not taken from another user', async () => {
    const site = openBoth()
    const { app, code } = site
    await enter(site, app.agent())
    const agent = app.agent()
    await signIn(app, agent)
    await link(agent)
    await enterPhoneCode(agent, code())
    expect(app.ended()).toBe('notLinked')
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(app.rows.accounts().length).toBe(2)
  })

  it('FT-13 is not linked by a session that is too old', async () => {
    const site = openBoth({ config: { session: { maxAge: 86_400 * 30 } } })
    const { app, code } = site
    const agent = app.agent()
    await signIn(app, agent)
    app.clock.advance(86_400)
    await link(agent)
    await enterPhoneCode(agent, code())
    expect([app.ended(), app.rows.accounts().length]).toEqual(['stale', 1])
  })

  it('FT-13 is not linked before the second factor', async () => {
    const site = openBoth({ config: withFactor({ rememberFor: 86_400 }) })
    const { app, code } = site
    const agent = app.agent()
    await signIn(app, agent)
    const { secret } = await enrol(app, agent)
    await signOut(agent)
    await signIn(app, agent)
    await enterCode(agent, codeOf(secret, app.clock.now()), { remember: 'true' })
    await signOut(agent)
    // The browser is remembered, so its session lacks the second factor.
    await signIn(app, agent)
    expect(await sessionOf(agent)).toMatchObject({ amr: ['fed'] })
    await link(agent)
    await enterPhoneCode(agent, code())
    expect([app.ended(), app.rows.accounts().length]).toEqual(['held', 1])
    app.clock.advance(30)
    await enterCode(agent, codeOf(secret, app.clock.now()))
    expect([app.ended(), app.rows.accounts().length]).toEqual(['signedIn', 2])
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
  })
})

describe('an account of a feature on the account page', () => {
  it('FT-08 is a way to sign in that remains, and that can be removed', async () => {
    const site = openPhones({ providers: openBadges().config.providers, config: { accountPage: true } })
    const { app, code } = site
    const agent = app.agent()
    await signIn(app, agent)
    await askForCode(agent, adaPhone, { link: 'true' })
    await enterPhoneCode(agent, code())
    const unlink = async (at: number) => {
      const html = await (await agent.send('/auth/account')).text()
      const form = readForms(html).filter(({ fields }) => fields['change'] === 'unlink')[at]
      await agent.send('/auth/account', { form: form?.fields ?? {} })
      return html
    }
    expect(await unlink(0)).toContain('Phone')
    expect(app.rows.accounts()).toMatchObject([{ provider: 'phone' }])
    await unlink(0)
    expect([app.ended(), app.rows.accounts().length]).toEqual(['shown', 1])
  })
})

describe('the texts of a feature', () => {
  it('PG-01 have keys that the compiler knows', () => {
    defineFeature({
      name: 'badge',
      title: 'Badge',
      // @ts-expect-error there is no such text
      signIn: { amr: 'hwk', form: ({ t }) => ({ button: t('sned') }) },
      pages: {
        // @ts-expect-error there is no such text
        badge: (_, kit) => ({ heading: kit.t('haeding'), parts: [kit.text(kit.t('send'))] }),
      },
      texts: {
        en: { heading: 'Badge', send: 'Send' },
        // @ts-expect-error English has no such text
        de: { sned: 'Senden' },
      },
    })
    // Without texts, or with those of a variable, any key compiles.
    expect(make({ pages: { badge: (_, { t }) => ({ heading: t('any'), parts: [] }) } }).name).toBe('badge')
  })
})
