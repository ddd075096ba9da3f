import { eachOf } from '../../arbitraries/every-of.ts'
import { property, type Property } from '../property.ts'

const opened = { observed: 'a session' } as const

export const describedLinkProperties: readonly Property[] = [
  property({
    proves: ['SU-01'],
    name: 'signs in only once with a mailed link',
    story: 'Someone who reads the mail later signs in with the used link.',
    advice: 'Delete the token in one atomic step, and open a session only if it was there.',
    needs: ['description'],
    setups: { database: { providers: ['mail'] } },
    runs: 10,
    ...eachOf(['ada', 'bob']),
    async run(world, name) {
      const person = world.people[name]
      const browser = world.browser(name)
      const mail = await browser.requestLink(person.address.mail)
      await browser.followLink(mail)
      world.assume((await browser.whoAmI()) === name, 'the link signs nobody in')
      const reader = world.browser('eve')
      await reader.followLink(mail)
      world.check('SU-01', (await reader.whoAmI()) === undefined, 'a link signs in for a second time', opened)
    },
  }),

  property({
    proves: ['SU-05'],
    name: 'mails a different token in every link',
    story: 'An attacker who has received a link predicts the next one.',
    advice: 'Generate at least 16 random bytes for each link.',
    needs: ['description'],
    setups: { database: { providers: ['mail'] } },
    runs: 5,
    async run(world) {
      const { ada, bob } = world.people
      const links = new Set<string>()
      for (const person of [ada, bob, ada]) {
        const { link } = await world.browser(person.name).requestLink(person.address.mail)
        const text = `${link.pathname}${link.search}`.replaceAll(encodeURIComponent(person.address.mail), '')
        world.check('SU-05', !links.has(text), 'two links have the same token', opened)
        links.add(text)
      }
    },
  }),
]
