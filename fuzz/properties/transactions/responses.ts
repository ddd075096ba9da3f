import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import { issuers } from '../../targets/configure.ts'
import type { Setup } from '../../targets/setup.ts'
import { Absent } from '../../world/breach.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, startAt, subjectOf, withParameters } from '../support/consent.ts'
import { formPost, formPostByUrl } from '../support/form-post.ts'
import { checkRefused, checkUnchanged, takeSnapshot } from '../support/snapshot.ts'

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))

const place = (text: string, at: number) => at % Math.max(1, text.length)

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Changes to a state, by description. `at` chooses the position. */
const wrongStates: Readonly<Record<string, (state: string, at: number) => string | undefined>> = {
  absent: () => undefined,
  empty: () => '',
  'with one bit flipped': (state, at) => {
    const n = place(state, at)
    const digit = alphabet.indexOf(state.charAt(n))
    const other = digit < 0 ? 'A' : alphabet.charAt(digit ^ 1)
    return `${state.slice(0, n)}${other}${state.slice(n + 1)}`
  },
  'with its last digit changed': (state, at) => {
    const digit = Math.max(0, alphabet.indexOf(state.slice(-1)))
    return `${state.slice(0, -1)}${alphabet.charAt(digit ^ (1 + (at % 3)))}`
  },
  truncated: (state, at) => state.slice(0, place(state, at)),
  'without its first characters': (state, at) => state.slice(1 + place(state, at)),
  longer: (state, at) => `${state}${alphabet.charAt(at % 64)}`,
  'in another case': (state) => swapCase(state),
  'with one letter in another case': (state, at) => {
    const letters = [...state.matchAll(/[a-z]/gi)].map(({ index }) => index)
    const n = letters[at % Math.max(1, letters.length)] ?? 0
    return `${state.slice(0, n)}${swapCase(state.charAt(n))}${state.slice(n + 1)}`
  },
  'with one character percent-encoded': (state, at) => {
    const n = place(state, at)
    return `${state.slice(0, n)}%${state.charCodeAt(n).toString(16)}${state.slice(n + 1)}`
  },
  'after a space': (state) => ` ${state}`,
  'before a space': (state) => `${state} `,
  'before a NUL': (state) => `${state}\u0000`,
  'with a line break inside': (state, at) =>
    `${state.slice(0, place(state, at))}\n${state.slice(place(state, at))}`,
  'with padding': (state) => `${state}=`,
  'after a byte order mark': (state) => `\ufeff${state}`,
  'with one full-width letter': (state) =>
    state.replace(/[a-z]/, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
  'twice over': (state) => `${state}${state}`,
  undefined: () => 'undefined',
  null: () => 'null',
}

const stateChanges = ['of another sign-in', ...Object.keys(wrongStates)]

/** Changes that only someone who knows the whole state can make. */
const knowing: ReadonlySet<string> = new Set([
  'longer',
  'in another case',
  'with one letter in another case',
  'with one character percent-encoded',
  'after a space',
  'before a space',
  'before a NUL',
  'with a line break inside',
  'with padding',
  'after a byte order mark',
  'with one full-width letter',
  'twice over',
])

/** Parameters to duplicate in a provider's response. */
const responseParameters = ['code', 'state', 'iss', 'error'] as const

const inForms = { params: { scope: 'openid profile email', response_mode: 'form_post' } }

const forms: Setup = {
  provider: {
    alpha: { authorization: inForms },
    beta: { authorization: inForms },
    plain: { authorization: { ...inForms, url: `${issuers.plain}/authorize` } },
  },
}

export const responseProperties: readonly Property[] = [
  property({
    proves: ['TX-02'],
    name: 'rejects a state that differs in any byte, before using the code',
    story:
      'An attacker who knows part of a state, or none of it, makes the victim’s browser complete the attacker’s sign-in.',
    advice: 'Compare the whole state with the sealed one, after decoding it once and changing nothing else.',
    setups: {
      usual: {},
      'with state': {
        provider: {
          alpha: { checks: ['state'] },
          beta: { checks: ['pkce', 'state', 'nonce'] },
          plain: { checks: ['state'] },
        },
      },
    },
    portable: true,
    runs: 80,
    cases: everyOf({ provider: remotes, change: stateChanges, at: [0, 5] }).cases,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      change: fc.constantFrom(...stateChanges),
      at: fc.nat({ max: 2000 }),
    }),
    async run(world, { provider, change, at }) {
      const { ada, eve } = world.people
      const browser = world.browser('ada')
      const foreign = await world.browser('eve').visit(provider, eve)
      const arrival = await browser.visit(provider, ada)
      const state = arrival.parameters.get('state')
      if (state === null) throw new Absent(`a sign-in at ${provider} sends no state`)
      const sent = (wrongStates[change] ?? (() => foreign.parameters.get('state') ?? undefined))(state, at)
      if (sent === state) return
      const before = await takeSnapshot(world, browser)
      await browser.arrive(
        withParameters(arrival, (query) =>
          sent === undefined ? query.delete('state') : query.set('state', sent),
        ),
      )
      const meaning = knowing.has(change) ? ({ observed: 'a lax check' } as const) : undefined
      await checkRefused(world, 'TX-02', browser, before, `the state was ${change}`, meaning)
      world.reach(change)
      await browser.signIn(provider, ada)
    },
  }),

  property({
    proves: ['TX-12'],
    name: 'rejects a response with a duplicate parameter',
    story: 'One part of the application validates the first of two values, and another uses the second.',
    advice: 'Count the parameters of a response before you read the first.',
    setups: { query: {}, 'form and query': formPost, forms },
    portable: true,
    runs: 60,
    ...everyOf({
      provider: remotes,
      name: responseParameters,
      value: ['the same', 'another'],
      first: [false, true],
    }),
    async run(world, { provider, name, value, first }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const arrival = await browser.visit(provider, ada)
      const good = arrival.parameters.get(name)
      // A valid response has no error, so both values are added.
      const given = good ?? (name === 'iss' ? world.idps[provider].issuer : 'access_denied')
      const other = { 'the same': given, another: 'another' }[value]
      const arrived = withParameters(arrival, (query) => {
        query.delete(name)
        for (const each of first ? [other, given] : [given, other]) query.append(name, each)
      })
      const before = await takeSnapshot(world, browser)
      await browser.arrive(arrived)
      await checkRefused(world, 'TX-12', browser, before, `${name} was duplicated`)
      world.reach(name)
      await browser.signIn(provider, ada)
    },
  }),

  property({
    proves: ['TX-12'],
    name: 'rejects a link with a duplicate token or address',
    story: 'A modified link makes the application validate one address and sign in another.',
    advice: 'Count the parameters of a link before you read the first.',
    runs: 40,
    input: fc.record({
      name: fc.constantFrom('token', 'email'),
      value: fc.constantFrom('the same', 'another'),
      first: fc.boolean(),
    }),
    async run(world, { name, value, first }) {
      const { ada, eve } = world.people
      const browser = world.browser('ada')
      const { to, link } = await browser.requestLink(ada.address.mail)
      const good = link.searchParams.get(name) ?? ''
      const other = {
        'the same': good,
        another: name === 'email' ? eve.address.mail : 'another',
        nothing: '',
      }
      const doubled = new URL(link)
      doubled.searchParams.delete(name)
      for (const each of first ? [other[value], good] : [good, other[value]])
        doubled.searchParams.append(name, each)
      const before = await takeSnapshot(world, browser)
      await browser.followLink({ to, link: doubled })
      await checkUnchanged(world, 'TX-12', browser, before, `${name} was duplicated`)
      world.reach(name)
      await browser.signIn('mail', ada)
    },
  }),

  property({
    proves: ['TX-15'],
    name: 'accepts a response only in the configured response mode',
    story: 'An attacker delivers a response in another mode, and bypasses the checks of the configured one.',
    advice: 'Read only the body for a form_post provider, and only the query for any other.',
    setups: { 'form and query': formPost, 'form by URL': formPostByUrl },
    runs: 60,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      shape: fc.constantFrom('the whole response', 'the code', 'everything except the code'),
    }),
    async run(world, { provider, shape }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider)
      const saved = browser.save()
      const arrival = await consentTo(world, provider, url, subjectOf(ada, provider))
      world.prove(browser, ada, provider)
      const before = await takeSnapshot(world, browser)
      const [right, wrong] = [new URLSearchParams(), new URLSearchParams()]
      for (const [name, value] of arrival.parameters)
        ((name === 'code') === (shape === 'the code') || shape === 'the whole response'
          ? wrong
          : right
        ).append(name, value)
      const [query, form] = arrival.mode === 'query' ? [right, wrong] : [wrong, right]
      const path = `${world.basePath}/callback/${world.idOf(provider) ?? ''}?${query}`
      const isGet = arrival.mode === 'form_post' && form.size === 0
      await browser.send(path, isGet ? {} : { form })
      await checkRefused(world, 'TX-15', browser, before, `${shape} was not sent by ${arrival.mode}`)
      world.reach(`${shape} beside ${arrival.mode}`)
      browser.restore(saved)
      await browser.signIn(provider, ada)
    },
  }),

  property({
    proves: ['WIR-036'],
    name: 'shows a response with a duplicate parameter as an invalid check',
    story: 'A user is told that they refused to sign in, or that the server is broken.',
    advice: 'Count the parameters of a response before you read its error.',
    runs: 12,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      name: fc.constantFrom('code', 'state', 'error'),
      value: fc.constantFrom('the same', 'another'),
    }),
    async run(world, { provider, name, value }) {
      const browser = world.browser('ada')
      const arrival = await browser.visit(provider, world.people.ada)
      const response = withParameters(arrival, (query) => {
        const given = query.get(name) ?? 'access_denied'
        if (name === 'error') query.delete('code')
        query.set(name, given)
        query.append(name, value === 'the same' ? given : 'another')
      })
      if (!response.parameters.get(name)) return
      const { location } = await browser.arrive(response)
      const shown = location?.searchParams.get('error')
      world.check('WIR-036', shown === 'InvalidCheck', `${name} was duplicated, and ${shown} is shown`)
    },
  }),
]
