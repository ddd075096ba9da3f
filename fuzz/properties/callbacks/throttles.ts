import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { enter, opens, setPassword } from '../support/passwords.ts'
import { isSignedIn } from '../support/sessions.ts'

/** The severity of mails over the limit: the bill, and a full mailbox. */
const flood = { observed: 'a cost' } as const
const throttled = { throttle: true } as const
const mailing: Setup = { providers: ['mail'], with: throttled }

/** Ways to write a name that stores treat as equal. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => ` ${name} `,
  (name) => name.replace('a', 'A'),
]
const spelling = fc.constantFrom(...spellings)

/** Ways to write an address that all name one mailbox. */
const addressSpelling = fc.constantFrom<(address: string) => string>(
  ...spellings,
  (address) => address.replace('a', '\uFF41'),
  (address) => address.replace('.example', '\u3002example'),
  (address) => address.replace('@m', '@\uFF2D'),
)

/** Ways to write an address whose domain is not ASCII. */
const internationalised: readonly string[] = [
  'ada@b\u00FCcher.example',
  'ada@xn--bcher-kva.example',
  'ADA@B\u00DCCHER.EXAMPLE',
  'ada@bu\u0308cher.example',
  'ada@XN--BCHER-KVA.example',
  'ada@b\u00FCcher\u3002example',
]

/** An address, and the same one in another spelling. */
const otherSpellings = {
  'in capitals': ['owner@mail.example', 'OWNER@MAIL.EXAMPLE'],
  'with an ideographic full stop': ['owner@mail.example', 'owner@mail\u3002example'],
  'with full-width letters': ['owner@mail.example', 'owner@\uFF4D\uFF41il.example'],
  'in punycode': ['owner@xn--bcher-kva.example', 'owner@b\u00FCcher.example'],
} as const

/** Ways to write the address of one client. The networks of IPv6 have 64 bits. */
const clients: Readonly<Record<string, readonly string[]>> = {
  IPv4: ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:cb00:7107'],
  IPv6: ['2001:db8:1:2::3', '2001:0DB8:0001:0002:ffff:0:0:9', '2001:db8:1:2:aaaa:bbbb:cccc:dddd'],
}

/** Headers that clients can write themselves. */
const forged = (n: number) => ({
  'x-forwarded-for': `198.51.100.${n % 250}`,
  forwarded: `for=198.51.100.${n % 250}`,
  'x-real-ip': `198.51.100.${n % 250}`,
})

/** Requests a link without waiting for a mail. */
async function requestLink(world: World, email: string, headers: Readonly<Record<string, string>>) {
  const browser = world.browser()
  const csrfToken = await browser.csrfToken()
  await browser.send(`${world.basePath}/signin/${world.idOf('mail') ?? ''}`, {
    form: { csrfToken, email },
    headers,
    says: 'requests a link',
  })
}

export const throttleProperties: readonly Property[] = [
  property({
    proves: ['SU-06', 'LM-03'],
    name: 'stops guesses of mailed tokens, whatever the guesser achieves in between',
    story: 'An attacker tries codes for an address until one is right.',
    advice: 'Count the tokens that are tried for an address, and let no other success reset the count.',
    needs: ['setup'],
    setups: { database: mailing },
    runs: 20,
    input: fc.record({
      spelled: fc.array(addressSpelling, { minLength: 10, maxLength: 14 }),
      own: fc.array(fc.nat({ max: 9 }), { maxLength: 2 }),
    }),
    async run(world, { spelled, own }) {
      const { ada, eve } = world.people
      const mail = await world.browser('ada').requestLink(ada.address.mail)
      for (const [n, spell] of spelled.entries()) {
        if (own.includes(n)) await world.browser('eve').signIn('mail', eve)
        const link = new URL(mail.link)
        link.searchParams.set('email', spell(ada.address.mail))
        link.searchParams.set('token', String(n).padStart(6, '0'))
        await world.browser('eve').followLink({ ...mail, link })
      }
      const last = world.browser('eve')
      await last.followLink(mail)
      const says = `after ${spelled.length} guesses for an address, the right one signs in`
      world.check('SU-06', !isSignedIn(await last.readSession()), says)
      world.check('LM-03', !isSignedIn(await last.readSession()), says)
      await world.browser('eve').signIn('mail', eve)
    },
  }),

  property({
    proves: ['LM-02', 'LM-03', 'LM-05'],
    name: 'limits the mails to an address, however it is written and from anywhere',
    story: 'An attacker floods a mailbox with sign-in mails, and the database with their tokens.',
    advice: 'Count requests by the normalised address, before the token is stored.',
    needs: ['setup'],
    setups: { database: mailing },
    runs: 20,
    input: fc.oneof(
      fc.array(addressSpelling, { minLength: 6, maxLength: 12 }),
      fc.array(
        fc.constantFrom(...internationalised).map((written) => () => written),
        { minLength: 6, maxLength: 12 },
      ),
    ),
    async run(world, spelled: readonly ((address: string) => string)[]) {
      const { ada, bob } = world.people
      const tokens = () => world.rows.links.length
      for (const [n, spell] of spelled.entries())
        await requestLink(world, spell(ada.address.mail), {
          ...forged(n),
          'x-client-address': `192.0.2.${n}`,
        })
      const says = (what: string, count: number) =>
        `${spelled.length} requests for an address ${what} ${count}`
      const mails = world.mailbox.mails.length
      world.check('LM-02', mails > 0 && mails <= 5, says('send mails:', mails))
      world.check('LM-03', mails <= 5, says('in different spellings send mails:', mails), flood)
      world.check('LM-05', tokens() <= 5, says('store tokens:', tokens()))
      await world.browser('bob').signIn('mail', bob)
    },
  }),

  property({
    proves: ['LM-03', 'LM-02'],
    name: 'counts all addresses of a client as one',
    story: 'An attacker with one connection has 2^64 addresses, so no limit applies.',
    advice:
      'Count IPv6 addresses by their /64, IPv4 addresses in one form, and trust no header that clients can set.',
    needs: ['setup'],
    setups: { database: mailing },
    runs: 4,
    input: fc.record({ kind: fc.constantFrom(...Object.keys(clients)), start: fc.nat({ max: 2 }) }),
    async run(world, { kind, start }) {
      const written = clients[kind] ?? []
      const from = (n: number) => written[(start + n) % written.length] ?? ''
      for (let n = 0; n < 104; n++)
        await requestLink(world, `someone-${n}@mail.example`, { ...forged(n), 'x-client-address': from(n) })
      const mails = world.mailbox.mails.length
      world.check('LM-03', mails <= 100, `104 requests of one ${kind} client send ${mails} mails`, flood)
      world.check('LM-02', mails > 5 && mails <= 100, `104 requests of a client send ${mails} mails`)
      await requestLink(world, 'other@mail.example', { 'x-client-address': '198.51.100.77' })
      world.check('LM-02', world.mailbox.mails.length === mails + 1, 'another client is limited, too')
    },
  }),

  property({
    proves: ['LM-03', 'LM-02'],
    name: 'counts no client by a header that anyone can write',
    story: 'An attacker writes the address of others into a header, and nobody there can sign in.',
    advice: 'Limit clients only if the application says where their address is.',
    needs: ['setup'],
    setups: { database: { ...mailing, with: { throttle: 'accounts' } } },
    runs: 2,
    input: fc.nat({ max: 250 }),
    async run(world, victim) {
      const headers = forged(victim)
      for (let n = 0; n < 104; n++) await requestLink(world, `someone-${n}@mail.example`, headers)
      const mails = world.mailbox.mails.length
      world.check('LM-03', mails === 104, `104 requests for different addresses send ${mails} mails`, flood)
      for (let n = 0; n < 6; n++) await requestLink(world, 'other@mail.example', headers)
      const more = world.mailbox.mails.filter(({ to }) => to === 'other@mail.example').length
      world.check('LM-02', more > 0 && more <= 5, `6 requests to an address send ${more} mails`)
    },
  }),

  property({
    proves: ['LM-03'],
    name: 'counts wrong passwords of an address together, however it is written',
    story: 'An attacker writes an address in another way for every ten guesses, and all are tried.',
    advice: 'Count by the address in the form in which you look the user up.',
    needs: ['setup'],
    setups: { database: { strategy: 'database', passwords: {}, with: throttled } },
    runs: 4,
    ...eachOf(Object.keys(otherSpellings) as (keyof typeof otherSpellings)[]),
    async run(world, kind) {
      const [address, other] = otherSpellings[kind]
      const password = 'the right password of this user'
      await setPassword(world, address, password)
      for (const spelled of [other, address])
        for (let count = 0; count < 9; count++)
          await enter(world, world.browser('eve'), spelled, `a wrong password ${count}`)
      const says = `9 wrong passwords for ${address} and 9 for ${other} leave the right one usable`
      world.check('LM-03', !(await opens(world, address, password)), says, { observed: 'a cost' })
      await setPassword(world, 'someone@mail.example', password)
    },
  }),

  property({
    proves: ['CC-09', 'LM-03'],
    name: 'counts wrong passwords that arrive at once, however the name is written',
    story: 'An attacker sends a thousand guesses in the same moment, and all are tried.',
    advice: 'Count an attempt before the password is compared, atomically.',
    needs: ['setup'],
    setups: { jwt: { strategy: 'jwt', providers: ['form'], with: throttled } },
    runs: 20,
    reaches: { 'at once': 5, 'one after the other': 5 },
    input: fc.record({
      spelled: fc.array(spelling, { minLength: 11, maxLength: 16 }),
      atOnce: fc.boolean(),
    }),
    async run(base, { spelled, atOnce }) {
      const { ada, bob } = base.people
      let tried = 0
      const authorize = ({ username, password }: Readonly<Record<string, unknown>>) => {
        tried++
        const name = String(username).trim().toLowerCase()
        const person = [ada, bob].find((each) => each.name === name && each.password === password)
        return person ? { id: person.name, name: person.name, email: person.address.form } : null
      }
      const world = await base.another(
        { strategy: 'jwt', providers: ['form'], with: throttled, provider: { form: { authorize } } },
        'own',
      )
      const guess = (spell: (name: string) => string, n: number) =>
        world.browser('eve').enterPassword({ ...ada, name: spell(ada.name) as 'ada' }, `guess ${n}`)
      if (atOnce) await Promise.all(spelled.map(guess))
      else for (const [n, spell] of spelled.entries()) await guess(spell, n)
      const says = `${spelled.length} wrong passwords are tried ${tried} times`
      world.check('CC-09', tried > 0 && tried <= 10, says)
      world.check('LM-03', tried <= 10, `in different spellings, ${says}`)
      const last = world.browser('eve')
      await last.enterPassword(ada)
      world.check(
        'CC-09',
        !isSignedIn(await last.readSession()),
        'the right password is tried after the limit',
      )
      await world.browser('bob').signIn('form', bob)
      base.reach(atOnce ? 'at once' : 'one after the other')
    },
  }),
]
