import fc from 'fast-check'
import { opensSession } from '../../monitors/monitor.ts'
import { property, type Property } from '../property.ts'
import { freshAddress, stored } from '../support/outcome.ts'

const word = fc.stringMatching(/^[a-z]{1,8}$/)
/** Characters that NFKC turns into ones with a meaning in an address. */
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

/** Spellings of one address. */
const spellings: readonly ((address: string) => string)[] = [
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
const respelling = fc.constantFrom(...spellings)
/** Characters that NFKC changes. */
const compatibleWriting = fc.constantFrom(
  ...spellings.filter((write) => write('ann@mail.example') !== write('ann@mail.example').normalize('NFKC')),
)

/** Spellings of an address, and what is wrong with each; undefined if it is valid. */
const shapes: readonly (readonly [write: (word: string) => string, defect?: string])[] = [
  [() => '', 'without anything'],
  [(name) => name, 'without an @'],
  [(name) => `${name}@`, 'without a domain'],
  [(name) => `@${name}.example`, 'without a local part'],
  [(name) => `${name}@${name}@mail.example`, 'with two @'],
  [(name) => `${name}@mail.example.`, 'with a dot at the end'],
  [(name) => `${name}@.example`, 'with a dot at the beginning of the domain'],
  [(name) => `${name}@mail..example`, 'with an empty label'],
  [(name) => `${name}@mail_box.example`, 'with an underscore in the domain'],
  [(name) => `${name}@mail!.example`, 'with an exclamation mark in the domain'],
  [(name) => `${name}@[127.0.0.1]`, 'with an IP address as the domain'],
  [(name) => `${name}@mail/example`, 'with a slash in the domain'],
  [(name) => `${name}@mail.example:25`, 'with a port'],
  [(name) => `${name}@-mail.example`, 'with a label that begins with a hyphen'],
  [(name) => `${name}@mail-.example`, 'with a label that ends with a hyphen'],
  [(name) => `${name}@${'m'.repeat(64)}.example`, 'with a label of 64 characters'],
  [(name) => `${name.padEnd(65, 'x')}@mail.example`, 'with a local part of 65 octets'],
  [(name) => `${name}${'\u00e9'.repeat(33)}@mail.example`, 'with a local part of more than 64 octets'],
  [
    (name) => `${name.padEnd(64, 'x')}@${'m'.repeat(63)}.${'m'.repeat(63)}.${'m'.repeat(62)}`,
    'of 255 octets',
  ],
  [(name) => `${name.padEnd(64, 'x')}@mail.example`],
  [(name) => `${name.padEnd(64, 'x')}@${'m'.repeat(63)}.${'m'.repeat(63)}.${'m'.repeat(61)}`],
  [(name) => `${name}@mail-box.example`],
]

/** What is wrong with an address that can be read in two ways. */
const defects = {
  before: 'a special character before it',
  inside: 'a special character inside it',
  after: 'a special character and another address after it',
  around: 'a quoted local part',
  list: 'a second address',
  named: 'a name before it',
  group: 'a group of addresses',
  comment: 'a comment',
  encoded: 'an encoded word',
} as const

export const addressProperties: readonly Property[] = [
  property({
    proves: ['EM-01'],
    name: 'leaves a normalised address unchanged',
    story: 'An address changes each time the application normalises it, so its owner gets two users.',
    advice: 'Normalise until nothing changes, or refuse the address.',
    runs: 100,
    reaches: { mailed: 30 },
    input: fc.record({ address: freshAddress, spellings: fc.array(respelling, { maxLength: 3 }) }),
    async run(world, { address, spellings: changes }) {
      const spelling = changes.reduce((text, change) => change(text), address)
      await world.browser().start('mail', { email: spelling })
      const [first] = world.mailbox.mails.slice(-1)
      world.assume(first !== undefined, 'the address is refused')
      if (!first) return
      world.reach('mailed')
      const before = world.mailbox.mails.length
      await world.browser().start('mail', { email: first.to })
      const second = world.mailbox.mails[before]
      world.check(
        'EM-01',
        second?.to === first.to,
        `${spelling} normalises to ${first.to}, and that to ${second?.to}`,
      )
    },
  }),
  property({
    proves: ['EM-02'],
    name: 'sends mail to one mailbox only, however the address can be read',
    story: 'The mail with a victim’s link also goes to the attacker’s address.',
    advice: 'Refuse quotes, lists, comments, groups, brackets and encoded words.',
    runs: 150,
    input: fc.record({
      address: freshAddress,
      other: freshAddress,
      token: fc.constantFrom(...quoting),
      place: fc.constantFrom(
        'before',
        'inside',
        'after',
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
      const spelling = {
        before: `${token}${address}`,
        inside: `${local}${token}x@${domain}`,
        after: `${address}${token}${other}`,
        around: `"${local}"@${domain}`,
        list: `${address},${other}`,
        named: `${other} <${address}>`,
        group: `team:${address},${other};`,
        comment: `${local}(${other})@${domain}`,
        encoded: `=?utf-8?q?${local}?=@${domain}`,
      }[place]
      await world.browser().start('mail', { email: spelling })
      const [mail] = world.mailbox.mails
      // Only a mail to another address reaches another user.
      const observed = mail?.to === spelling ? 'a lax check' : 'a session'
      world.check(
        'EM-02',
        mail === undefined,
        `the address ${JSON.stringify(spelling)}, with ${defects[place]}, gets a mail, to ${JSON.stringify(mail?.to)}`,
        {
          observed,
        },
      )
      await world.browser().requestLink(address)
    },
  }),
  property({
    proves: ['EM-03'],
    name: 'refuses an address with control characters or inner white space',
    story: 'A line break in an address adds headers, and so recipients, to the mail.',
    advice: 'Refuse every control character and all inner white space.',
    runs: 120,
    input: fc.record({
      address: freshAddress,
      blank: fc.constantFrom(...blanks),
      at: fc.integer({ min: 1, max: 17 }),
      tail: fc.constantFrom('', 'bcc: eve@mail.example'),
    }),
    async run(world, { address, blank, at, tail }) {
      const spelling = `${address.slice(0, at)}${blank}${tail}${address.slice(at)}`
      await world.browser().start('mail', { email: spelling })
      const [mail] = world.mailbox.mails
      const says = `the address ${JSON.stringify(spelling)}, with white space or a control character in it, gets a mail, to ${JSON.stringify(mail?.to)}`
      const isOwn = mail?.to === spelling || mail?.to === address
      world.check('EM-03', mail === undefined, says, { observed: isOwn ? 'a lax check' : 'a session' })
      if (world.features.has('store'))
        world.check('EM-03', world.rows.links.length === 0, 'a token was stored', {
          observed: 'a broken rule',
        })
      await world.browser().requestLink(address)
    },
  }),
  property({
    proves: ['EM-04'],
    name: 'validates the same address that it looks up, stores and mails',
    story: 'A character that turns into a comma or an @ after validation redirects the mail.',
    advice: 'Normalise first, validate the result, and use that result everywhere.',
    needs: ['store', 'hooks'],
    setups: stored(),
    runs: 100,
    reaches: { mailed: 15 },
    input: fc.record({
      address: freshAddress,
      spellings: fc.array(fc.oneof(respelling, compatibleWriting), { minLength: 1, maxLength: 2 }),
      odd: fc.option(fc.constantFrom(...compatible), { freq: 2 }),
      at: fc.integer({ min: 1, max: 10 }),
    }),
    async run(world, { address, spellings: changes, odd, at }) {
      const plain = changes.reduce((text, change) => change(text), address)
      const spelling = odd === null ? plain : `${plain.slice(0, at)}${odd}${plain.slice(at)}`
      const browser = world.browser()
      await browser.start('mail', { email: spelling })
      const [mail] = world.mailbox.mails
      if (!mail) return
      world.reach('mailed')
      const { to, link } = mail
      const [call] = world.recorded.callbacks
      const uses: Readonly<Record<string, unknown>> = {
        'in the store': world.rows.links[0]?.identifier,
        'in the link': link.searchParams.get('email'),
        'in the sign-in callback': Reflect.get(Object(call?.params.user), 'email'),
      }
      for (const [place, used] of Object.entries(uses))
        world.check(
          'EM-04',
          used === to,
          `the mail goes to ${to}, but ${place} the address is ${String(used)}`,
        )
      const reply = await browser.followLink(mail)
      world.assume(opensSession(reply), 'the link does not work')
      const email = world.rows.users[0]?.email
      world.check('EM-04', email === to, `the mail went to ${to}, but the user has ${email}`)
      world.check(
        'EM-04',
        to === to.normalize('NFKC'),
        `${spelling} was mailed to ${to} without normalisation`,
      )
      // An address that is validated after normalisation is compared in its normalised form.
      const before = world.mailbox.mails.length
      await world.browser().start('mail', { email: spelling.normalize('NFKC') })
      const again = world.mailbox.mails[before]?.to
      world.check('EM-04', again === to, `${spelling} was mailed to ${to}, but normalises to ${again}`)
    },
  }),
  property({
    proves: ['EM-06'],
    name: 'mails only addresses with one local part and one host name',
    story: 'An address that the mail server parses differently gets past a rule about domains.',
    advice:
      'Require one @, a local part of at most 64 octets, 254 octets in total, and a host name of labels of at most 63 letters, digits and hyphens.',
    runs: 60,
    reaches: { 'a valid address': 10 },
    input: fc.record({
      word,
      shapes: fc.shuffledSubarray([...shapes], { minLength: 4, maxLength: 8 }),
    }),
    async run(world, { word: name, shapes: chosen }) {
      for (const [write, defect] of chosen) {
        const spelling = write(name)
        const isGood = defect === undefined
        // A mail server along the way may have lower limits.
        if (isGood && spelling.length > 100 && !world.features.has('store')) continue
        const before = world.mailbox.mails.length
        await world.browser().start('mail', { email: spelling })
        const mail = world.mailbox.mails[before]
        if (isGood) world.reach('a valid address')
        if (isGood) world.check('EM-06', mail?.to === spelling, `${spelling} is refused`)
        else world.check('EM-06', mail === undefined, `the address ${spelling}, ${defect}, gets a mail`)
      }
    },
  }),
  property({
    proves: ['EM-06'],
    name: 'mails an internationalised domain in its ASCII form, or not at all',
    story: 'Two domains look alike, or a rule compares letters differently than the mail server does.',
    advice: 'Convert the domain to punycode before any comparison.',
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
        world.check('EM-06', isHostName, `a mail went to ${to}, whose domain is not a host name`)
      }
      await world.browser().requestLink(`${name}@mail.example`)
    },
  }),
]
