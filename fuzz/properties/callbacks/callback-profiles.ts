import fc from 'fast-check'
import type { IdpUser } from '../../world/idp/contract.ts'
import { usersOf } from '../../world/people.ts'
import { property, type Property } from '../property.ts'
import { redirectTargetOf } from '../support/sign-in-methods.ts'
import { isSignedIn } from '../support/sessions.ts'

/** Unexpected members of a profile and a token response. */
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
    name: 'redirects a wrong password to the sign-in page without revealing whether the user exists',
    story: 'Anyone can find out which user names have an account.',
    advice: 'Return null from authorize with the code credentials, whatever was wrong.',
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
        world.check('CB-06', !isSignedIn(await browser.readSession()), 'a wrong password signs somebody in')
        const to = redirectTargetOf(reply)
        const error = to?.searchParams.get('error')
        const [actual, code] = [
          `${reply.failure ?? reply.status} ${to?.href ?? ''}`,
          to?.searchParams.get('code'),
        ]
        world.check(
          'CB-06',
          error === 'CredentialsSignin' && Boolean(code),
          `a wrong password redirects to ${actual}`,
        )
        if (world.features.has('setup')) {
          const pages = [`${world.basePath}/signin`, '/enter']
          world.check(
            'CB-06',
            pages.includes(to?.pathname ?? ''),
            `a wrong password redirects to ${actual}, which is not a sign-in page`,
          )
        }
        return `${reply.status} ${error ?? ''} ${code ?? ''}`
      }
      const wrong = await enter(ada.name, known === ada.password ? '' : known)
      const nobody = await enter(unknown, password)
      world.check('CB-06', wrong === nobody, `a wrong password returns ${wrong}, an unknown name ${nobody}`)
      await world.browser('ada').signIn('form', ada)
    },
  }),

  property({
    proves: ['CB-07'],
    name: 'stores only known members of token responses and profiles',
    story:
      'A provider adds members to its responses, and they become columns: a role, an owner, a verified address.',
    advice: 'Pick members by name. Never spread a provider’s response into a row.',
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
      world.assume(location !== undefined && location.origin !== world.origin, 'no sign-in is started')
      idp.choose(rich ? 'rich' : `ada-at-${provider}`)
      const { parameters, mode } = await idp.authorize(location?.href ?? '')
      world.prove(browser, world.people.ada, provider)
      await browser.arrive({ provider, parameters, mode })
      idp.misbehave()
      const [account] = world.rows.accounts
      const [user] = world.rows.users
      world.assume(account !== undefined && user !== undefined, 'nobody is signed in')
      const surplus = Object.keys(account ?? {}).filter(
        (name) => ![...ofEveryAccount, ...storedOfTokens].includes(name),
      )
      world.check('CB-07', surplus.length === 0, `an account is stored with ${surplus.join(', ')}`)
      const expected = [
        'access_token',
        'token_type',
        'scope',
        'expires_at',
        ...(provider === 'alpha' ? ['id_token'] : []),
        ...(more ? ['refresh_token', 'session_state'] : []),
      ]
      const lacking = expected.filter((name) => account?.[name] === undefined || account[name] === null)
      world.check('CB-07', lacking.length === 0, `an account is stored without ${lacking.join(', ')}`)
      const strange = Object.keys(user ?? {}).filter(
        (name) => !['id', 'email', 'name', 'image', 'emailVerified'].includes(name),
      )
      world.check('CB-07', strange.length === 0, `a user is stored with ${strange.join(', ')}`)
      const address = rich ? 'rich@alpha.example' : `ada@${provider}.example`
      world.check(
        'CB-07',
        user?.email === address && user.name === (rich ? 'Rich' : 'ada'),
        'a user is stored without name or address',
      )
      if (rich)
        world.check(
          'CB-07',
          user?.image === 'https://alpha.example/rich.png',
          'a user is stored without picture',
        )
      world.check('CB-07', account?.userId === user?.id, 'a provider sets the owner of an account')
      const isDated = String(user?.emailVerified ?? '').includes('2020')
      world.check('CB-07', !isDated, 'a provider sets the date on which an address was verified')
    },
  }),
]
