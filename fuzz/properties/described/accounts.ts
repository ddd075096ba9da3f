import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import { describeFault } from '../../world/idp/describe-fault.ts'
import type { Fault } from '../../world/idp/faults.ts'
import type { Person, RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { readIdsOf, readTexts } from '../support/described.ts'

const another = { observed: 'another user' } as const

/** Failures of the userinfo endpoint. */
const outages = ['userinfo:503-json', 'userinfo:500', 'userinfo:array'] as const satisfies readonly Fault[]

export const describedAccountProperties: readonly Property[] = [
  property({
    proves: ['AL-03'],
    name: 'links no account to the user of the session, unless somebody asks for it',
    story:
      'Eve signs in with her account on a computer where Ada is signed in. From then on, Eve is Ada in every browser.',
    advice:
      'Let an ordinary sign-in replace the user of the session. Link an account only in a separate request, which the user confirms.',
    // With the routes of Auth.js, the form of a sign-in asks for it, and needs the CSRF token of the browser.
    needs: ['custom-routes'],
    runs: 6,
    ...everyOf({ provider: remotes, account: ['a new account', 'a known account'] }),
    async run(world, { provider, account }) {
      const { ada, bob } = world.people
      const ids = await readIdsOf(world, ada, provider)
      const shared = world.browser('bob')
      world.prove(shared, ada, provider)
      await shared.arrive(await shared.visit(provider, ada))
      world.assume((await shared.whoAmI()) === ada.name, 'nobody is signed in')
      if (account === 'a new account') world.idps[provider].misbehave('second-account')
      await shared.arrive(await shared.visit(provider, bob))
      // Another browser shows to whom the account belongs now.
      const fresh = world.browser('bob')
      world.prove(fresh, ada, provider)
      await fresh.arrive(await fresh.visit(provider, bob))
      world.idps[provider].misbehave()
      const shown = await fresh.whoAmI()
      world.assume(shown !== undefined, 'the second account cannot sign in')
      const isLinked =
        shown === ada.name || (await readTexts(world, fresh)).some((each) => ids.includes(each))
      const says = `${account} signs in where ${ada.name} is signed in, and is her user in every browser from then on`
      world.check('AL-03', !isLinked, says, another)
      world.reach(account)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'keeps users apart who have no address',
    story: 'An account without an address is the first user who has none either.',
    advice: 'Find users by provider and subject, and never look for an address that is missing or empty.',
    severity: 'takeover',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, bob, eve } = world.people
      const usual = await signInWith(world, ada, provider)
      const first = await signInWith(world, bob, provider, 'without-address')
      const again = await signInWith(world, bob, provider, 'without-address')
      const next = await signInWith(world, eve, provider, 'without-address')
      const ids = first.texts.filter((each) => again.texts.includes(each) && !usual.texts.includes(each))
      if (ids.length === 0) throw new Absent('an account without an address has no id in its session')
      const [taken] = ids.filter((each) => next.texts.includes(each) && each !== 'stranger')
      const says = `two accounts at ${provider} without an address are one user, ${taken}`
      world.check('OI-17', taken === undefined, says, another)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'keeps users apart who sign in while the userinfo endpoint fails',
    story:
      'Everybody who signs in during an outage of the provider gets one account, with the data of the others.',
    advice: 'Stop the sign-in if the response has no subject, and make no id of a missing value.',
    severity: 'takeover',
    needs: ['description'],
    runs: 3 * outages.length,
    ...everyOf({ provider: remotes, fault: outages }),
    async run(world, { provider, fault }) {
      const { ada, bob, eve } = world.people
      const usual = await signInWith(world, ada, provider)
      const first = await signInWith(world, bob, provider, fault)
      const next = await signInWith(world, eve, provider, fault)
      // What the application shows after a failure does not name a user.
      const failed = await signInWith(world, eve, provider, 'token:400')
      const others = [...usual.texts, ...failed.texts]
      const [shared] = first.texts.filter((each) => next.texts.includes(each) && !others.includes(each))
      const says = `bob and eve sign in at ${provider} while ${describeFault(fault)}, and are one user, ${shared}`
      world.check('OI-17', shared === undefined, says, another)
      world.reach(fault)
    },
  }),

  property({
    proves: ['AL-06'],
    name: 'gives an account no address that its provider reports later and did not verify',
    story:
      'Eve enters the address of a victim at her provider and signs in again. The application stores it as hers, and the victim cannot sign in.',
    advice: 'Keep the address with which a user registered. Replace it only by one that is verified.',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, bob } = world.people
      const ids = await readIdsOf(world, ada, provider)
      if (ids.length === 0) throw new Absent('the session shows no id of the user')
      const usual = await signInWith(world, bob, provider, 'second-account')
      world.assume(usual.shown !== undefined, 'a new account cannot sign in')
      const changed = await signInWith(world, ada, provider, 'unverified-address-of-newcomer')
      const owner = await signInWith(world, bob, provider, 'newcomer')
      // The application may have stored the other address.
      await world.browser('ada').signIn(provider, ada)
      const isMerged = owner.texts.some((each) => ids.includes(each))
      const how = `${ada.name} signs in with an address that ${provider} did not verify`
      world.check('AL-06', !isMerged, `${how}, and its owner then signs in as her user`, another)
      const isOut = owner.shown === undefined
      const isShown = changed.shown?.startsWith('newcomer@') ?? false
      const says = isShown
        ? `${how}: her session shows it, and its owner can no longer sign in`
        : `${how}, and its owner can no longer sign in`
      world.check('AL-06', !isOut, says, isShown ? another : { observed: 'a cost' })
    },
  }),
]

/** Signs a person in, whose claims have a fault, and returns what the session shows. */
async function signInWith(world: World, person: Person, provider: RemoteName, ...faults: readonly Fault[]) {
  const browser = world.browser(person.name)
  world.prove(browser, world.people.ada, provider)
  world.idps[provider].misbehave(...faults)
  await browser.arrive(await browser.visit(provider, person))
  world.idps[provider].misbehave()
  return { shown: await browser.whoAmI(), texts: await readTexts(world, browser) }
}
