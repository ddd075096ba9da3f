import { eachOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { Sending } from '../../world/browser.ts'
import { property, type Property } from '../property.ts'
import { describedBy } from '../support/described.ts'
import { bitsOf } from '../support/entropy.ts'
import { guess } from '../support/guesses.ts'
import { tokenIn } from '../support/mailed-tokens.ts'

const opened = { observed: 'a session' } as const
const another = { observed: 'another user' } as const
const lax = { observed: 'a lax check' } as const

/** Links that are compared, to estimate their random bits. */
const samples = 16
const unguessable = 64

/** What an attacker writes instead of a token. */
const wrongLinks = {
  'without a token': () => '',
  'with another token': (token) => token.replaceAll(/[\da-z]/gi, 'x'),
  'with the beginning of a token': (token) => token.slice(0, Math.ceil(token.length / 2)),
  'with a pattern': () => '%25',
  'with the word undefined': () => 'undefined',
  'with a token in capitals': (token) => (token === token.toUpperCase() ? 'x' : token.toUpperCase()),
} satisfies Record<string, (token: string) => string>

/** Texts of a form field that careless code takes for one address and a mail program for two. */
const severalAddresses = {
  'with a comma': (victim, own) => `${own},${victim}`,
  'with a semicolon': (victim, own) => `${victim};${own}`,
  'with another recipient in a header': (victim, own) => `${victim}\r\nBcc: ${own}`,
  'with a name': (victim, own) => `"${victim}" <${own}>`,
} satisfies Record<string, (victim: string, own: string) => string>

export const describedLinkProperties: readonly Property[] = [
  property({
    proves: ['SU-01'],
    name: 'signs in only once with a mailed link',
    story: 'Someone who reads the mail later signs in with the used link.',
    advice: 'Delete the token in one atomic step, and open a session only if it was there.',
    needs: ['custom-routes'],
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
    proves: ['SU-01'],
    name: 'signs in only one of two browsers that open a mailed link at once',
    story:
      'An attacker who reads the mail opens the link in the same moment as its owner, and both are signed in.',
    advice: 'Look the token up and delete it in one atomic step.',
    needs: ['description'],
    setups: { database: { providers: ['mail'] } },
    runs: 6,
    ...eachOf(['ada', 'bob']),
    async run(world, name) {
      const person = world.people[name]
      const mail = await world.browser(name).requestLink(person.address.mail)
      const readers = [world.browser('eve'), world.browser('eve')]
      for (const reader of readers) world.prove(reader, person, 'mail')
      await Promise.all(readers.map(async (reader) => reader.followLink(mail)))
      const users = await Promise.all(readers.map(async (reader) => reader.whoAmI()))
      const signedIn = users.filter((user) => user === name).length
      world.check('SU-01', signedIn < 2, 'a link signs in two browsers that open it at once', opened)
    },
  }),

  property({
    proves: ['SU-05'],
    name: 'mails a different token in every link',
    story: 'An attacker who has received a link predicts the next one.',
    advice: 'Generate at least 16 random bytes for each link.',
    needs: ['custom-routes'],
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
      world.check('EM-02', !isTaken, `${eve.name} receives a link that signs in ${ada.name}`, another)
      const honest = world.browser('ada')
      await honest.followLink(await honest.requestLink(ada.address.mail))
      world.assume((await honest.whoAmI()) === ada.name, 'a link signs nobody in')
    },
  }),

  property({
    proves: ['SU-05'],
    name: 'mails a token that nobody can guess',
    story: 'An attacker who receives links predicts the next one, and signs in as its owner.',
    advice: 'Generate at least 16 random bytes for each link.',
    needs: ['description'],
    setups: { database: { providers: ['mail'] } },
    runs: 1,
    async run(world) {
      const { ada } = world.people
      const texts: string[] = []
      for (let count = 0; count < samples; count++) {
        const from = Date.now()
        const { link } = await world.browser('ada').requestLink(ada.address.mail)
        texts.push(`${link.pathname}${link.search}`)
        const known = { from, until: Date.now(), words: [ada.address.mail] }
        const source = count < 2 ? guess(tokenIn(link) ?? '', known) : undefined
        world.check('SU-05', source === undefined, `the token of a link is made of ${source}`, another)
      }
      const bits = Math.round(bitsOf(texts))
      world.check('SU-05', bits >= unguessable, `a mailed link has about ${bits} random bits`, {
        observed: 'another user',
      })
    },
  }),

  property({
    proves: ['SU-02'],
    name: 'signs in only the user to whom a link was mailed, whatever address it names',
    story: 'An attacker changes the address in their own link, and is the user with that address.',
    advice: 'Store the address with the token, and take the user from there.',
    needs: ['custom-routes'],
    setups: { database: { providers: ['mail'] } },
    runs: 4,
    ...eachOf(['in the place of the address', 'as a further parameter']),
    async run(world, how) {
      const { ada, eve } = world.people
      const browser = world.browser('eve')
      const mail = await browser.requestLink(eve.address.mail)
      world.prove(browser, ada, 'mail')
      world.prove(browser, eve, 'mail')
      const link = new URL(
        mail.link.href
          .replaceAll(encodeURIComponent(eve.address.mail), encodeURIComponent(ada.address.mail))
          .replaceAll(eve.address.mail, ada.address.mail),
      )
      if (how === 'as a further parameter')
        for (const name of ['email', 'mail', 'address', 'to', 'user', 'username', 'identifier', 'login'])
          link.searchParams.set(name, ada.address.mail)
      else if (link.href === mail.link.href) throw new Absent('a mailed link does not contain the address')
      await browser.followLink({ ...mail, link })
      const isTaken = (await browser.whoAmI()) === ada.name
      world.check(
        'SU-02',
        !isTaken,
        `the link of ${eve.name}, with the address of ${ada.name} ${how}, signs her in`,
        another,
      )
      const honest = world.browser('ada')
      await honest.followLink(await honest.requestLink(ada.address.mail))
      world.assume((await honest.whoAmI()) === ada.name, 'a link signs nobody in')
      world.reach(how)
    },
  }),

  property({
    proves: ['SU-13'],
    name: 'signs nobody in with a link whose token is missing or wrong',
    story:
      'An attacker opens the path of a mailed link without a token, and is the user who requested the last one.',
    advice: 'Look up exactly the token of the request, and refuse one that is empty or not a text.',
    needs: ['custom-routes'],
    setups: { database: { providers: ['mail'] } },
    runs: 6,
    ...eachOf(Object.keys(wrongLinks) as (keyof typeof wrongLinks)[]),
    async run(world, wrong) {
      const { ada } = world.people
      const owner = world.browser('ada')
      const mail = await owner.requestLink(ada.address.mail)
      const browser = world.browser('eve')
      world.prove(browser, ada, 'mail')
      const token = tokenIn(mail.link)
      if (token === undefined) throw new Absent('a mailed link has no token')
      const link = new URL(mail.link.href.replace(token, wrongLinks[wrong](token)))
      await browser.followLink({ ...mail, link })
      const isIn = (await browser.whoAmI()) !== undefined
      world.check('SU-13', !isIn, `a link ${wrong} signs in ${ada.name}`, another)
      await owner.followLink(mail)
      world.assume((await owner.whoAmI()) === ada.name, 'the link signs nobody in')
      world.reach(wrong)
    },
  }),

  property({
    proves: ['SU-10'],
    name: 'does not use up a link when a program only looks at it',
    story: 'A mail filter or a preview requests the link, and its owner is told that it was used.',
    advice: 'Use up a link only by a POST, or at least never by HEAD.',
    needs: ['custom-routes'],
    setups: { database: { providers: ['mail'] } },
    runs: 2,
    ...eachOf(['HEAD', 'OPTIONS']),
    async run(world, method) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const mail = await browser.requestLink(ada.address.mail)
      const path = `${mail.link.pathname}${mail.link.search}`
      await world.browser('eve').send(path, { method, says: 'looks at the link in the mail' })
      await browser.followLink(mail)
      const isIn = (await browser.whoAmI()) === ada.name
      world.check('SU-10', isIn, `a ${method} request uses up a link`, { observed: 'a sign-out' })
      world.reach(method)
    },
  }),

  property({
    proves: ['IL-01'],
    name: 'responds to a request for a link in the same way, whether or not the address has a user',
    story: 'An attacker finds out which addresses have an account, for phishing and guessing.',
    advice: 'Show one page for all addresses, and mail a different text to one without a user.',
    needs: ['custom-routes'],
    setups: { database: { providers: ['mail'] } },
    runs: 2,
    async run(world) {
      const { ada } = world.people
      const owner = world.browser('ada')
      await owner.followLink(await owner.requestLink(ada.address.mail))
      world.assume((await owner.whoAmI()) === ada.name, 'a link signs nobody in')
      const unknown = `nobody-${world.mailbox.mails.length}-${Date.now()}@mail.example`
      const request = async (address: string) => {
        const browser = world.browser('eve')
        const { path, sending } = await describedBy(world).mailRequest(browser, address)
        const { status, text, location } = await browser.send(path, { ...sending, says: 'requests a link' })
        const shown = `${location?.href ?? ''} ${text}`
        return `${status} ${shown.replaceAll(address, '').replaceAll(encodeURIComponent(address), '').length}`
      }
      const [known, other] = [await request(ada.address.mail), await request(unknown)]
      const says = `the response has status and length ${known} for a user, and ${other} for an unknown address`
      world.check('IL-01', known === other, says, { observed: 'a secret' })
    },
  }),

  property({
    proves: ['EM-02'],
    name: 'mails a link to one address only, however a form writes several',
    story:
      'An attacker enters two addresses in one field, and receives the link of the victim (CVE-2022-35924).',
    advice:
      'Refuse an address with a comma, a semicolon, a line break or a space, and mail to the one that you store.',
    needs: ['custom-routes'],
    setups: { database: { providers: ['mail'] } },
    runs: 4,
    ...eachOf(Object.keys(severalAddresses) as (keyof typeof severalAddresses)[]),
    async run(world, how) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      const address = severalAddresses[how](ada.address.mail, eve.address.mail)
      const { path, sending } = await describedBy(world).mailRequest(attacker, address)
      const before = world.mailbox.mails.length
      world.prove(attacker, ada, 'mail')
      await attacker.send(path, { ...sending, says: `requests a link for ${JSON.stringify(address)}` })
      const mail = await world.mailbox.waitFor(eve.address.mail, before)
      if (mail) await attacker.followLink(mail)
      const isTaken = (await attacker.whoAmI()) === ada.name
      const what = `${eve.name} receives the link for ${JSON.stringify(address)}`
      world.check('EM-02', !isTaken, `${what}, which signs in ${ada.name}`, another)
      const both = world.mailbox.mails.slice(before).some(({ to }) => to === ada.address.mail)
      world.check('EM-02', !mail || !both, `${what}, and ${ada.name} receives it as well`, lax)
      const honest = world.browser('ada')
      await honest.followLink(await honest.requestLink(ada.address.mail))
      world.assume((await honest.whoAmI()) === ada.name, 'a link signs nobody in')
      world.reach(how)
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
