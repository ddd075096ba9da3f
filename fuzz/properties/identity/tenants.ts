import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import { usersOf } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, startAt } from '../support/consent.ts'
import { consentAs, weighLink } from '../support/identities.ts'
import { checkUnchanged, isSignedIn, takeSnapshot } from '../support/snapshot.ts'

const host = 'https://login.microsoftonline.com'
const template = `${host}/{tenantid}/v2.0`
const ours = '11111111-aaaa-4bbb-8ccc-000000000001'
const theirs = '22222222-aaaa-4bbb-8ccc-000000000002'
/** Ada's mailbox, as an administrator of another tenant types it. */
const victim = 'ada@mail.example'
const of = (tenant: string) => `${host}/${tenant}/v2.0`

/** Defects in an id_token's tenant and issuer. */
const strangers: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'an issuer on another host': { tid: ours, iss: 'https://evil.example' },
  'an issuer with a longer host': { tid: ours, iss: `${of(ours)}.evil.example` },
  'an issuer with a slash': { tid: ours, iss: `${of(ours)}/` },
  'the issuer of another tenant': { tid: ours, iss: of(theirs) },
  'a tenant that is not the issuer’s': { tid: theirs, iss: of(ours) },
  'the template as issuer, and no tenant': { iss: template },
  'the template as issuer': { tid: ours, iss: template },
  'no tenant': { iss: of(ours) },
  'an empty tenant in both': { tid: '', iss: of('') },
  'a number as tenant': { tid: 7, iss: of('7') },
}
const people = ['ada', 'bob'] as const

/** Issuers that are not the template of Microsoft Entra ID. */
const otherIssuers = ['https://evil.example', `${template}/`, `${host}.evil.example/{tenantid}/v2.0`]

/** What Microsoft Entra ID says about the domain of an address that its owner did not confirm. */
const unchecked = [undefined, false, 'false', 0, '0']
const users = [
  ...Object.entries(strangers).map(([what, claims]) => ({
    sub: what,
    claims: { ...claims, email: 'stranger@alpha.example' },
  })),
  ...otherIssuers.map((iss) => ({ sub: `of ${iss}`, claims: { tid: ours, iss, email: 'it@alpha.example' } })),
  ...unchecked.map((verdict, n) => ({
    sub: `claiming-${n}`,
    claims: { tid: theirs, iss: of(theirs), name: 'eve', email: victim, xms_edov: verdict },
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

function truncate(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(new Error('the connection broke')) })
}

/** Responses of the photo service. */
const photos: Readonly<Record<string, () => Response>> = {
  'a small photo': () => new Response(new Uint8Array(900), { headers: image }),
  'a photo of 300 kB': () => new Response(new Uint8Array(300_000), { headers: image }),
  'no photo': () => new Response('', { status: 404 }),
  'a failure': () => Response.json({ error: {} }, { status: 500 }),
  'a page': () => new Response('<p>', { headers: { 'content-type': 'text/html' } }),
  'a truncated photo': () => new Response(truncate(), { headers: image }),
}
/** Large tenants, whose photos another service hosts. */
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
    name: 'accepts a token only from the tenant it names, if all tenants are allowed',
    story: 'Anyone with a tenant of a large provider, or none, signs in as a user of another tenant.',
    advice: 'Insert the token’s tenant into the issuer template, and compare the issuer exactly.',
    setups: { common: tenanted(common, template) },
    runs: 40,
    input: fc.record({
      what: fc.constantFrom(...Object.keys(strangers)),
      tenant: fc.constantFrom(ours, theirs),
      name: fc.constantFrom(...people),
    }),
    async run(world, { what, tenant, name }) {
      const browser = world.browser(name)
      const before = await takeSnapshot(world, browser)
      const url = await startAt(world, browser, 'alpha')
      await browser.arrive(await consentTo(world, 'alpha', url, what))
      await checkUnchanged(world, 'OI-21', browser, before, `an id_token has ${what}`)
      world.assume(await signInFrom(world, name, tenant), 'a user of a tenant cannot sign in')
    },
  }),

  property({
    proves: ['OI-21'],
    name: 'rejects users of every other tenant, if one tenant is allowed',
    story: 'Anyone with a tenant of a large provider signs in where only one company should.',
    advice: 'Compare the issuer with the configured one, and the tenant with the configured list.',
    setups: {
      'by its issuer': tenanted(of(ours), of(ours)),
      'by its issuer, with the template as metadata': tenanted(of(ours), template),
      'by a list': tenanted(common, template, { tenants: [ours] }),
    },
    runs: 12,
    ...eachOf(people),
    async run(world, name) {
      const before = await signInFrom(world, name, theirs)
      world.check('OI-21', !before, 'a user of another tenant is signed in')
      const isAllowed = await signInFrom(world, name, ours)
      world.reach(isAllowed ? 'the allowed tenant signs in' : 'nobody can sign in')
      world.check(
        'OI-21',
        !(await signInFrom(world, name, theirs)),
        'a user of another tenant is signed in after one of the allowed tenant',
      )
    },
  }),

  property({
    proves: ['OI-21'],
    name: 'rejects a token without a tenant, if a list of tenants is configured',
    story: 'A token that names no tenant skips the list.',
    advice: 'Refuse every token whose tenant is not in the list, and every token without a tenant.',
    setups: {
      'all tenants': tenanted(common, template, { tenants: [theirs] }),
      'the issuer of another tenant': tenanted(of(ours), of(ours), { tenants: [theirs] }),
    },
    runs: 2,
    async run(world) {
      for (const sub of ['no tenant', `ada-of-${ours}`]) {
        const isIn = await signInAs(world, 'ada', sub)
        world.check('OI-21', !isIn, `somebody is signed in with ${sub}, who is of no tenant in the list`)
      }
    },
  }),

  property({
    proves: ['OI-15', 'OI-21'],
    name: 'accepts multi-tenant metadata only if it names its own issuer template',
    story: 'Another host’s metadata applies to all tenants of a large provider.',
    advice: 'Compare the document’s `issuer` with the configured issuer and its template exactly.',
    setups: Object.fromEntries(otherIssuers.map((named) => [named, tenanted(common, named)])),
    runs: 4,
    ...eachOf([`ada-of-${ours}`, ...otherIssuers.map((issuer) => `of ${issuer}`)]),
    async run(world, sub) {
      const isIn = await signInAs(world, 'ada', sub)
      for (const id of ['OI-15', 'OI-21'] as const)
        world.check(id, !isIn, 'somebody is signed in with metadata of another issuer')
    },
  }),

  property({
    proves: ['AL-09', 'AL-01'],
    name: 'links no account by an address that the administrator of any tenant can enter',
    story: 'An attacker opens a tenant, gives a user of it a victim’s address, and signs in as the victim.',
    advice: 'If all tenants are allowed, link only addresses whose domain the provider says it has checked.',
    needs: ['store'],
    setups: { common: tenanted(common, template, { allowDangerousEmailAccountLinking: true }) },
    runs: 15,
    input: fc.nat({ max: unchecked.length - 1 }),
    async run(world, n) {
      await world.browser('ada').signIn('mail', world.people.ada)
      const attacker = world.browser('eve')
      await attacker.arrive(await consentAs(world, attacker, 'alpha', `claiming-${n}`))
      const [owner] = world.rows.users
      const linked = world.rows.accounts.filter(({ userId }) => userId === owner?.id)
      // Without the claim, the provider says nothing about the address.
      const id = unchecked[n] === undefined ? 'AL-09' : 'AL-01'
      const gain = await weighLink(world, attacker, 'alpha')
      world.check(
        id,
        linked.length === 0,
        `an address with xms_edov ${String(unchecked[n])} was linked`,
        gain,
      )
    },
  }),

  property({
    proves: ['FI-07'],
    name: 'lets a user sign in whatever the photo service returns',
    story: 'The photo service is down, or a photo is large, and the user cannot sign in.',
    advice: 'Treat a photo as optional: omit it if the request fails or a cookie cannot hold it.',
    severity: 'denial of service',
    setups: photographed,
    runs: 2,
    async run(world) {
      const isIn = await signInFrom(world, 'ada', ours)
      world.check('FI-07', isIn, 'nobody can sign in')
    },
  }),
]

/** Signs in as a user of a tenant, and returns whether it worked. */
function signInFrom(world: World, name: (typeof people)[number], tenant: string): Promise<boolean> {
  return signInAs(world, name, `${name}-of-${tenant}`)
}

/** Signs in as a user of the provider, and returns whether it worked. */
async function signInAs(world: World, name: (typeof people)[number], sub: string): Promise<boolean> {
  const browser = world.browser(name)
  const { location } = await browser.start('alpha')
  if (!location || location.origin === world.origin) return false
  world.prove(browser, world.people[name], 'alpha')
  await browser.arrive(await consentTo(world, 'alpha', location, sub))
  return isSignedIn(browser)
}
