import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import type { IdpUser } from '../../world/idp/contract.ts'
import { usersOf } from '../../world/people.ts'
import { property, type Property } from '../property.ts'
import { consentAs, weighLink } from '../support/identities.ts'
import { dangerous, victim, withApple } from '../support/apple.ts'
import { checkUnchanged, isSignedIn, takeSnapshot } from '../support/snapshot.ts'

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
/** GitHub accounts, by their defect. */
const accounts: Readonly<Record<string, GitHubAccount>> = {
  ordinary: { user: account(5, { email: 'ada@plain.example' }) },
  'no id': { user: account(undefined) },
  'null as id': { user: account(null) },
  'an object as id': { user: account({}) },
  'a list as id': { user: account(['x']) },
  'an empty id': { user: account('') },
  'a response with status 500': { user: account(7), status: 500 },
  'a response with status 403': { user: account(7), status: 403 },
  'a response with status 410': { user: account(7), status: 410 },
  'a response with a list': { user: [account(7)] },
  'the address of a victim, unverified': listed([{ email: victim, primary: true, verified: false }]),
  'the address of a victim, without a flag': listed([{ email: victim, primary: true }]),
  'the address of a victim, unverified, and another': listed([
    { email: victim, primary: false, verified: false },
    { email: 'eve@other.example', primary: true, verified: false },
  ]),
}
/** Adjacent ids that a JavaScript number cannot tell apart, as strings. */
const beyond: Readonly<Record<string, string>> = { huge: '9007199254740993', neighbour: '9007199254740992' }
const ids = Object.keys(accounts).filter((what) => what.endsWith('id'))
const failures = Object.keys(accounts).filter((what) => what.startsWith('a response'))
const addresses = Object.keys(accounts).filter((what) => what.startsWith('the address'))

/** The two endpoints that GitHub has beyond OAuth. */
function handleGitHub(request: Request, { sub }: IdpUser): Response | undefined {
  const found = accounts[sub]
  const { pathname } = new URL(request.url)
  const id = beyond[sub]
  if (pathname === '/api/v3/user' && id !== undefined) {
    const headers = { 'content-type': 'application/json' }
    return new Response(`{"id":${id},"login":"${sub}","name":"${sub}","email":null}`, { headers })
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
        elsewhere: handleGitHub,
        metadata,
      },
    },
  }
}

const service = 'https://service.plain.example'
/** A service whose user entered a victim’s address and never verified it. */
function withUnverified(preset: string, options: object, user: object): Setup {
  return {
    preset: { plain: preset },
    provider: { plain: { ...options, ...dangerous } },
    idp: {
      plain: {
        issuer: `${service}/oauth`,
        users: [{ sub: 'impostor' }],
        elsewhere: () => Response.json(user),
        metadata: { authorization_response_iss_parameter_supported: false },
      },
    },
  }
}
const endpoints = {
  authorization: `${service}/oauth/authorize`,
  token: `${service}/oauth/token`,
  userinfo: `${service}/user`,
  client: { token_endpoint_auth_method: 'client_secret_basic' },
}
const unverified: Readonly<Record<string, Setup>> = {
  GitLab: withUnverified(
    'gitlab',
    { baseUrl: service },
    { id: 66, username: 'eve', name: 'eve', email: victim, confirmed_at: null },
  ),
  Eventbrite: withUnverified('eventbrite', endpoints, {
    id: '66',
    name: 'eve',
    emails: [
      { email: 'eve@other.example', primary: false, verified: true },
      { email: victim, primary: true, verified: false },
    ],
  }),
  Kakao: withUnverified('kakao', endpoints, {
    id: 66,
    kakao_account: { email: victim, is_email_valid: false, is_email_verified: true },
  }),
}

const refusedAccounts = [
  ['OI-18', 'user id', ids],
  ['OI-13', 'response', failures],
] as const

export const serviceProperties: readonly Property[] = [
  ...refusedAccounts.map(([id, what, strange]) =>
    property({
      proves: [id],
      name: `rejects an invalid GitHub ${what}`,
      story: 'An outage, or a change of GitHub’s responses, merges many people into one user.',
      advice: 'Check the status of every response, and require an id that is a number or a string.',
      setups: { github: withGitHub(), 'github with iss': withGitHub({}, {}) },
      runs: 20,
      ...eachOf(strange),
      async run(world, kind) {
        const browser = world.browser('eve')
        const before = await takeSnapshot(world, browser)
        await browser.arrive(await consentAs(world, browser, 'plain', kind))
        await checkUnchanged(world, id, browser, before, `an account of GitHub has ${kind}`)
        const honest = world.browser('ada')
        world.prove(honest, world.people.ada, 'plain')
        await honest.arrive(await consentAs(world, honest, 'plain', 'ordinary'))
        world.assume(await isSignedIn(honest), 'nobody can sign in with GitHub')
      },
    }),
  ),

  property({
    proves: ['OI-18'],
    name: 'keeps GitHub accounts with ids beyond the safe integer range apart',
    story: 'Ids grow beyond the safe integer range, and people sign in as each other.',
    advice: 'Refuse a number that is not a safe integer as an id.',
    setups: { github: withGitHub() },
    runs: 2,
    async run(world) {
      const names: (string | undefined)[] = []
      for (const sub of Object.keys(beyond)) {
        const browser = world.browser('eve')
        await browser.arrive(await consentAs(world, browser, 'plain', sub))
        if (await isSignedIn(browser)) names.push(await browser.whoAmI())
      }
      world.check(
        'OI-18',
        new Set(names).size === names.length,
        `both accounts are signed in as ${names[0] ?? ''}`,
      )
      world.reach(names.length === 0 ? 'refused' : 'kept apart')
    },
  }),

  property({
    proves: ['AL-09'],
    name: 'links no account by an address that GitHub has not verified',
    story: 'An attacker adds a victim’s address to a GitHub account, and never verifies it.',
    advice: 'Pass the verification state to the profile, and link only verified addresses.',
    needs: ['store'],
    setups: { github: withGitHub(dangerous) },
    runs: 12,
    ...eachOf(addresses),
    async run(world, kind) {
      await world.browser('ada').signIn('mail', world.people.ada)
      const attacker = world.browser('eve')
      await attacker.arrive(await consentAs(world, attacker, 'plain', kind))
      const [owner] = world.rows.users
      const linked = world.rows.accounts.filter(({ userId }) => userId === owner?.id)
      const gain = await weighLink(world, attacker, 'plain')
      world.check('AL-09', linked.length === 0, `${kind}: the account was linked`, gain)
      const isOwner = gain.observed === 'another user'
      world.check('AL-09', !isOwner, `${kind}: the attacker is signed in as the owner`, gain)
    },
  }),

  property({
    proves: ['AL-09', 'AL-01'],
    name: 'links no account by an address that its service has not verified',
    story:
      'An attacker registers with a victim’s address at a service that lets users in before they confirm it.',
    advice: 'Read the service’s own flag for a verified address, such as `confirmed_at`.',
    needs: ['store'],
    setups: unverified,
    runs: 6,
    async run(world) {
      await world.browser('ada').signIn('mail', world.people.ada)
      const attacker = world.browser('eve')
      await attacker.arrive(await consentAs(world, attacker, 'plain', 'impostor'))
      world.assume(
        world.idps.plain.requestsTo('unknown').length > 0,
        'the application requests no user from the service',
      )
      const [owner] = world.rows.users
      const linked = world.rows.accounts.filter(({ userId }) => userId === owner?.id)
      const gain = await weighLink(world, attacker, 'plain')
      for (const id of ['AL-09', 'AL-01'] as const)
        world.check(id, linked.length === 0, 'an unverified address was linked', gain)
    },
  }),

  property({
    proves: ['OI-16'],
    name: 'uses https and the documented host names for well-known providers',
    story: 'A typo in a preset’s URL sends codes over the network in plain text.',
    advice: 'Use https for every URL of a preset.',
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
        world.assume(
          location !== undefined && location.origin !== world.origin,
          `${provider} cannot be reached`,
        )
        world.check(
          'OI-16',
          location?.protocol === 'https:',
          `the browser is redirected to ${location?.href ?? ''}`,
        )
      }
      const sent = world.network.sent.find(({ url }) => url.startsWith('http:'))
      world.check('OI-16', sent === undefined, `a request went to ${sent?.url ?? ''}`)
      await world.browser('ada').signIn('alpha', world.people.ada)
    },
  }),
]
