import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createHandler } from '../../src/handler/create-handler.ts'
import { oauthProvider, passkeyProvider, secret } from './derive.ts'

const cycle: Record<string, unknown> = {}
cycle['self'] = cycle

/** Values of types that no option has, some of which cannot be serialised or converted to a string. */
const values: readonly (readonly [string, unknown])[] = [
  ['an object with a cycle', cycle],
  ['an array with a cycle', [cycle]],
  ['an object without a prototype', Object.create(null)],
  ['a symbol', Symbol('odd')],
  ['a bigint', 10n],
  ['a number', 7],
  ['true', true],
  ['a function', () => undefined],
  ['an array with null', [null]],
]

const handle = createHandler()
const quiet = { error() {}, warn() {}, debug() {} }

/** The status of a route with a configuration that the compiler would reject. */
async function statusOf(route: string, odd: object): Promise<number> {
  const config = { providers: [oauthProvider], secret, trustHost: true, logger: quiet, ...odd }
  const response = await handle(new Request(`https://app.test/auth/${route}`), config)
  return response.status ?? 0
}

const refused: readonly (readonly [string, (value: unknown) => object])[] = [
  ['theme.brandColor', (brandColor) => ({ theme: { brandColor } })],
  ['theme.buttonText', (buttonText) => ({ theme: { buttonText } })],
  ['theme.logo', (logo) => ({ theme: { logo } })],
  ['pages.error', (error) => ({ pages: { error } })],
  ['pages.signIn', (signIn) => ({ pages: { signIn } })],
  ['redirectProxy.allow', (origin) => ({ redirectProxy: { allow: [origin] } })],
]

const ignored: readonly (readonly [string, (value: unknown) => object])[] = [
  ['style.brandColor', (brandColor) => ({ providers: [{ ...oauthProvider, style: { brandColor } }] })],
  ['style.logo', (logo) => ({ providers: [{ ...oauthProvider, style: { logo } }] })],
  [
    'the label of a field',
    (label) => ({
      providers: [{ id: 'password', type: 'credentials', authorize() {}, credentials: { name: { label } } }],
    }),
  ],
]

const unfit: readonly (readonly [string, (value: unknown) => object])[] = [
  ['basePath', (basePath) => ({ basePath })],
  ['the id of a provider', (id) => ({ providers: [{ ...oauthProvider, id }] })],
  ['the type of a provider', (type) => ({ providers: [{ ...oauthProvider, type }] })],
]

describe('an option of the wrong type', () => {
  it.each(
    unfit.flatMap(([name, set]) =>
      [...values, ['constructor', 'constructor'] as const].map(
        ([kind, value]) => [name, kind, set(value)] as const,
      ),
    ),
  )('CF-01 does not make createAuth throw: %s is %s', async (_name, _kind, odd) => {
    const auth = createAuth({ providers: [], secret, trustHost: true, logger: quiet, ...odd })
    const response = await auth.handler(new Request('https://app.test/auth/session'))
    expect(response).toBeInstanceOf(Response)
  })

  it.each(refused.flatMap(([name, set]) => values.map(([kind, value]) => [name, kind, set(value)] as const)))(
    'CF-01 results in an error page, not in a rejected promise: %s is %s',
    async (_name, _kind, odd) => {
      expect(await statusOf('signin', odd)).toBe(500)
      expect(await statusOf('session', odd)).toBe(500)
    },
  )

  it.each(
    values
      .filter(([kind]) => kind !== 'a number')
      .flatMap(([kind, value]) => [
        ['session.maxAge', kind, { session: { maxAge: value } }] as const,
        ['jwt.maxAge', kind, { jwt: { maxAge: value } }] as const,
      ]),
  )('CF-01 results in an error page, not in a rejected promise: %s is %s', async (_name, _kind, odd) => {
    expect(await statusOf('signin', odd)).toBe(500)
  })

  it.each(ignored.flatMap(([name, set]) => values.map(([kind, value]) => [name, kind, set(value)] as const)))(
    'CF-01 does not make the sign-in page fail: %s is %s',
    async (_name, _kind, odd) => {
      expect(await statusOf('signin', odd)).toBe(200)
    },
  )

  it('CF-01 is refused or ignored if a form field is null', async () => {
    const providers = [{ ...passkeyProvider, enableConditionalUI: true, formFields: { email: null } }]
    expect(await statusOf('signin', { providers, experimental: { enableWebAuthn: true } })).toBe(500)
    const password = { id: 'password', type: 'credentials', authorize() {}, credentials: { name: null } }
    expect(await statusOf('signin', { providers: [password] })).toBe(200)
  })
})
