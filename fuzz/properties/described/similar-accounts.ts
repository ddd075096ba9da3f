import { everyOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import { describeFault } from '../../world/idp/describe-fault.ts'
import type { Fault } from '../../world/idp/faults.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { readIdsOf, readIdsOfAda, readTexts } from '../support/described.ts'

const another = { observed: 'another user' } as const
const stuck = { observed: 'a broken rule' } as const

/** Accounts with addresses that resemble that of Ada. */
const similarAddresses = [
  'address-with-tag',
  'address-with-dot',
  'address-in-full-width',
  'address-with-accent',
  'address-at-subdomain',
  'address-with-accent-in-domain',
  'address-with-invisible-letter',
  'address-before-a-null',
  'address-as-a-pattern',
  'address-within',
  'address-around',
] as const satisfies readonly Fault[]

/** Accounts whose subject resembles that of Ada at their provider. */
const similarSubjects = [
  'sub-of-ada-in-capitals',
  'sub-of-ada-after-a-space',
  'sub-of-ada-before-a-space',
  'sub-of-ada-before-a-null',
  'sub-of-ada-with-a-suffix',
  'sub-of-ada-without-its-end',
  'sub-of-ada-as-a-pattern',
  'sub-of-ada-with-an-accent',
  'sub-of-ada-in-full-width',
] as const satisfies readonly Fault[]

/** Kinds of two subjects that are different, but equal if they are cut or read as numbers. */
const subjectPairs = ['longest', 'great', 'padded', 'exponential', 'hexadecimal', 'fractional'] as const

/** Accounts with the address of Ada, which their owner did not prove. */
const unproven = [
  'unverified-address-of-ada',
  'unverified-address-in-text',
  'address-without-verification',
] as const satisfies readonly Fault[]

async function signInAda(world: World, provider: RemoteName): Promise<Browser> {
  const browser = world.browser('ada')
  await browser.signIn(provider, world.people.ada)
  return browser
}

/** Checks that the session of Ada still shows her after another user has signed in. */
async function checkKept(world: World, victim: Browser, account: string): Promise<void> {
  const shown = await victim.whoAmI()
  const isKept = shown === undefined || shown === world.people.ada.name
  const says = `after a sign-in with ${account}, the session of ada shows ${shown}`
  world.check('OI-17', isKept, says, another)
}

/** Accounts that resemble each other, or one that its user had before. */
export const similarAccountProperties: readonly Property[] = [
  property({
    proves: ['AL-01'],
    name: 'gives nobody the user of another account because of an address that is not verified',
    story:
      'An attacker enters the address of a victim at a careless provider, and is signed in as the victim.',
    advice:
      'Find users by provider and subject. Link an account by its address only if both sides verified it.',
    needs: ['description'],
    runs: 9,
    ...everyOf({ provider: remotes, address: unproven }),
    async run(world, { provider, address }) {
      const { ada, eve } = world.people
      const ids = await readIdsOfAda(world)
      if (ids.length === 0) throw new Absent('the session shows no id of the user')
      const attacker = world.browser('eve')
      world.prove(attacker, ada, provider)
      world.idps[provider].misbehave(address)
      await attacker.arrive(await attacker.visit(provider, eve))
      const taken = (await readTexts(world, attacker)).filter((each) => ids.includes(each))
      world.idps[provider].misbehave()
      const says = `an account at ${provider} with the address of ${ada.name}, which is not verified (${address.replaceAll('-', ' ')}), is the user of her account at alpha`
      world.check('AL-01', taken.length === 0, says, another)
      world.reach(address)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'takes no user for another whose address looks like theirs',
    story: 'An attacker registers the address of a victim with a tag, a dot or an accent, and is the victim.',
    advice: 'Find users by provider and subject, and remove nothing from an address before you compare it.',
    needs: ['description'],
    runs: 24,
    ...everyOf({ provider: remotes, address: similarAddresses }),
    async run(world, { provider, address }) {
      const { ada, eve } = world.people
      const ids = await readIdsOfAda(world)
      const victim = await signInAda(world, 'alpha')
      const attacker = world.browser('eve')
      world.prove(attacker, ada, provider)
      world.idps[provider].misbehave(address)
      await attacker.arrive(await attacker.visit(provider, eve))
      const isTaken = (await attacker.whoAmI()) === ada.name
      const taken = (await readTexts(world, attacker)).filter((each) => ids.includes(each))
      world.idps[provider].misbehave()
      const account = `an account at ${provider} with the ${address.replaceAll('-', ' ')}`
      const isOther = !isTaken && taken.length === 0
      world.check('OI-17', isOther, `${account} is the user ${ada.name}`, another)
      await checkKept(world, victim, account)
      world.reach(address)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'takes no user for another whose subject only resembles theirs',
    story:
      'A provider gives an attacker the subject of a victim in capitals, with a space, or with another end.',
    advice:
      'Compare subjects byte for byte and as a whole, in the database as well: many databases ignore case, accents and spaces, and cut long texts.',
    needs: ['description'],
    runs: 20,
    ...everyOf({ provider: remotes, subject: similarSubjects }),
    async run(world, { provider, subject }) {
      const { ada, eve } = world.people
      const ids = await readIdsOfAda(world, provider)
      const victim = await signInAda(world, provider)
      const attacker = world.browser('eve')
      world.prove(attacker, ada, provider)
      world.idps[provider].misbehave(subject)
      await attacker.arrive(await attacker.visit(provider, eve))
      const isTaken = (await attacker.whoAmI()) === ada.name
      const taken = (await readTexts(world, attacker)).filter((each) => ids.includes(each))
      world.idps[provider].misbehave()
      const account = `an account at ${provider} with the ${subject.replaceAll('-', ' ')}`
      const isOther = !isTaken && taken.length === 0
      world.check('OI-17', isOther, `${account} is the user ${ada.name}`, another)
      await checkKept(world, victim, account)
      world.reach(subject)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'keeps the user of an account whose address changes',
    story:
      'A user who changes the address at the provider to that of a victim gets the account of the victim.',
    advice: 'Find users by provider and subject, and never by an address of a known account.',
    needs: ['description'],
    runs: 6,
    ...everyOf({ provider: remotes, change: ['address-changed', 'address-of-bob'] }),
    async run(world, { provider, change }) {
      const { ada, bob } = world.people
      const [own, others] = [await readIdsOf(world, ada, provider), await readIdsOf(world, bob, 'alpha')]
      if (own.length === 0) throw new Absent('the session shows no id of the user')
      const browser = world.browser('ada')
      world.prove(browser, bob, provider)
      world.idps[provider].misbehave(change)
      await browser.arrive(await browser.visit(provider, ada))
      world.idps[provider].misbehave()
      const texts = await readTexts(world, browser)
      const isTaken = texts.some((each) => others.includes(each))
      const says = `an account at ${provider} that changes its address to that of ${bob.name} gets his user`
      world.check('OI-17', !isTaken, says, another)
      const isIn = (await browser.whoAmI()) !== undefined
      const isLost = isIn && !texts.some((each) => own.includes(each))
      world.check('OI-17', !isLost, `an account at ${provider} with another address is another user`, stuck)
      // The application may have stored the other address.
      await world.browser('ada').signIn(provider, ada)
      world.reach(change)
    },
  }),

  property({
    proves: ['OI-17'],
    name: 'keeps users apart whose subjects are long, or equal as numbers',
    story:
      'A column that is too short cuts subjects, or code reads them as numbers, and two users become one.',
    advice:
      'Store subjects as text, in a column for 255 characters, and refuse longer ones instead of cutting them.',
    needs: ['description'],
    runs: 3 * subjectPairs.length,
    ...everyOf({ provider: remotes, pair: subjectPairs }),
    async run(world, { provider, pair }) {
      const { ada, eve } = world.people
      const signInWith = async (fault: Fault) => {
        const browser = world.browser('eve')
        world.prove(browser, ada, provider)
        world.idps[provider].misbehave(fault)
        await browser.arrive(await browser.visit(provider, eve))
        world.idps[provider].misbehave()
        return readTexts(world, browser)
      }
      const first = await signInWith(`sub-${pair}-first`)
      const second = await signInWith(`sub-${pair}-second`)
      // What a third new user has, too, identifies nobody.
      const other = await signInWith(`sub-${pair === 'great' ? 'padded' : 'great'}-first`)
      world.assume(other.length > 0, 'a third new user cannot sign in')
      const own = first.filter((each) => !other.includes(each))
      if (own.length === 0) throw new Absent('the session shows nothing of this user')
      const isShared = own.some((each) => second.includes(each))
      const [one, two] = [describeFault(`sub-${pair}-first`), describeFault(`sub-${pair}-second`)]
      world.check('OI-17', !isShared, `${one}, ${two}, and they are one user`, another)
    },
  }),
]
