import fc from 'fast-check'
import type { IdpUser } from '../world/idp/contract.ts'
import { usersOf } from '../world/people.ts'
import { property, type Property } from './property.ts'
import { ledTo } from './support/doors.ts'
import { isSignedIn } from './support/sessions.ts'

/** Members that nobody asked for, in a profile and in a token response. */
const richUser: IdpUser = {
  sub: 'rich',
  claims: {
    name: 'Rich',
    email: 'rich@alpha.example',
    picture: 'https://alpha.example/rich.png',
    email_verified: true,
    locale: 'de',
    phone_number: '+1 555 0100',
    birthdate: '1970-01-01',
    role: 'admin',
    isAdmin: true,
    emailVerified: '2020-01-01T00:00:00.000Z',
    userId: 'of-somebody',
    preferred_username: 'rich',
  },
}

const storedOfTokens = [
  'access_token',
  'id_token',
  'refresh_token',
  'expires_at',
  'scope',
  'token_type',
  'session_state',
]

const ofEveryAccount = ['id', 'userId', 'type', 'provider', 'providerAccountId']

export const callbackProfileProperties: readonly Property[] = [
  property({
    proves: ['CB-06'],
    name: 'a wrong password leads to the sign-in page, and nothing tells whether the name is known',
    story: 'Whoever tries names learns which of them have an account.',
    advice: 'Answer null from authorize with the code credentials, whatever was wrong.',
    setups: {
      form: { strategy: 'jwt', providers: ['form'] },
      'own page': { strategy: 'jwt', providers: ['form'], config: { pages: { signIn: '/enter' } } },
    },
    runs: 40,
    input: fc.record({
      known: fc.string({ maxLength: 20 }),
      unknown: fc
        .string({ minLength: 1, maxLength: 20 })
        .filter((name) => !['ada', 'bob', 'eve'].includes(name)),
      password: fc.string({ maxLength: 20 }),
      byScript: fc.boolean(),
    }),
    async run(world, { known, unknown, password, byScript }) {
      const { ada } = world.people
      const enter = async (username: string, secret: string) => {
        const browser = world.browser('eve')
        const csrfToken = await browser.csrfToken()
        const reply = await browser.send(`${world.basePath}/callback/${world.idOf('form') ?? ''}`, {
          form: { csrfToken, username, password: secret },
          ...(byScript && { headers: { 'x-auth-return-redirect': '1' } }),
        })
        world.hold('CB-06', !isSignedIn(await browser.readSession()), 'a wrong password signs somebody in')
        const to = ledTo(reply)
        const error = to?.searchParams.get('error')
        const [came, code] = [
          `${reply.failure ?? reply.status} ${to?.href ?? ''}`,
          to?.searchParams.get('code'),
        ]
        world.hold(
          'CB-06',
          error === 'CredentialsSignin' && Boolean(code),
          `a wrong password leads to ${came}`,
        )
        if (world.features.has('setup')) {
          const pages = [`${world.basePath}/signin`, '/enter']
          world.hold(
            'CB-06',
            pages.includes(to?.pathname ?? ''),
            `a wrong password leads to ${came}, which is no sign-in page`,
          )
        }
        return `${reply.status} ${error ?? ''} ${code ?? ''}`
      }
      const wrong = await enter(ada.name, known === ada.password ? '' : known)
      const nobody = await enter(unknown, password)
      world.hold(
        'CB-06',
        wrong === nobody,
        `a wrong password is answered ${wrong}, an unknown name ${nobody}`,
      )
      await world.browser('ada').signIn('form', ada)
    },
  }),

  property({
    proves: ['CB-07'],
    name: 'of a token response and of a profile only the usual members are stored',
    story:
      'A provider adds members to its answers, and they become columns: a role, an owner, a proof of an address.',
    advice: 'Pick members by name; never spread what a provider sent into a row.',
    needs: ['store'],
    setups: Object.fromEntries(
      (['database', 'jwt'] as const).map((strategy) => [
        strategy,
        {
          strategy,
          ...(strategy === 'jwt' && { config: { adapter: true } }),
          provider: { plain: { profile: undefined } },
          idp: {
            alpha: { users: [...usersOf('alpha'), richUser] },
            plain: { users: [...usersOf('plain'), richUser] },
          },
        },
      ]),
    ),
    runs: 20,
    input: fc.record({ provider: fc.constantFrom('alpha', 'plain'), more: fc.boolean(), rich: fc.boolean() }),
    async run(world, { provider, more, rich }) {
      const idp = world.idps[provider]
      const browser = world.browser('ada')
      idp.misbehave(...(more ? (['more-than-usual'] as const) : []))
      const { location } = await browser.start(provider)
      world.demand(location !== undefined && location.origin !== world.origin, 'no sign-in is started')
      idp.choose(rich ? 'rich' : `ada-at-${provider}`)
      const { parameters, mode } = await idp.authorize(location?.href ?? '')
      world.prove(browser, world.people.ada, provider)
      await browser.arrive({ provider, parameters, mode })
      idp.misbehave()
      const [account] = world.rows.accounts
      const [user] = world.rows.users
      world.demand(account !== undefined && user !== undefined, 'nobody came in')
      const surplus = Object.keys(account ?? {}).filter(
        (name) => ![...ofEveryAccount, ...storedOfTokens].includes(name),
      )
      world.hold('CB-07', surplus.length === 0, `an account is stored with ${surplus.join(', ')}`)
      const expected = [
        'access_token',
        'token_type',
        'scope',
        'expires_at',
        ...(provider === 'alpha' ? ['id_token'] : []),
        ...(more ? ['refresh_token', 'session_state'] : []),
      ]
      const lacking = expected.filter((name) => account?.[name] === undefined || account[name] === null)
      world.hold('CB-07', lacking.length === 0, `an account is stored without ${lacking.join(', ')}`)
      const strange = Object.keys(user ?? {}).filter(
        (name) => !['id', 'email', 'name', 'image', 'emailVerified'].includes(name),
      )
      world.hold('CB-07', strange.length === 0, `a user is stored with ${strange.join(', ')}`)
      const address = rich ? 'rich@alpha.example' : `ada@${provider}.example`
      world.hold(
        'CB-07',
        user?.email === address && user.name === (rich ? 'Rich' : 'ada'),
        'a user is stored without name or address',
      )
      if (rich)
        world.hold(
          'CB-07',
          user?.image === 'https://alpha.example/rich.png',
          'a user is stored without picture',
        )
      world.hold('CB-07', account?.userId === user?.id, 'a provider names the owner of an account')
      const isDated = String(user?.emailVerified ?? '').includes('2020')
      world.hold('CB-07', !isDated, 'a provider says itself when an address was proven')
    },
  }),
]
