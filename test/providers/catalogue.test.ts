import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { setEnvDefaults } from '../../src/config/set-env-defaults.ts'
import type { OAuthSettings } from '../../src/config/settings.ts'
import { createStyle } from '../../src/pages/style.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { User } from '../../src/types/records.ts'
import { admitted, ending, signIn } from '../oauth/stage.ts'
import { readTexts } from '../support/read-sources.ts'
import { spread } from '../support/spread.ts'
import { catalogue, type Fact, type FactualEndpoint, federated, loadFactory } from './catalogue.ts'
import {
  answerOf,
  clientOptions,
  issuer,
  optionsOf,
  resolveOf,
  type Sent,
  stageOf,
} from './catalogue-stage.ts'
import { deviations, withoutScopes } from './deviations.ts'

describe('the catalogue', () => {
  it('PRV-002 has 104 modules with unique ids', async () => {
    expect(catalogue).toHaveLength(104)
    const ids = await Promise.all(
      catalogue.map(async (fact) => (await loadFactory(fact.module))(optionsOf(fact)).id),
    )
    expect(new Set(ids).size).toBe(104)
  })

  it('PRV-017 DEC-13a signs nobody in without an id, and says so', async () => {
    const endings = await Promise.all(
      federated
        .filter(({ type }) => type === 'oauth')
        .map(async (fact) => {
          const result = await signIn(await stageOf(fact, { answer: {}, tokens: answerOf(fact).tokens }))
          return `${fact.module} ${ending(result)}`
        }),
    )
    const refusals = /^\S+ (mapping: profile\.unusable|profile: userinfo-refused)$/
    expect(endings.filter((each) => !refusals.test(each))).toEqual([])
  })
})

describe.each(catalogue)('$module', (fact) => {
  it('DEC-01a PRV-001 PRV-002 PRV-003 has id, label, type and factory of the ecosystem', async () => {
    const make = await loadFactory(fact.module)
    expect(make.name).toBe(fact.factory)
    expect(make(optionsOf(fact))).toMatchObject({ id: fact.id, name: fact.name, type: fact.type })
  })

  it('PRV-025 keeps the options separate, and prefers them to its own data', async () => {
    const options = { id: 'mine', name: 'Mine', ...clientOptions }
    const made = (await loadFactory(fact.module))({ ...optionsOf(fact), ...options })
    expect(made.options).toMatchObject(options)
    expect(made).toMatchObject({ id: fact.id })
  })

  it('DEC-04d fills in missing options from the variables of its id', async () => {
    const name = `AUTH_${fact.id.toUpperCase().replaceAll('-', '_')}`
    const make = await loadFactory(fact.module)
    const variables = { ID: 'CID', SECRET: 'SEC', ISSUER: issuer, KEY: 'KEY' }
    const environment = Object.fromEntries(
      Object.entries(variables).map(([end, value]) => [`${name}_${end}`, value]),
    )
    const made = make({ ...optionsOf(fact), clientId: undefined, clientSecret: undefined })
    const config = { providers: needsServer.includes(fact.id) ? [made] : [make, made] }
    setEnvDefaults(environment, config as unknown as AuthConfig)
    const isFederated = fact.type === 'oauth' || fact.type === 'oidc'
    for (const provider of config.providers) {
      const { clientId, clientSecret, apiKey } = { ...provider } as Given
      expect([clientId, clientSecret]).toEqual(isFederated ? ['CID', 'SEC'] : [undefined, undefined])
      if (fact.type === 'email') expect(apiKey).toBe('KEY')
    }
  })
})

describe.each(federated)('$module', (fact) => {
  it('OI-16 has https endpoints only', async () => {
    const settings = await resolved(fact)
    const { authorization, token, userinfo, wellKnown, jwksUri } = settings
    const urls = [settings.issuer, wellKnown, jwksUri, authorization.url, token.url, userinfo.url]
    const given = urls.filter((url) => url !== undefined)
    expect(given.length).toBeGreaterThan(0)
    for (const url of given) expect(new URL(url).protocol).toBe('https:')
  })

  it("DEC-01a PRV-005 PRV-006 PRV-007 sends the same requests as the ecosystem's preset", async () => {
    expect(shapeOf(await resolved(fact))).toEqual({ ...expected(fact), ...deviations[fact.module] })
  })

  it('PRV-023 has a colour for its button that the page accepts', async () => {
    const colour = (await resolved(fact)).style.brandColor
    const wanted = fact.style?.brandColor ?? fact.style?.bg
    if (wanted !== undefined) expect(colour).toBe(wanted)
    if (colour !== undefined)
      expect(createStyle({}, '', [colour])).toContain(`--provider-brand-color:${colour}`)
  })

  it('PRV-010 PRV-012 PRV-013 PRV-017 signs in', async () => {
    const stage = await stageOf(fact)
    const { url, checks, mapped, profile } = admitted(await signIn(stage))
    const [id, name, email, image] = answerOf(fact).user
    const { candidate, account } = mapped
    expect([account.providerAccountId, candidate.name, candidate.email ?? null, candidate.image]).toEqual([
      id,
      name,
      email,
      image,
    ])
    expect(profile.email_verified).toBe(answerOf(fact).verified ?? answerOf(fact).answer.email_verified)
    expect(url.searchParams.get('scope')).toBe(scopeOf(fact, stage.provider))
    expect(url.searchParams.get('client_id')).toBe('CID')
    expect(url.searchParams.getAll('response_type')).toEqual([
      fact.module === 'azure-devops' ? 'Assertion' : 'code',
    ])
    expect(url.searchParams.get('redirect_uri')).toBe('https://app.example/auth/callback/idp')
    expect(url.searchParams.has('code_challenge')).toBe(checks.codeVerifier !== undefined)
    expect(Object.values(checks).some((value) => value !== undefined)).toBe(true)
    expectExchange(stage.provider, stage.sent)
  })

  it('TX-06 accepts only the issuer of the provider as the iss of the response', async () => {
    const other = (came: URLSearchParams) => withIssuer(came, 'https://evil.example')
    expect(ending(await signIn(await stageOf(fact), { bring: other }))).toBe('response: issuer.mismatched')
    if (!namesItself.includes(fact.module)) return
    const own = (await resolved(fact)).issuer ?? ''
    const stage = await stageOf(fact)
    expect(ending(await signIn(stage, { bring: (came) => withIssuer(came, own) }))).toBe('admitted')
  })
})

describe('profile()', () => {
  it('PRV-017 FI-07 derives text, null or nothing from any claims, and never throws', async () => {
    const cases = spread('profile() of arbitrary claims')
    const settings = await Promise.all(
      federated.map(async (fact) => ({
        claims: claimsOf(fact),
        profile: (await resolved(fact)).profile,
      })),
    )
    for (const { claims, profile } of settings)
      await fc.assert(
        fc.asyncProperty(claims, async (claim) => {
          const user = await profile(claim, {})
          cases.count(user.id === undefined ? 'without an id' : 'with an id')
          return isUser(user)
        }),
        { numRuns: 30 },
      )
    cases.report()
    cases.atLeast('with an id', 100)
    cases.atLeast('without an id', 100)
  })
})

describe('a preset', () => {
  it('DEC-01a does not load other presets', () => {
    const texts = readTexts(new URL('../../', import.meta.url), ['src/providers'])
    const presets = new Set(catalogue.map(({ module }) => `src/providers/${module}.ts`))
    for (const { module } of federated) {
      const path = `src/providers/${module}.ts`
      const others = [...reach(texts, path)].filter((each) => each !== path && presets.has(each))
      // The former name of Entra is an alias.
      expect([module, others]).toEqual([
        module,
        module === 'azure-ad' ? ['src/providers/microsoft-entra-id.ts'] : [],
      ])
    }
  })
})

/** Presets that throw without a server, as they do in the ecosystem. */
const needsServer = ['email', 'nodemailer']

/** OAuth servers that send an issuer. All OpenID servers of these tests send it. */
const namesItself = ['github', 'gitlab']

interface Given {
  readonly clientId?: string
  readonly clientSecret?: string
  readonly apiKey?: string
}

async function resolved(fact: Fact): Promise<OAuthSettings> {
  return resolveOf(await loadFactory(fact.module), optionsOf(fact))
}

/** The resolved preset, in the format of `expected`. */
function shapeOf(settings: OAuthSettings): Record<string, unknown> {
  const { authorization, token, userinfo, checks, client, idToken, type, wellKnown } = settings
  return {
    type,
    client,
    idToken,
    checks: checks.toSorted(),
    ...partsOf('authorization', authorization),
    ...partsOf('token', token),
    ...partsOf('userinfo', userinfo),
    ...(!hasOwnPlace.includes(settings.id) && { wellKnown }),
  }
}

/** Metadata from another URL than the ecosystem's, because of a slash or by design. */
const hasOwnPlace = ['auth0', 'authentik', 'netsuite']

function expected(fact: Fact): Record<string, unknown> {
  const { type, client = {}, idToken = true, wellKnown } = fact
  const checks = fact.checks ?? (type === 'oidc' ? ['pkce', 'nonce'] : ['pkce'])
  return {
    type,
    client,
    idToken,
    checks: checks.toSorted(),
    ...partsOf('authorization', fact.authorization),
    ...partsOf('token', fact.token),
    ...partsOf('userinfo', fact.userinfo),
    ...(!hasOwnPlace.includes(fact.id) && { wellKnown: wellKnown && fill(wellKnown) }),
  }
}

/** Parameters that are part of every request or have no effect. */
const common = ['client_id', 'response_type', 'redirect_uri']

function partsOf(name: string, endpoint: FactualEndpoint | undefined): Record<string, unknown> {
  const { url, params = {} } = typeof endpoint === 'string' ? { url: endpoint } : (endpoint ?? {})
  const place = url === undefined ? undefined : new URL(fill(url))
  const all = [...(place?.searchParams ?? []), ...Object.entries(params)]
    .map(([key, value]) => [key, typeof value === 'string' ? fill(value) : JSON.stringify(value)] as const)
    .filter(([key, value]) => value && !common.includes(key))
  return {
    [name]: place && `${place.origin}${place.pathname}`,
    [`${name}Params`]: all.length === 0 ? undefined : Object.fromEntries(all),
  }
}

/** The options of a template. Some have no slash after the issuer. */
function fill(template: string): string {
  return template
    .replace(/\{issuer\}(?=\w)/, `${issuer}/`)
    .replace('{issuer}', issuer)
    .replace('{accountID}', '1234567-sb1')
}

function scopeOf(fact: Fact, { authorization }: OAuthSettings): string | null {
  if (withoutScopes.includes(fact.module)) return null
  return authorization.params.scope ?? 'openid profile email'
}

/** The token request and the userinfo request, unless the preset has its own. */
function expectExchange(provider: OAuthSettings, sent: readonly Sent[]): void {
  const isPosted = provider.client.token_endpoint_auth_method === 'client_secret_post'
  const exchange = sent.find(({ body }) => body.has('code'))
  if (!provider.token.request) {
    expect(exchange?.method).toBe('POST')
    expect(exchange?.body.get('grant_type')).toBe('authorization_code')
    expect(exchange?.body.get('redirect_uri')).toBe('https://app.example/auth/callback/idp')
    expect(exchange?.body.get('client_id')).toBe(isPosted ? 'CID' : null)
    expect(exchange?.body.get('client_secret')).toBe(isPosted ? 'SEC' : null)
    expect(exchange?.headers.get('authorization')).toBe(isPosted ? null : `Basic ${btoa('CID:SEC')}`)
  }
  if (provider.type === 'oauth' && !provider.userinfo.request) {
    const last = sent.at(-1)
    expect([last?.method, last?.headers.get('authorization')]).toEqual(['GET', 'Bearer AT'])
  }
}

function withIssuer(parameters: URLSearchParams, iss: string): URLSearchParams {
  const changed = new URLSearchParams(parameters)
  changed.set('iss', iss)
  return changed
}

/** Claims with the names that the provider uses, with any value and at any depth. */
function claimsOf(fact: Fact): fc.Arbitrary<Record<string, unknown>> {
  const name = fc.constantFrom('sub', 'name', ...namesIn(answerOf(fact).answer))
  const { tree } = fc.letrec<{ tree: Record<string, unknown>; claim: unknown }>((tie) => ({
    claim: fc.oneof(
      { maxDepth: 2 },
      fc.string(),
      fc.integer(),
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('claim'), { maxLength: 3 }),
      tie('tree'),
    ),
    tree: fc.dictionary(name, tie('claim')),
  }))
  return tree
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const names = Array.isArray(value) ? [] : Object.keys(value)
  return [...names, ...Object.values(value).flatMap(namesIn)]
}

function isUser({ id, name, email, image, ...others }: User): boolean {
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const texts = [name, email, image].every((value) => value === null || isText(value))
  return texts && (id === undefined || isText(id)) && Object.keys(others).length === 0
}

/** The files that a file loads at run time. */
function reach(texts: ReadonlyMap<string, string>, path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  const imports = (texts.get(path) ?? '').matchAll(/^import (?!type )[^']*from '\.\/([\w/-]+\.ts)'/gm)
  for (const [, file] of imports) reach(texts, `src/providers/${file}`, seen)
  return seen
}
