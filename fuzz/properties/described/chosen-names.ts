import { everyOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy, readIdsOfAda, readTexts, readUser } from '../support/described.ts'

const another = { observed: 'another user' } as const

export const chosenNameProperties: readonly Property[] = [
  property({
    proves: ['OI-17'],
    name: 'takes no user for another because of a name that users choose at a provider',
    story:
      'An attacker enters the address of a victim as a user name at a provider, and is signed in as the victim.',
    advice:
      'Find users by provider and subject. Read an address from `email` alone, with `email_verified`: users choose `preferred_username`, `upn` and `name`.',
    severity: 'takeover',
    needs: ['description'],
    runs: 6,
    ...everyOf({ provider: remotes, account: ['names-of-ada', 'names-of-ada-without-address'] }),
    async run(world, { provider, account }) {
      const { ada, eve } = world.people
      const ids = await readIdsOfAda(world)
      const attacker = world.browser('eve')
      await attacker.signIn(provider, eve)
      const { path, sending } = describedBy(world).sessionRequest
      const { text } = await attacker.send(path, { ...sending, says: 'reads the session' })
      // A session may show names as well, if it names users by their addresses.
      if (!text.includes(eve.address[provider])) throw new Absent('the session shows no address of the user')
      const browser = world.browser('eve')
      for (const person of [ada, eve]) world.prove(browser, person, provider)
      world.idps[provider].misbehave(account)
      await browser.arrive(await browser.visit(provider, eve))
      world.idps[provider].misbehave()
      const shown = await readUser(world, browser, { says: 'reads the session' })
      const taken = (await readTexts(world, browser)).filter((each) => ids.includes(each))
      const what = account === 'names-of-ada' ? 'as a user name' : 'as a user name, and no address'
      const says = `an account at ${provider} with the address of ${ada.name} ${what} is the user ${ada.name}`
      world.check('OI-17', shown !== ada.address.alpha && taken.length === 0, says, another)
      await world.browser('eve').signIn(provider, eve)
      world.reach(account)
    },
  }),
]
