import fc from 'fast-check'
import type { IdpUser } from '../../world/idp/contract.ts'
import { property, type Property } from '../property.ts'
import { consentAs } from '../support/identities.ts'
import { freshAddress, isRefusal, stored } from '../support/outcome.ts'

/** One mailbox in many spellings. */
const spellings = [
  'ann@mail.example',
  'ANN@MAIL.EXAMPLE',
  'Ann@Mail.Example',
  ' ann@mail.example ',
  '\uff41\uff4e\uff4e@mail.example',
  'ann@mail\u3002example',
  'ann@B\u00fccher.example',
  'ann@xn--bcher-kva.example',
  'ann@bu\u0308cher.example',
  '\u00e9va@mail.example',
  'e\u0301va@mail.example',
  '\u00c9VA@mail.example',
] as const
/** An account at the provider for each spelling of the address. */
const writers: readonly IdpUser[] = spellings.map((email, at) => ({
  sub: `writer-${at}`,
  claims: { name: 'ann', email, email_verified: true },
}))
const remote = fc.constantFrom('alpha' as const, 'plain' as const)
const withWriters = stored({ idp: { alpha: { users: writers }, plain: { users: writers } } })

/** Removes a plus tag, which the library never does by default. */
function untag(identifier: string): string {
  const [local = '', domain = ''] = identifier.trim().toLowerCase().split('@')
  return `${local.split('+')[0]}@${domain}`
}

/** Refuses some addresses, in each of the ways. */
function refuseSome(identifier: string): string | undefined {
  if (identifier.startsWith('throws.')) throw new Error('This address is not allowed')
  if (identifier.startsWith('missing.')) return undefined
  return identifier.startsWith('empty.') ? '' : identifier
}

export const addressPathProperties: readonly Property[] = [
  property({
    proves: ['EM-05'],
    name: 'treats all spellings of an e-mail address alike, on every path',
    story:
      'One person ends up with two users, or an attacker’s look-alike address opens another user’s account.',
    advice: 'Canonicalise the address of a profile exactly like an address the user typed.',
    needs: ['store'],
    setups: withWriters,
    runs: 60,
    input: fc.record({ at: fc.nat(spellings.length - 1), provider: remote, isMailFirst: fc.boolean() }),
    async run(world, { at, provider, isMailFirst }) {
      const spelling = spellings[at] ?? ''
      const byMail = async () => {
        const before = world.mailbox.mails.length
        const browser = world.browser()
        await browser.start('mail', { email: spelling })
        const mail = world.mailbox.mails[before]
        world.assume(mail !== undefined, 'the typed address is refused')
        if (mail) await browser.followLink(mail)
        return mail?.to
      }
      const byProvider = async () => {
        const browser = world.browser()
        await browser.arrive(await consentAs(world, browser, provider, `writer-${at}`))
      }
      if (!isMailFirst) await byProvider()
      const first = world.rows.users[0]?.email
      const mailed = await byMail()
      if (isMailFirst) await byProvider()
      const emails = world.rows.users.map(({ email }) => email)
      world.check(
        'EM-05',
        isMailFirst || !first || first === mailed,
        `${spelling} from a profile becomes ${first}, but typed it becomes ${mailed}`,
      )
      const isOne = emails.filter((email) => Boolean(email)).length === 1
      world.check('EM-05', isOne, `spellings of ${spelling} belong to several users: ${emails.join(', ')}`)
    },
  }),
  property({
    proves: ['EM-08'],
    name: 'builds mailed links on the canonical origin, whatever host the request names',
    story:
      'An attacker requests a link for a victim with their own Host header, and the mail sends the token to the attacker.',
    advice: 'Build links from the configured origin only.',
    setups: { database: { env: { AUTH_URL: 'https://app.example/auth' } } },
    runs: 60,
    input: fc.record({
      address: freshAddress,
      origin: fc.constantFrom(
        'https://app.example',
        'https://evil.example',
        'http://app.example',
        'https://app.example:8443',
      ),
      headers: fc.record(
        {
          host: fc.constantFrom('evil.example', 'app.example:1', 'evil.example:443'),
          'x-forwarded-host': fc.constantFrom('evil.example', 'evil.example, app.example'),
          'x-forwarded-proto': fc.constantFrom('http', 'javascript', 'https,http'),
          'x-forwarded-port': fc.constant('8443'),
          forwarded: fc.constant('host=evil.example;proto=http'),
          'x-original-host': fc.constant('evil.example'),
        },
        { requiredKeys: [] },
      ),
    }),
    async run(world, { address, origin, headers }) {
      const browser = world.browser('eve')
      const csrfToken = await browser.csrfToken()
      const cookie = Object.entries(browser.cookies())
        .map(([name, value]) => `${name}=${value}`)
        .join('; ')
      const url = new URL(`${world.basePath}/signin/mail`, origin)
      const type = 'application/x-www-form-urlencoded'
      await world.send(
        new Request(url, {
          method: 'POST',
          headers: { ...headers, cookie, 'content-type': type },
          body: new URLSearchParams({ csrfToken, email: address }).toString(),
        }),
      )
      const [mail] = world.mailbox.mails
      world.assume(mail !== undefined, 'no mail was sent')
      if (mail)
        world.check('EM-08', mail.link.origin === world.origin, `the link leads to ${mail.link.origin}`)
    },
  }),
  property({
    proves: ['EM-09'],
    name: 'uses the result of a custom normaliser everywhere',
    story: 'The mail goes to a different address than the one that was looked up.',
    advice: 'Normalise once, at the start, and pass on only the result.',
    needs: ['store', 'hooks'],
    setups: stored({ provider: { mail: { normalizeIdentifier: untag } } }),
    runs: 40,
    input: fc.record({
      address: freshAddress,
      tag: fc.stringMatching(/^[a-z]{1,5}$/),
      isUpper: fc.boolean(),
    }),
    async run(world, { address, tag, isUpper }) {
      const tagged = address.replace('@', `+${tag}@`)
      const browser = world.browser()
      await browser.start('mail', { email: isUpper ? tagged.toUpperCase() : tagged })
      const [mail] = world.mailbox.mails
      world.assume(mail !== undefined, 'no mail was sent')
      if (!mail) return
      const seen = () =>
        world.recorded.callbacks.map(({ params }) => Reflect.get(Object(params.user), 'email'))
      const stages: [string, unknown][] = [
        ['the mail', mail.to],
        ['the sign-in callback', seen()[0]],
        ['the stored token', world.rows.links[0]?.identifier],
        ['the link', mail.link.searchParams.get('email')],
      ]
      await browser.followLink(mail)
      stages.push(['the second sign-in callback', seen()[1]], ['the user', world.rows.users[0]?.email])
      for (const [who, email] of stages)
        world.check('EM-09', email === address, `${who} gets ${String(email)} instead of ${address}`)
    },
  }),
  property({
    proves: ['EM-05'],
    name: 'mails no link to an address that a custom normaliser refuses',
    story: 'A site admits only the addresses of its company, and everybody else gets a link, too.',
    advice:
      'Refuse the address if the normaliser throws or returns nothing. Never fall back to a different address.',
    needs: ['hooks', 'setup'],
    setups: stored({ provider: { mail: { normalizeIdentifier: refuseSome } } }),
    runs: 10,
    input: freshAddress,
    async run(world, address) {
      const browser = world.browser()
      for (const how of ['throws', 'empty', 'missing']) {
        const reply = await browser.start('mail', { email: `${how}.${address}` })
        const to = world.mailbox.mails[0]?.to
        world.check(
          'EM-05',
          to === undefined,
          `the normaliser refuses (${how}), but a link was mailed to ${JSON.stringify(to)}`,
        )
        world.check(
          'EM-05',
          isRefusal(reply),
          `the normaliser refuses (${how}), but the response is a success`,
        )
      }
      await browser.requestLink(address)
    },
  }),
]
