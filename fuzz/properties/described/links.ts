import { eachOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { Sending } from '../../world/browser.ts'
import { property, type Property } from '../property.ts'
import { describedBy } from '../support/described.ts'

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

  property({
    proves: ['EM-02'],
    name: 'mails a link only to the address that it signs in, if a form has two',
    story: 'An attacker requests a link for two addresses, and receives that of the victim (CVE-2023-7028).',
    advice: 'Read exactly one address, refuse a form with more, and mail the link to the one that you store.',
    needs: ['description'],
    setups: { database: { providers: ['mail'] } },
    runs: 4,
    ...eachOf(['the victim first', 'the attacker first']),
    async run(world, order) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      const addresses = [ada.address.mail, eve.address.mail]
      const [first = '', second = ''] = order === 'the victim first' ? addresses : addresses.toReversed()
      const { path, sending } = await describedBy(world).mailRequest(attacker, first)
      const before = world.mailbox.mails.length
      const says = `requests a link for ${first} and ${second}`
      world.prove(attacker, ada, 'mail')
      await attacker.send(path, { ...addAddress(sending, first, second), says })
      const mail = await world.mailbox.waitFor(eve.address.mail, before)
      if (mail) await attacker.followLink(mail)
      const isTaken = (await attacker.whoAmI()) === ada.name
      world.check('EM-02', !isTaken, `${eve.name} receives a link that signs in ${ada.name}`, opened)
      const honest = world.browser('ada')
      await honest.followLink(await honest.requestLink(ada.address.mail))
      world.assume((await honest.whoAmI()) === ada.name, 'a link signs nobody in')
    },
  }),
]

/** Repeats the field with the first address for the second one; in JSON, a list has both. */
function addAddress({ form, json, ...sending }: Sending, first: string, second: string): Sending {
  if (json !== undefined) {
    const members = Object.entries({ ...json }).map(([name, value]: [string, unknown]) => [
      name,
      value === first ? [first, second] : value,
    ])
    return { ...sending, json: Object.fromEntries(members) }
  }
  if (!form) throw new Absent('the request for a link has no body')
  const fields = [...new URLSearchParams(form)].flatMap(([name, value]) =>
    value === first
      ? [
          [name, first],
          [name, second],
        ]
      : [[name, value]],
  )
  return { ...sending, form: new URLSearchParams(fields) }
}
