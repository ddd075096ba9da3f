import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import type { IdpUser } from '../world/idp/contract.ts'
import { usersOf } from '../world/people.ts'
import { property, type Property } from './property.ts'
import { consentAs } from './support/identities.ts'
import { withParameters } from './support/consent.ts'
import { holdUnchanged, isSignedIn, takeStock } from './support/stock.ts'

/** Ada's mailbox, as accounts of an attacker claim it. */
const victim = 'ada@mail.example'
const dangerous = { allowDangerousEmailAccountLinking: true }

const github = 'https://github.plain.example'
interface GitHubAccount {
  readonly user: unknown
  readonly emails?: unknown
  readonly status?: number
}
const account = (id: unknown, rest: object = {}) => ({
  login: 'who',
  name: 'ada',
  email: 'who@other.example',
  id,
  ...rest,
})
const listed = (list: readonly object[]) => ({
  user: account(66, { email: null, name: 'eve' }),
  emails: list,
})
/** Accounts of GitHub, by what is strange about them. */
const accounts: Readonly<Record<string, GitHubAccount>> = {
  ordinary: { user: account(5, { email: 'ada@plain.example' }) },
  'no id': { user: account(undefined) },
  'null for an id': { user: account(null) },
  'an object for an id': { user: account({}) },
  'a list for an id': { user: account(['x']) },
  'an empty id': { user: account('') },
  'an answer of a failure': { user: account(7), status: 500 },
  'an answer of a limit': { user: account(7), status: 403 },
  'an answer that is gone': { user: account(7), status: 410 },
  'an answer that is a list': { user: [account(7)] },
  'the address of somebody, unproven': listed([{ email: victim, primary: true, verified: false }]),
  'the address of somebody, without a word': listed([{ email: victim, primary: true }]),
  'the address of somebody, unproven, and another': listed([
    { email: victim, primary: false, verified: false },
    { email: 'eve@other.example', primary: true, verified: false },
  ]),
}
/** Neighbours of whom no number tells one from the other, as they are written. */
const beyond: Readonly<Record<string, string>> = { huge: '9007199254740993', neighbour: '9007199254740992' }
const ids = Object.keys(accounts).filter((what) => what.endsWith('id'))
const failures = Object.keys(accounts).filter((what) => what.startsWith('an answer'))
const addresses = Object.keys(accounts).filter((what) => what.startsWith('the address'))

/** The two endpoints of GitHub that are no OpenID provider's. */
function answerGitHub(request: Request, { sub }: IdpUser): Response | undefined {
  const found = accounts[sub]
  const { pathname } = new URL(request.url)
  const said = beyond[sub]
  if (pathname === '/api/v3/user' && said !== undefined) {
    const headers = { 'content-type': 'application/json' }
    return new Response(`{"id":${said},"login":"${sub}","name":"${sub}","email":null}`, { headers })
  }
  if (pathname === '/api/v3/user') return Response.json(found?.user ?? null, { status: found?.status ?? 200 })
  if (pathname === '/api/v3/user/emails') return Response.json(found?.emails ?? [])
  return undefined
}

function withGitHub(
  options: Readonly<Record<string, unknown>> = {},
  metadata: Readonly<Record<string, unknown>> = { authorization_response_iss_parameter_supported: false },
): Setup {
  return {
    preset: { plain: 'github' },
    provider: {
      plain: {
        enterprise: { baseUrl: github },
        token: `${github}/login/oauth/token`,
        ...options,
      },
    },
    idp: {
      plain: {
        issuer: `${github}/login/oauth`,
        users: [...Object.keys({ ...accounts, ...beyond }).map((sub) => ({ sub })), ...usersOf('plain')],
        elsewhere: answerGitHub,
        metadata,
      },
    },
  }
}

const appleUsers: readonly IdpUser[] = ['false', false, undefined].map((verdict, n) => ({
  sub: `impostor-${n}`,
  claims: { name: 'eve', email: victim, ...(verdict !== undefined && { email_verified: verdict }) },
}))
const apple = 'https://appleid.apple.com'
const withApple: Setup = {
  preset: { alpha: 'apple' },
  provider: {
    alpha: {
      ...dangerous,
      // Apple gives an id_token whatever the scope says; the provider of the world has to be asked for one.
      authorization: { params: { scope: 'openid name email', response_mode: 'form_post' } },
    },
  },
  idp: {
    alpha: {
      issuer: apple,
      users: [...appleUsers, ...usersOf('alpha')],
      clients: [
        { id: 'client-at-alpha', secret: 'secret-at-alpha-0123456789', method: 'client_secret_post' },
      ],
    },
  },
}

const refusedAccounts = [
  ['OI-18', 'an id', ids],
  ['OI-13', 'an answer', failures],
] as const

export const serviceProperties: readonly Property[] = [
  ...refusedAccounts.map(([id, what, strange]) =>
    property({
      proves: [id, 'OI-01'],
      name: `${what} of GitHub that is of no use makes nobody of anybody`,
      story: 'An outage, or a change of what GitHub answers, makes one user of many.',
      advice: 'Demand the status of every answer, and an id that is a number or a text.',
      setups: { github: withGitHub(), 'github that names itself': withGitHub({}, {}) },
      runs: 20,
      input: fc.constantFrom(...strange),
      async run(world, kind) {
        const browser = world.browser('eve')
        const before = await takeStock(world, browser)
        await browser.arrive(await consentAs(world, browser, 'plain', kind))
        await holdUnchanged(world, id, browser, before, `an account of GitHub has ${kind}`)
        const honest = world.browser('ada')
        world.prove(honest, world.people.ada, 'plain')
        await honest.arrive(await consentAs(world, honest, 'plain', 'ordinary'))
        world.demand(await isSignedIn(honest), 'nobody can sign in by GitHub')
      },
    }),
  ),

  property({
    proves: ['OI-18'],
    name: 'two accounts of GitHub whose ids no number can tell apart are not one user',
    story: 'Ids grow beyond what a number holds exactly, and people come in as their neighbours.',
    advice: 'Refuse a number that is no safe integer for an id.',
    setups: { github: withGitHub() },
    runs: 2,
    async run(world) {
      const names: (string | undefined)[] = []
      for (const sub of Object.keys(beyond)) {
        const browser = world.browser('eve')
        await browser.arrive(await consentAs(world, browser, 'plain', sub))
        if (await isSignedIn(browser)) names.push(await browser.whoAmI())
      }
      world.hold('OI-18', new Set(names).size === names.length, `both are signed in as ${names[0] ?? ''}`)
      world.reach(names.length === 0 ? 'refused' : 'told apart')
    },
  }),

  property({
    proves: ['AL-09'],
    name: 'an address of GitHub that nobody proved opens no account',
    story: 'An attacker adds the address of a victim to an account of GitHub, and never proves it.',
    advice: 'Tell the profile whether the address is proven, and link none that is not.',
    needs: ['store'],
    setups: { github: withGitHub(dangerous) },
    runs: 12,
    input: fc.constantFrom(...addresses),
    async run(world, kind) {
      await world.browser('ada').signIn('mail', world.people.ada)
      const attacker = world.browser('eve')
      await attacker.arrive(await consentAs(world, attacker, 'plain', kind))
      const [owner] = world.rows.users
      const linked = world.rows.accounts.filter(({ userId }) => userId === owner?.id)
      world.hold('AL-09', linked.length === 0, `${kind}: an account was linked by it`)
      world.hold('AL-09', (await attacker.whoAmI()) !== 'ada', `${kind}: it opened a session of its owner`)
    },
  }),

  property({
    proves: ['AL-09'],
    name: 'what Apple’s form says beside the token is no proof of an address, nor is a flag that says no',
    story: 'A browser writes the address of a victim into the form that Apple has it post.',
    advice: 'Take nothing but a name from the form, and read the flag of the address also where it is text.',
    needs: ['store'],
    setups: { apple: withApple },
    runs: 24,
    input: fc.record({
      sub: fc.constantFrom('impostor-0', 'impostor-1', 'eve-at-alpha'),
      said: fc.constantFrom(
        undefined,
        { email: victim },
        { email: victim, email_verified: true },
        { email: victim, email_verified: true, sub: 'ada-at-alpha' },
        { name: { firstName: 'A' }, profile: { email: victim } },
      ),
    }),
    async run(world, { sub, said }) {
      const { ada } = world.people
      await world.browser('ada').signIn('mail', ada)
      const users = JSON.stringify(world.rows.users)
      const attacker = world.browser('eve')
      world.prove(attacker, world.people.eve, 'alpha')
      const arrival = await consentAs(world, attacker, 'alpha', sub)
      await attacker.arrive(
        withParameters(arrival, (form) => {
          if (said) form.set('user', JSON.stringify(said))
        }),
      )
      const [owner] = JSON.parse(users) as { readonly id: string }[]
      const linked = world.rows.accounts.filter(({ userId }) => userId === owner?.id)
      world.hold('AL-09', linked.length === 0, 'an account was linked by an address that nobody proved')
      const who = await attacker.whoAmI()
      world.hold('AL-09', who === undefined || who === 'eve', `it opened a session of ${who ?? ''}`)
      world.reach(who ?? 'nobody')
    },
  }),

  property({
    proves: ['FI-07'],
    name: 'what is wrong with the name beside an id_token of Apple keeps nobody out',
    story: 'A browser, or Apple, sends a form field that is no JSON, and nobody can sign in.',
    advice: 'Read the field with care: it is the name of a user and nothing else.',
    setups: { apple: withApple },
    runs: 10,
    input: fc.constantFrom(undefined, '', '{', 'null', '7', '{"name":7}', '{"name":{"firstName":{}}}', '[]'),
    async run(world, said) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const arrival = await browser.visit('alpha', ada)
      const reply = await browser.arrive(
        withParameters(arrival, (form) => {
          if (said !== undefined) form.set('user', said)
        }),
      )
      world.hold('FI-07', reply.failure === undefined, 'a field of the form breaks the application')
      const who = await browser.whoAmI()
      world.hold('FI-07', who === 'ada', `nobody can sign in beside the field ${said ?? 'that is missing'}`)
    },
  }),

  property({
    proves: ['OI-16'],
    name: 'well-known services are reached by https, under the names that they have',
    story: 'A preset has a slip in a URL, and codes go over the network for everybody to read.',
    advice: 'Write every URL of a preset with https.',
    setups: {
      google: {
        preset: { alpha: 'google' },
        idp: { alpha: { issuer: 'https://accounts.google.com' } },
      },
      apple: withApple,
      github: withGitHub(),
    },
    runs: 3,
    async run(world) {
      for (const provider of ['alpha', 'plain'] as const) {
        const { location } = await world.browser('ada').start(provider)
        world.demand(
          location !== undefined && location.origin !== world.origin,
          `${provider} cannot be reached`,
        )
        world.hold('OI-16', location?.protocol === 'https:', `the browser is sent to ${location?.href ?? ''}`)
      }
      const sent = world.network.sent.find(({ url }) => url.startsWith('http:'))
      world.hold('OI-16', sent === undefined, `a request went to ${sent?.url ?? ''}`)
      await world.browser('ada').signIn('alpha', world.people.ada)
    },
  }),
]
