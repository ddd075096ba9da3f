import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import { usersOf } from '../world/people.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { consentTo, startAt } from './support/consent.ts'
import { holdUnchanged, isSignedIn, takeStock } from './support/stock.ts'

const host = 'https://login.microsoftonline.com'
const template = `${host}/{tenantid}/v2.0`
const ours = '11111111-aaaa-4bbb-8ccc-000000000001'
const theirs = '22222222-aaaa-4bbb-8ccc-000000000002'
const of = (tenant: string) => `${host}/${tenant}/v2.0`

/** What an id_token says of its tenant and its issuer, by what is wrong with that. */
const strangers: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'an issuer elsewhere': { tid: ours, iss: 'https://evil.example' },
  'an issuer that is longer': { tid: ours, iss: `${of(ours)}.evil.example` },
  'an issuer with a slash': { tid: ours, iss: `${of(ours)}/` },
  'the issuer of another tenant': { tid: ours, iss: of(theirs) },
  'a tenant that is not the issuer’s': { tid: theirs, iss: of(ours) },
  'the template for an issuer, and no tenant': { iss: template },
  'the template for an issuer': { tid: ours, iss: template },
  'no tenant': { iss: of(ours) },
  'no tenant in both': { tid: '', iss: of('') },
  'a tenant that is no text': { tid: 7, iss: of('7') },
}
const people = ['ada', 'bob'] as const
const users = [
  ...Object.entries(strangers).map(([what, claims]) => ({
    sub: what,
    claims: { ...claims, email: 'stranger@alpha.example' },
  })),
  ...[ours, theirs].flatMap((tid) =>
    people.map((name) => ({
      sub: `${name}-of-${tid}`,
      claims: { tid, iss: of(tid), name, email: `${name}@alpha.example`, email_verified: true },
    })),
  ),
  ...usersOf('alpha'),
]

/** @param named the issuer that the metadata names */
function tenanted(issuer: string, named: string, options: Readonly<Record<string, unknown>> = {}): Setup {
  const list = 'tenants' in options ? ' of some tenants' : ''
  return {
    preset: { alpha: `microsoft-entra-id${list}` },
    provider: { alpha: { issuer, ...options } },
    idp: {
      alpha: {
        issuer,
        users,
        metadata: { issuer: named, authorization_response_iss_parameter_supported: false },
      },
    },
  }
}

const common = `${host}/common/v2.0`

const image = { 'content-type': 'image/jpeg' }

function breakOff(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(new Error('the connection is gone')) })
}

/** What the service that has the photos of people may answer. */
const photos: Readonly<Record<string, () => Response>> = {
  'a small photo': () => new Response(new Uint8Array(900), { headers: image }),
  'a photo of 300 kB': () => new Response(new Uint8Array(300_000), { headers: image }),
  'no photo': () => new Response('', { status: 404 }),
  'a failure': () => Response.json({ error: {} }, { status: 500 }),
  'a page': () => new Response('<p>', { headers: { 'content-type': 'text/html' } }),
  'a photo that breaks off': () => new Response(breakOff(), { headers: image }),
}
/** Large tenants, whose photos are with another service. */
const photographed = Object.fromEntries(
  Object.entries(photos).flatMap(([what, elsewhere]) =>
    (['jwt', 'database'] as const).map((strategy) => {
      const setup = tenanted(of(ours), of(ours))
      const idp = { ...setup.idp, beta: { issuer: 'https://graph.microsoft.com', elsewhere } }
      return [`${what}, ${strategy}`, { ...setup, strategy, providers: ['alpha'] as const, idp }] as const
    }),
  ),
)

export const tenantProperties: readonly Property[] = [
  property({
    proves: ['OI-21'],
    name: 'where all tenants are welcome, a token is one of the tenant that it names',
    story: 'Whoever has a tenant of a large provider, or none, signs in as a user of another one.',
    advice: 'Put the tenant of the token into the template, and compare the issuer with that to the letter.',
    setups: { common: tenanted(common, template) },
    runs: 40,
    input: fc.record({
      what: fc.constantFrom(...Object.keys(strangers)),
      tenant: fc.constantFrom(ours, theirs),
      name: fc.constantFrom(...people),
    }),
    async run(world, { what, tenant, name }) {
      const browser = world.browser(name)
      const before = await takeStock(world, browser)
      const url = await startAt(world, browser, 'alpha')
      await browser.arrive(await consentTo(world, 'alpha', url, what))
      await holdUnchanged(world, 'OI-21', browser, before, `an id_token has ${what}`)
      world.demand(await comeFrom(world, name, tenant), 'a user of a tenant cannot sign in')
    },
  }),

  property({
    proves: ['OI-21'],
    name: 'where one tenant is welcome, no user of another one comes in',
    story: 'Whoever has a tenant of a large provider signs in where only one company should.',
    advice: 'Compare the issuer with the configured one, and the tenant with the list that is configured.',
    setups: {
      'by its issuer': tenanted(of(ours), of(ours)),
      'by its issuer, whose metadata names none': tenanted(of(ours), template),
      'by a list': tenanted(common, template, { tenants: [ours] }),
    },
    runs: 12,
    input: fc.constantFrom(...people),
    async run(world, name) {
      const before = await comeFrom(world, name, theirs)
      world.hold('OI-21', !before, 'a user of another tenant is signed in')
      const isWelcome = await comeFrom(world, name, ours)
      world.reach(isWelcome ? 'the own tenant comes in' : 'nobody comes in')
      world.hold(
        'OI-21',
        !(await comeFrom(world, name, theirs)),
        'a user of another tenant is signed in later',
      )
    },
  }),

  property({
    proves: ['OI-15', 'OI-21'],
    name: 'metadata of a provider with many tenants names its template, and nobody else',
    story: 'A document that somebody else wrote speaks for all tenants of a large provider.',
    advice: 'Compare `issuer` of the document with the configured issuer and its template to the letter.',
    setups: Object.fromEntries(
      ['https://evil.example', `${template}/`, `${host}.evil.example/{tenantid}/v2.0`].map((named) => [
        named,
        tenanted(common, named),
      ]),
    ),
    runs: 3,
    async run(world) {
      const browser = world.browser('ada')
      const { location } = await browser.start('alpha')
      if (!location || location.origin === world.origin) return world.reach('refused from the start')
      const { parameters, mode } = await consentTo(world, 'alpha', location, 'an issuer elsewhere')
      await browser.arrive({ provider: 'alpha', parameters, mode })
      world.hold('OI-15', !(await isSignedIn(browser)), 'metadata of another issuer is used')
    },
  }),

  property({
    proves: ['FI-07'],
    name: 'whatever comes in place of a photo, its owner comes in',
    story: 'The service that has the photos is down, or somebody’s photo is large, and they can’t sign in.',
    advice: 'Take a photo for an ornament: leave out what fails, and what no cookie holds.',
    setups: photographed,
    runs: 2,
    async run(world) {
      const isIn = await comeFrom(world, 'ada', ours)
      world.hold('FI-07', isIn, 'nobody can sign in')
    },
  }),
]

/** Signs in as somebody of a tenant; do they come in? */
async function comeFrom(world: World, name: (typeof people)[number], tenant: string): Promise<boolean> {
  const browser = world.browser(name)
  const { location } = await browser.start('alpha')
  if (!location || location.origin === world.origin) return false
  world.prove(browser, world.people[name], 'alpha')
  await browser.arrive(await consentTo(world, 'alpha', location, `${name}-of-${tenant}`))
  return isSignedIn(browser)
}
