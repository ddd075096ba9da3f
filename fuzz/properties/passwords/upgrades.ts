import fc from 'fast-check'
import { type Fault, hanging, rejecting, returning, throwing } from '../../world/fault-plan.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { outdatedBy } from '../support/faults.ts'
import { runWithFault } from '../support/flows.ts'
import {
  choose,
  enter,
  longPassword,
  opens,
  receiveReset,
  setPassword,
  twoPasswords,
  withPasswords,
} from '../support/passwords.ts'

const address = 'member@mail.example'
const other = 'other@mail.example'

/** The format of the hashes that another system left behind. */
const legacyOf = (password: string) => `legacy ${password}`

/** The function by which the application compares a password with such a hash. */
const verifyLegacy = (hash: string, password: string) => hash === legacyOf(password)

/** Opens the application, whose users from another system keep their passwords. */
async function openMigrated(base: World): Promise<World> {
  const { verify } = base.plan.watch('legacy', { verify: verifyLegacy })
  const passwords = { verifyLegacy: verify, parameters: '$scrypt$ln=10,r=8,p=1' }
  return base.another({ ...withPasswords[base.strategy], passwords }, 'same')
}

function hashOf(world: World, email: string): string | undefined {
  const user = world.rows.users.find((row) => row.email === email)
  return world.rows.passwords.find(({ userId }) => userId === user?.id)?.hash
}

/** Replaces the hash of a user by one that another system has left behind. */
function migrate(world: World, email: string, password: string): void {
  const user = world.rows.users.find((row) => row.email === email)
  world.rows.passwords = world.rows.passwords.map((row) =>
    row.userId === user?.id ? { ...row, hash: legacyOf(password) } : row,
  )
}

/** What a function for old hashes does instead of returning true or false. */
const unusable: readonly Fault[] = [
  throwing,
  rejecting,
  hanging,
  ...[undefined, null, 1, 'true', {}, []].map((answer) =>
    returning(JSON.stringify(answer) ?? 'nothing', () => answer),
  ),
]

/** Hashes that a sign-in replaces. */
export const passwordUpgradeProperties: readonly Property[] = [
  property({
    proves: ['PW-03'],
    name: 'replaces an outdated hash at a sign-in with its password, and at no other attempt',
    story: 'A weak hash stays after its user has signed in, or a guess replaces the password of a user.',
    advice:
      'Compare first. Only after a match, hash the password again, and store it in place of the old hash.',
    needs: ['setup', 'store'],
    setups: withPasswords,
    runs: 20,
    parts: [{ isLegacy: true }, { isLegacy: false }],
    input: fc.record({ passwords: twoPasswords, isGuessed: fc.boolean(), isLegacy: fc.boolean() }),
    async run(base, { passwords: [right, wrong], isGuessed, isLegacy }) {
      const world = await openMigrated(base)
      await setPassword(world, other, wrong)
      // The parameters of the new hashes differ from the default.
      await setPassword(isLegacy ? world : base, address, right)
      if (isLegacy) migrate(world, address, right)
      const [outdated, theirs] = [hashOf(world, address), hashOf(world, other)]
      const guesses = [wrong, '', `${right} `, outdated ?? '', legacyOf(right)]
      for (const guess of isGuessed ? guesses : []) {
        const isIn = await opens(world, address, guess)
        world.check('PW-03', !isIn, 'a wrong password signs in the user of an outdated hash')
        const isKept = hashOf(world, address) === outdated
        world.check('PW-03', isKept, 'a wrong password replaces an outdated hash')
      }
      world.check('PW-03', await opens(world, address, right), 'the password of an outdated hash is refused')
      const renewed = hashOf(world, address)
      world.check('PW-03', renewed !== outdated, 'a sign-in leaves the outdated hash')
      world.check('PW-03', renewed?.includes(right) === false, 'a sign-in stores the password')
      world.check('PW-03', hashOf(world, other) === theirs, 'a sign-in replaces the hash of another user')
      world.check('PW-03', await opens(world, address, right), 'the password is refused after its upgrade')
      world.check(
        'PW-03',
        !(await opens(world, address, wrong)),
        'a wrong password signs in after an upgrade',
      )
      const isStable = hashOf(world, address) === renewed
      world.check('PW-03', isStable, 'a sign-in replaces a hash that is not outdated')
    },
  }),

  property({
    proves: ['PW-03'],
    name: 'keeps the password of a reset that happens while an outdated hash is replaced',
    story: 'A user resets a stolen password, and the sign-in of the thief stores it again.',
    advice: 'Replace the hash only if it is still the one that was compared.',
    needs: ['setup', 'store', 'faults'],
    setups: withPasswords,
    runs: 12,
    input: twoPasswords,
    async run(base, [stolen, chosen]) {
      const world = await openMigrated(base)
      await setPassword(world, address, stolen)
      migrate(world, address, stolen)
      const owner = world.browser('ada')
      const mail = await receiveReset(world, owner, address)
      const thief = world.browser('eve')
      await thief.csrfToken()
      let isOutdated = false
      const reset = outdatedBy(() => {
        isOutdated = true
        return choose(world, owner, mail, chosen)
      })
      world.plan.arm('store.getPassword', 0, reset)
      await enter(world, thief, address, stolen)
      world.plan.arm('none')
      world.assume(isOutdated, 'a sign-in reads no hash')
      world.check('PW-03', await opens(world, address, chosen), 'the password of the reset is gone')
      world.check('PW-03', !(await opens(world, address, stolen)), 'the old password is stored again')
    },
  }),

  property({
    proves: ['PW-03', 'PW-16'],
    name: 'signs nobody in if verifyLegacy throws or returns anything but true',
    story: 'The old hash function returns a promise, a code or nothing, and every password is right.',
    advice: 'Wait for the result, and compare it with true.',
    needs: ['setup', 'store', 'faults', 'clock'],
    setups: withPasswords,
    runs: 18,
    parts: unusable.map((fault) => ({ fault })),
    input: fc.record({ password: longPassword, fault: fc.constantFrom(...unusable) }),
    async run(base, { password, fault }) {
      const world = await openMigrated(base)
      await setPassword(world, address, password)
      migrate(world, address, password)
      const outdated = hashOf(world, address)
      const browser = world.browser()
      await browser.csrfToken()
      const go = () => enter(world, browser, address, password)
      const { reply, call, isStuck } = await runWithFault(world, { browser, go }, 'legacy', 0, fault)
      const what = `verifyLegacy ${fault.name}`
      world.check('PW-03', call !== undefined, 'an outdated hash is not verified')
      world.check('PW-03', !isStuck, `an attempt never ends if ${what}`)
      world.check('PW-03', (await browser.whoAmI()) === undefined, `somebody is signed in if ${what}`)
      world.check('PW-03', hashOf(world, address) === outdated, `the hash is replaced if ${what}`)
      world.check('PW-16', reply.status < 500, `an attempt returns ${reply.status} if ${what}`)
      world.check('PW-16', await opens(world, address, password), `the user stays locked out after ${what}`)
    },
  }),
]
