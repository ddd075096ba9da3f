import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as adapters from '../../src/adapters.ts'
import * as errors from '../../src/errors.ts'
import * as main from '../../src/index.ts'
import * as jwt from '../../src/jwt.ts'
import * as providers from '../../src/providers.ts'
import * as types from '../../src/types.ts'
import { exportedNames, readEntries } from './exported-names.ts'

function readSource(file: string): string {
  return readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')
}

/** Calls a preset with options that every preset accepts. */
function call(preset: unknown): unknown {
  return typeof preset === 'function' ? preset({ authorize: () => null, server: 'smtp://localhost' }) : preset
}

const words = (text: string) => text.trim().split(/\s+/)

const errorClasses = words(`
  AccessDenied AccountNotLinked AdapterError AuthError CallbackRouteError CredentialsSignin DuplicateConditionalUI
  EmailSignInError ErrorPageLoop EventError ExperimentalFeatureNotEnabled InvalidCallbackUrl InvalidCheck
  InvalidEndpoints InvalidProvider JWTSessionError MissingAdapter MissingAdapterMethods MissingAuthorize MissingCSRF
  MissingSecret MissingWebAuthnAutocomplete OAuthAccountNotLinked OAuthCallbackError OAuthProfileParseError
  OAuthSignInError SessionTokenError SignInError SignOutError UnknownAction UnsupportedStrategy UntrustedHost
  Verification WebAuthnVerificationError`)

/** Each subpath: its run-time exports, in the ecosystem and additional ones, and its types. */
const surface = [
  {
    subpath: '.',
    module: main,
    known: words('Auth createActionURL customFetch isAuthAction raw setEnvDefaults skipCSRFCheck'),
    ours: ['createAuth'],
    types: words(
      `Account AuthConfig AuthInstance DefaultSession FoundSession JWT Profile Session User UserSession`,
    ),
  },
  {
    subpath: './jwt',
    module: jwt,
    known: words('decode encode getToken'),
    ours: [],
    types: words('DefaultJWT GetTokenParams JWT JWTDecodeParams JWTEncodeParams JWTOptions'),
  },
  {
    subpath: './errors',
    module: errors,
    known: [...errorClasses, 'isClientError'],
    ours: ['DuplicateProvider', 'InvalidConfig', 'MissingClientId', 'RateLimited'],
    types: words('ErrorCause ErrorType'),
  },
  {
    subpath: './adapters',
    module: adapters,
    known: ['isDate'],
    ours: [],
    types: words(`Adapter AdapterAccount AdapterAccountType AdapterAuthenticator AdapterSession AdapterUser
      VerificationToken`),
  },
  {
    subpath: './types',
    module: types,
    known: [],
    ours: [],
    types: words(`Account AuthAction AuthConfig Authenticator Awaitable Awaited CookieOption CookiesOptions
      DefaultSession DefaultUser ErrorPageParam LoggerInstance PagesOptions Profile PublicProvider ResponseInternal
      SemverString Session SignInPageErrorParam Theme TokenSet User WarningCode WebAuthnOptionsResponseBody`),
  },
  {
    subpath: './providers',
    module: providers,
    known: [],
    ours: [],
    types:
      words(`AccountCallback AppProvider AppProviders BuiltInProviders CommonProviderOptions CredentialInput
      CredentialsConfig CredentialsProviderId CredentialsProviderType EmailConfig EmailProviderType EmailUserConfig
      OAuth2Config OAuthConfig OAuthEndpointType OAuthUserConfig OIDCConfig OIDCUserConfig ProfileCallback Provider
      ProviderId ProviderType WebAuthnConfig`),
  },
]

describe('the package', () => {
  const entries = readEntries()
  const names = exportedNames([...entries.values()].filter((file) => !file.includes('*')))

  it('DEC-01a has the subpaths of the ecosystem', () => {
    for (const { subpath } of surface) expect(entries.has(subpath), subpath).toBe(true)
    expect(entries.get('./providers/*')).toBe('src/providers/*.ts')
    for (const [subpath, file] of entries)
      expect(file, subpath).toMatch(/^(src|machines|spec)\/[\w/*.-]+\.ts$/)
  })

  it('DEC-01b has additional subpaths, which replace none', () => {
    const known = [...surface.map(({ subpath }) => subpath), './providers/*']
    const more = [...entries].filter(([subpath]) => !known.includes(subpath))
    expect(more.map(([subpath]) => subpath)).toEqual(
      expect.arrayContaining(['./adapters/memory', './machines']),
    )
    const files = known.map((subpath) => entries.get(subpath))
    for (const [subpath, file] of more) expect(files, subpath).not.toContain(file)
  })

  it('DEC-01a has the run-time exports of the ecosystem, and its own', () => {
    for (const { subpath, module, known, ours } of surface)
      expect(Object.keys(module).toSorted(), subpath).toEqual([...known, ...ours].toSorted())
  })

  it('DEC-01a exports the types of the ecosystem under their names', () => {
    for (const { subpath, types: wanted } of surface)
      expect(names.get(entries.get(subpath) ?? ''), subpath).toEqual(expect.arrayContaining(wanted))
  })

  it('DEC-01c has a provider as the default export of each subpath of providers', async () => {
    const folder = entries.get('./providers/*')?.split('*')[0] ?? ''
    const directory = new URL(`../../${folder}`, import.meta.url)
    const files = readdirSync(directory)
    expect(files.length).toBeGreaterThan(80)
    for (const name of files) {
      const exported: Readonly<Record<string, unknown>> = await import(new URL(name, directory).href)
      expect(call(exported['default']), name).toMatchObject({
        id: expect.any(String),
        name: expect.any(String),
        type: expect.stringMatching(/^(oauth|oidc|email|credentials|webauthn)$/),
      })
    }
    // The ecosystem imports the types of OAuth providers from this path.
    const others = [...entries.keys()].filter((subpath) => /^\.\/providers\/[^*]/.test(subpath))
    expect(others).toEqual(['./providers/oauth'])
    expect(Object.keys(await import('../../src/oauth-types.ts'))).toEqual([])
  })

  it('DEC-01a lists every preset in BuiltInProviders', () => {
    const [, table = ''] =
      /interface BuiltInProviders \{([^}]*)\}/.exec(readSource('provider-base/built-in-providers.ts')) ?? []
    const ids = [...table.matchAll(/^\s*'?([\w-]+)'?:/gm)].map(([, id]) => `${id}.ts`)
    const files = readdirSync(new URL('../../src/providers/', import.meta.url))
    expect(ids.toSorted()).toEqual(files.toSorted())
  })

  it('DEC-01a has the symbols of the ecosystem, all distinct', () => {
    const { customFetch, raw, skipCSRFCheck } = main
    expect([customFetch, raw, skipCSRFCheck].map((symbol) => symbol.description)).toEqual([
      'custom-fetch',
      'return-type-raw',
      'skip-csrf-check',
    ])
    for (const symbol of [customFetch, raw, skipCSRFCheck]) expect(Symbol.keyFor(symbol)).toBeUndefined()
  })

  it('DEC-01a isDate recognises a string that contains a date', () => {
    for (const text of ['2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00+02:00'])
      expect(adapters.isDate(text)).toBe(true)
    for (const other of ['2030-01-01', 'soon', '2030-13-41T99:00:00Z', 5, null, new Date()])
      expect(adapters.isDate(other)).toBe(false)
  })
})
