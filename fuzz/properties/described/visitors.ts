import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import type { Fault } from '../../world/idp/faults.ts'
import type { Person, RemoteName } from '../../world/people.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy } from '../support/described.ts'

const another = { observed: 'another user' } as const

/** Headers in which proxies and frameworks pass on the user that they have authenticated. */
const identityHeaders = [
  'x-forwarded-user',
  'x-forwarded-email',
  'x-forwarded-preferred-username',
  'x-auth-request-user',
  'x-auth-request-email',
  'x-authenticated-user',
  'x-remote-user',
  'remote-user',
  'remote_user',
  'x-user',
  'x-user-email',
  'x-webauth-user',
  'x-goog-authenticated-user-email',
  'x-ms-client-principal-name',
  'cf-access-authenticated-user-email',
  'x-amzn-oidc-identity',
  'tailscale-user-login',
  'oidc_claim_email',
  'oidc-claim-email',
] as const

/** Accounts with addresses that resemble that of Ada. */
const similarAddresses = [
  'address-with-tag',
  'address-with-dot',
  'address-in-full-width',
  'address-with-accent',
  'address-at-subdomain',
] as const satisfies readonly Fault[]

/** Texts that are shorter than this may be equal for everyone. */
const shortest = 8

/** Rounds in which the visitors read their sessions in turn, and then at the same time. */
const rounds = 2

export const describedVisitorProperties: readonly Property[] = [
  property({
    proves: ['CC-12'],
    name: 'shows each of several visitors only their own session, in any order and at the same time',
    story: 'A cache in front of the page answers one visitor with the page of the visitor before.',
    advice:
      'Answer from the session of the request alone. Cache no page that shows a user, or make the session a part of the key.',
    needs: ['description'],
    runs: 6,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, bob } = world.people
      const visitors = [ada, bob, undefined].map((person) => ({
        browser: world.browser(person?.name ?? 'eve'),
        name: person?.name,
      }))
      const check = async ({ browser, name }: (typeof visitors)[number]) => {
        const shown = (await browser.whoAmI()) ?? 'nobody'
        const says = `a browser in which ${name ?? 'nobody'} signed in shows ${shown}`
        world.check('CC-12', shown === (name ?? 'nobody'), says, name === undefined ? another : undefined)
      }
      for (const visitor of visitors) await check({ ...visitor, name: undefined })
      for (const { browser, name } of visitors)
        if (name) await browser.arrive(await browser.visit(provider, world.people[name]))
      for (let round = 0; round < rounds; round++) {
        for (const visitor of visitors) await check(visitor)
        await Promise.all(visitors.map(check))
      }
    },
  }),

  property({
    proves: ['HH-06'],
    name: 'takes the user from no header of a request',
    story: 'A client sends the header in which a proxy passes on the user, and is that user.',
    advice: 'Take the user from the session alone, or let the proxy remove the header from every request.',
    needs: ['description'],
    runs: 8,
    ...everyOf({ provider: remotes, by: ['a stranger', 'a user'] }),
    async run(world, { provider, by }) {
      const { ada, eve } = world.people
      const browser = world.browser('eve')
      if (by === 'a user') await browser.signIn(provider, eve)
      const right = by === 'a user' ? eve.name : undefined
      for (const value of [ada.address[provider], `${ada.name}-at-${provider}`]) {
        const headers = Object.fromEntries(identityHeaders.map((name) => [name, value]))
        const shown = await readUser(world, browser, headers)
        const isOwn = shown === undefined || (right !== undefined && shown === eve.address[provider])
        const says = `a request of ${by} with the headers of ${ada.name} shows ${String(shown)}`
        world.check('HH-06', isOwn, says, another)
      }
      world.check(
        'HH-06',
        (await browser.whoAmI()) === right,
        `the headers of ${ada.name} stay in the session`,
      )
      world.reach(by)
      await world.browser('ada').signIn(provider, ada)
    },
  }),

  property({
    proves: ['AL-01'],
    name: 'gives nobody the user of another account because of an address that is not verified',
    story:
      'An attacker enters the address of a victim at a careless provider, and is signed in as the victim.',
    advice:
      'Find users by provider and subject. Link an account by its address only if both sides verified it.',
    needs: ['description'],
    runs: 8,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, eve } = world.people
      const ids = await readIdsOfAda(world)
      if (ids.length === 0) throw new Absent('the session shows no id of the user')
      const attacker = world.browser('eve')
      world.prove(attacker, ada, provider)
      world.idps[provider].misbehave('unverified-address-of-ada')
      await attacker.arrive(await attacker.visit(provider, eve))
      const taken = (await readTexts(world, attacker)).filter((each) => ids.includes(each))
      world.idps[provider].misbehave()
      const says = `an account at ${provider} with the address of ${ada.name}, which is not verified, is the user of her account at alpha`
      world.check('AL-01', taken.length === 0, says, another)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'takes no user for another whose address looks like theirs',
    story: 'An attacker registers the address of a victim with a tag, a dot or an accent, and is the victim.',
    advice: 'Find users by provider and subject, and remove nothing from an address before you compare it.',
    needs: ['description'],
    runs: 10,
    ...everyOf({ provider: remotes, address: similarAddresses }),
    async run(world, { provider, address }) {
      const { ada, eve } = world.people
      const ids = await readIdsOfAda(world)
      const attacker = world.browser('eve')
      world.prove(attacker, ada, provider)
      world.idps[provider].misbehave(address)
      await attacker.arrive(await attacker.visit(provider, eve))
      const isTaken = (await attacker.whoAmI()) === ada.name
      const taken = (await readTexts(world, attacker)).filter((each) => ids.includes(each))
      world.idps[provider].misbehave()
      const says = `an account at ${provider} with the ${address.replaceAll('-', ' ')} is the user ${ada.name}`
      world.check('OI-17', !isTaken && taken.length === 0, says, another)
      world.reach(address)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'takes no user for another whose subject differs only in case',
    story: 'A provider with case-sensitive subjects gives an attacker that of a victim in capitals.',
    advice: 'Compare subjects byte for byte, in the database as well: many compare text without its case.',
    needs: ['description'],
    runs: 6,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, eve } = world.people
      const ids = await readIdsOfAda(world, provider)
      const attacker = world.browser('eve')
      world.prove(attacker, ada, provider)
      world.idps[provider].misbehave('sub-of-ada-in-capitals')
      await attacker.arrive(await attacker.visit(provider, eve))
      const isTaken = (await attacker.whoAmI()) === ada.name
      const taken = (await readTexts(world, attacker)).filter((each) => ids.includes(each))
      world.idps[provider].misbehave()
      const says = `an account at ${provider} whose subject differs only in case is the user ${ada.name}`
      world.check('OI-17', !isTaken && taken.length === 0, says, another)
    },
  }),

  property({
    proves: ['SE-01'],
    name: 'shows the user of the last sign-in, if a second user signs in in the same browser',
    story: 'Bob signs in on a shared computer, and works in the account of Ada, who forgot to sign out.',
    advice: 'Replace the user of the session at every sign-in, or refuse the sign-in with a message.',
    needs: ['description'],
    runs: 6,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, bob } = world.people
      const browser = world.browser('bob')
      world.prove(browser, ada, provider)
      const before = await browser.arrive(await browser.visit(provider, ada))
      world.assume((await browser.whoAmI()) === ada.name, 'nobody is signed in')
      const reply = await browser.arrive(await browser.visit(provider, bob))
      // A refusal leads elsewhere.
      const isWelcome = reply.status === before.status && reply.location?.href === before.location?.href
      const shown = await browser.whoAmI()
      const fresh = world.browser('bob')
      world.prove(fresh, ada, provider)
      await fresh.arrive(await fresh.visit(provider, bob))
      // An application that links accounts has given the second one to the first user.
      if ((await fresh.whoAmI()) !== bob.name) throw new Absent('a second sign-in links the account')
      const says = `${bob.name} signs in in a browser where ${ada.name} is signed in, and it shows ${shown ?? 'nobody'}`
      world.check('SE-01', !isWelcome || shown === bob.name, says)
    },
  }),
]

/** Returns the user that the response to a request with these headers shows. */
async function readUser(world: World, browser: Browser, headers: Readonly<Record<string, string>>) {
  const { sessionRequest, reading } = describedBy(world)
  const { path, sending } = sessionRequest
  const says = 'reads the session with headers that name a user'
  const reply = await browser.send(path, { ...sending, headers: { ...sending.headers, ...headers }, says })
  const user = member(reading.sessionOf(reply), 'user')
  return member(user, 'email') ?? member(user, 'name')
}

/**
 * Returns the texts by which the session of Ada at a provider identifies her: they are the same in two sessions of hers, but
 * not in that of another user.
 */
async function readIdsOfAda(world: World, provider: RemoteName = 'alpha'): Promise<readonly string[]> {
  const { ada, bob } = world.people
  const read = async (person: Person) => {
    const browser = world.browser(person.name)
    await browser.signIn(provider, person)
    return readTexts(world, browser)
  }
  const [first, second, common] = [await read(ada), await read(ada), await read(bob)]
  const shown: readonly string[] = [ada.address[provider], ada.name, `${ada.name}-at-${provider}`]
  return first.filter((each) => second.includes(each) && !common.includes(each) && !shown.includes(each))
}

/** Returns the longer texts in the JSON that shows who is signed in. */
async function readTexts(world: World, browser: Browser): Promise<readonly string[]> {
  const { path, sending } = describedBy(world).sessionRequest
  const { json } = await browser.send(path, { ...sending, says: 'reads the session' })
  return textsIn(json).filter((text) => text.length >= shortest)
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
