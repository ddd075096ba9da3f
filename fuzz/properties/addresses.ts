import fc from 'fast-check'
import { opensSession } from '../monitors/monitor.ts'
import { property, type Property } from './property.ts'
import { freshAddress, stored } from './support/outcome.ts'

const word = fc.stringMatching(/^[a-z]{1,8}$/)
/** Characters of which NFKC makes one that means something in an address. */
const compatible = [
  '\uff20',
  '\ufe6b',
  '\uff0c',
  '\ufe50',
  '\uff02',
  '\uff1b',
  '\uff1c',
  '\uff08',
  '\ufe52',
  '\u00a0',
]
const quoting = [
  '"',
  ',',
  ';',
  ':',
  '<',
  '>',
  '(',
  ')',
  '[',
  ']',
  '\\',
  '@',
  '=?utf-8?q?',
  '"a b"',
  '(c)',
  'a,b',
]
const blanks = [
  '\r',
  '\n',
  '\r\n',
  '\0',
  '\t',
  '\v',
  '\f',
  '\u007f',
  '\u001b',
  '\u0085',
  '\u2028',
  '\u2029',
  ' ',
  '\u3000',
  '\u00a0',
]

/** Ways to write one address down. */
const writings: readonly ((address: string) => string)[] = [
  (address) => address.toUpperCase(),
  (address) => ` ${address}`,
  (address) => `${address}\t`,
  (address) =>
    address.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(0xfee0 + (letter.codePointAt(0) ?? 0))),
  (address) => address.replace('@', '@B\u00fccher.'),
  (address) => address.replace('@', '@bu\u0308cher.'),
  (address) => address.replace('@', '@xn--bcher-kva.'),
  (address) => address.replace('@', '\u00e9@'),
  (address) => address.replace('@', 'e\u0301@'),
  (address) => address.replace('@', '\u0130@'),
  (address) => address.replace('@', '\u212a@'),
  (address) => address.replace('@', '\u017f@'),
  (address) => address.replace('@', '\ufb01@'),
  (address) => address.replace('@', '+tag@'),
  (address) => address.replace('.', '\u3002'),
]
const writing = fc.constantFrom(...writings)
/** Those that NFKC makes others of. */
const compatibleWriting = fc.constantFrom(
  ...writings.filter((write) => write('ann@mail.example') !== write('ann@mail.example').normalize('NFKC')),
)

/** Ways to write an address down, and whether it is a good one. */
const shapes: readonly (readonly [(word: string) => string, boolean])[] = [
  [() => '', false],
  [(name) => name, false],
  [(name) => `${name}@`, false],
  [(name) => `@${name}.example`, false],
  [(name) => `${name}@${name}@mail.example`, false],
  [(name) => `${name}@mail.example.`, false],
  [(name) => `${name}@.example`, false],
  [(name) => `${name}@mail..example`, false],
  [(name) => `${name}@mail_box.example`, false],
  [(name) => `${name}@mail!.example`, false],
  [(name) => `${name}@[127.0.0.1]`, false],
  [(name) => `${name}@mail/example`, false],
  [(name) => `${name}@mail.example:25`, false],
  [(name) => `${name}@-mail.example`, false],
  [(name) => `${name}@mail-.example`, false],
  [(name) => `${name}@${'m'.repeat(64)}.example`, false],
  [(name) => `${name.padEnd(65, 'x')}@mail.example`, false],
  [(name) => `${name}${'\u00e9'.repeat(33)}@mail.example`, false],
  [(name) => `${name.padEnd(64, 'x')}@${'m'.repeat(63)}.${'m'.repeat(63)}.${'m'.repeat(62)}`, false],
  [(name) => `${name.padEnd(64, 'x')}@mail.example`, true],
  [(name) => `${name.padEnd(64, 'x')}@${'m'.repeat(63)}.${'m'.repeat(63)}.${'m'.repeat(61)}`, true],
  [(name) => `${name}@mail-box.example`, true],
]

export const addressProperties: readonly Property[] = [
  property({
    proves: ['EM-01'],
    name: 'an address in its one form stays as it is',
    story: 'An address changes each time it is read, so that its owner is two people.',
    advice: 'Normalise until nothing changes, or refuse what would.',
    runs: 100,
    reaches: { mailed: 30 },
    input: fc.record({ address: freshAddress, writings: fc.array(writing, { maxLength: 3 }) }),
    async run(world, { address, writings: changes }) {
      const written = changes.reduce((text, change) => change(text), address)
      await world.browser().start('mail', { email: written })
      const [first] = world.mailbox.mails.slice(-1)
      world.demand(first !== undefined, 'the address is refused')
      if (!first) return
      world.reach('mailed')
      const before = world.mailbox.mails.length
      await world.browser().start('mail', { email: first.to })
      const second = world.mailbox.mails[before]
      world.hold('EM-01', second?.to === first.to, `${written} is ${first.to}, and that is ${second?.to}`)
    },
  }),
  property({
    proves: ['EM-02'],
    name: 'a mail goes to one mailbox, however its address is read',
    story: 'A mail to two addresses, of which one is the attacker’s, carries a victim’s link.',
    advice: 'Refuse quotes, lists, comments, groups, brackets and encoded words.',
    runs: 150,
    input: fc.record({
      address: freshAddress,
      other: freshAddress,
      token: fc.constantFrom(...quoting),
      place: fc.constantFrom(
        'before',
        'inside',
        'behind',
        'around',
        'list',
        'named',
        'group',
        'comment',
        'encoded',
      ),
    }),
    async run(world, { address, other, token, place }) {
      const [local = '', domain = ''] = address.split('@')
      const written = {
        before: `${token}${address}`,
        inside: `${local}${token}x@${domain}`,
        behind: `${address}${token}${other}`,
        around: `"${local}"@${domain}`,
        list: `${address},${other}`,
        named: `${other} <${address}>`,
        group: `team:${address},${other};`,
        comment: `${local}(${other})@${domain}`,
        encoded: `=?utf-8?q?${local}?=@${domain}`,
      }[place]
      await world.browser().start('mail', { email: written })
      const [mail] = world.mailbox.mails
      world.hold('EM-02', mail === undefined, `${written} was mailed to ${mail?.to}`)
      await world.browser().askLink(address)
    },
  }),
  property({
    proves: ['EM-03'],
    name: 'an address with a control character or white space inside is refused',
    story: 'A line break in an address adds headers to the mail, and with them readers.',
    advice: 'Refuse every control character and all inner white space.',
    runs: 120,
    input: fc.record({
      address: freshAddress,
      blank: fc.constantFrom(...blanks),
      at: fc.integer({ min: 1, max: 17 }),
      tail: fc.constantFrom('', 'bcc: eve@mail.example'),
    }),
    async run(world, { address, blank, at, tail }) {
      const written = `${address.slice(0, at)}${blank}${tail}${address.slice(at)}`
      await world.browser().start('mail', { email: written })
      const [mail] = world.mailbox.mails
      world.hold(
        'EM-03',
        mail === undefined,
        `${JSON.stringify(written)} was mailed to ${JSON.stringify(mail?.to)}`,
      )
      if (world.features.has('store'))
        world.hold('EM-03', world.rows.links.length === 0, 'a token was stored')
      await world.browser().askLink(address)
    },
  }),
  property({
    proves: ['EM-04'],
    name: 'the address that is judged is the one that is looked up, stored and mailed',
    story: 'A character that becomes a comma or an @ after the check redirects the mail.',
    advice: 'Normalise first, and judge what comes out; use that everywhere.',
    needs: ['store', 'hooks'],
    setups: stored(),
    runs: 100,
    reaches: { mailed: 15 },
    input: fc.record({
      address: freshAddress,
      writings: fc.array(fc.oneof(writing, compatibleWriting), { minLength: 1, maxLength: 2 }),
      odd: fc.option(fc.constantFrom(...compatible), { freq: 2 }),
      at: fc.integer({ min: 1, max: 10 }),
    }),
    async run(world, { address, writings: changes, odd, at }) {
      const plain = changes.reduce((text, change) => change(text), address)
      const written = odd === null ? plain : `${plain.slice(0, at)}${odd}${plain.slice(at)}`
      const browser = world.browser()
      await browser.start('mail', { email: written })
      const [mail] = world.mailbox.mails
      if (!mail) return
      world.reach('mailed')
      const { to, link } = mail
      const [asked] = world.told.callbacks
      const uses: Readonly<Record<string, unknown>> = {
        'in the store': world.rows.links[0]?.identifier,
        'in the link': link.searchParams.get('email'),
        'in the sign-in callback': Reflect.get(Object(asked?.params.user), 'email'),
      }
      for (const [place, used] of Object.entries(uses))
        world.hold('EM-04', used === to, `the mail goes to ${to}, but ${place} it is ${String(used)}`)
      const reply = await browser.followLink(mail)
      world.demand(opensSession(reply), 'the link does not work')
      const email = world.rows.users[0]?.email
      world.hold('EM-04', email === to, `the mail went to ${to}, and the user is ${email}`)
      world.hold('EM-04', to === to.normalize('NFKC'), `${written} was mailed to ${to}, as it was written`)
      // What is judged after normalisation is judged as what it becomes.
      const before = world.mailbox.mails.length
      await world.browser().start('mail', { email: written.normalize('NFKC') })
      const judged = world.mailbox.mails[before]?.to
      world.hold('EM-04', judged === to, `${written} was mailed to ${to}, and what it becomes to ${judged}`)
    },
  }),
  property({
    proves: ['EM-06'],
    name: 'only an address of one local part and one host name is mailed',
    story: 'An address that the mail server reads otherwise passes a rule about domains.',
    advice:
      'Demand one @, a local part of at most 64 octets, 254 in all, and a host name of letters, digits and hyphens.',
    runs: 60,
    reaches: { 'a good one': 10 },
    input: fc.record({
      word,
      shapes: fc.shuffledSubarray([...shapes], { minLength: 4, maxLength: 8 }),
    }),
    async run(world, { word: name, shapes: chosen }) {
      for (const [write, isGood] of chosen) {
        const written = write(name)
        // A mail server on the way may have narrower limits.
        if (isGood && written.length > 100 && !world.features.has('store')) continue
        const before = world.mailbox.mails.length
        await world.browser().start('mail', { email: written })
        const mail = world.mailbox.mails[before]
        if (isGood) world.reach('a good one')
        if (isGood) world.hold('EM-06', mail?.to === written, `${written} is refused`)
        else world.hold('EM-06', mail === undefined, `${written} was mailed to ${mail?.to}`)
      }
    },
  }),
  property({
    proves: ['EM-06'],
    name: 'a domain of other letters is mailed in its ASCII form, or not at all',
    story: 'Two domains that look alike, or a rule that compares letters which the mail server does not.',
    advice: 'Turn the domain into punycode before anything is compared.',
    runs: 40,
    input: fc.record({
      word,
      host: fc.constantFrom(
        'b\u00fccher',
        '\u0440\u0430\u0443\u0440\u0430l',
        '\u4f8b\u3048',
        'fa\u00df',
        '\ud83d\udca9',
        'stra\u00dfe',
      ),
    }),
    async run(world, { word: name, host }) {
      await world.browser().start('mail', { email: `${name}@${host}.example` })
      for (const { to } of world.mailbox.mails) {
        const isHostName = /@([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z\d-]+$/i.test(to)
        world.hold('EM-06', isHostName, `a mail went to ${to}, whose domain is no host name`)
      }
      await world.browser().askLink(`${name}@mail.example`)
    },
  }),
]
