import fc from 'fast-check'
import { opensSession, sessionCookie } from '../../monitors/monitor.ts'
import { property, type Property } from '../property.ts'
import { freshAddress, stored, twoAddresses } from '../support/outcome.ts'
import { textsOf } from '../support/texts.ts'

/** The maximum number of random bits in a token, from the varying positions and the characters used. */
function roomOf(tokens: readonly string[]): number {
  const shortest = Math.min(...tokens.map(({ length }) => length))
  const places = Array.from({ length: shortest }, (_, at) => new Set(tokens.map((token) => token[at])).size)
  const all = tokens.join('')
  const alphabet = /^\d*$/.test(all) ? 10 : /^[\da-f-]*$/i.test(all) ? 16 : /^[\da-z]*$/.test(all) ? 36 : 64
  return places.filter((seen) => seen > 1).length * Math.log2(alphabet)
}

/** Without a rate limit, an attacker can guess a token with fewer random bits. */
const guessable = 64

const another = { observed: 'another user' } as const

const second = {
  id: 'post',
  name: 'Post',
  type: 'email',
  from: 'no-reply@app.example',
  maxAge: 86_400,
  server: {},
  options: {},
  async sendVerificationRequest() {},
}

/** Where a value of another purpose is used. */
const slots = ['state', 'pkce', 'nonce', 'csrf', 'link', 'session', 'state parameter'] as const

export const linkTokenProperties: readonly Property[] = [
  property({
    proves: ['SU-04'],
    name: 'stores nothing that can be used as a link',
    story: 'Anyone who reads the database, or a backup of it, signs in with every pending link.',
    advice: 'Store a hash of the token, keyed with the secret.',
    needs: ['store'],
    setups: stored(),
    runs: 30,
    input: fc.record({ address: freshAddress, known: fc.boolean() }),
    async run(world, { address, known }) {
      if (known) await world.browser().followLink(await world.browser().requestLink(address))
      const mail = await world.browser().requestLink(address)
      const token = mail.link.searchParams.get('token') ?? ''
      world.assume(token !== '', 'the link has no token')
      const texts = textsOf(world.rows)
      world.check('SU-04', !texts.some((text) => text.includes(token)), 'the raw token is in the store')
      const thief = world.browser('eve')
      for (const text of texts) {
        const link = new URL(mail.link)
        link.searchParams.set('token', text)
        const reply = await thief.followLink({ to: address, link })
        world.check('SU-04', !opensSession(reply), 'a stored value was accepted as a link’s token')
      }
      const owner = world.browser()
      await owner.followLink(mail)
      world.assume((await owner.whoAmI()) === address, 'the real link does not work')
    },
  }),

  property({
    proves: ['SU-05'],
    name: 'issues a unique, unguessable token for each link',
    story: 'An attacker computes or guesses the token of another user’s link.',
    advice: 'Generate at least 128 random bits for each token with the platform’s random generator.',
    runs: 12,
    input: fc.record({ pair: twoAddresses, isPaused: fc.boolean() }),
    async run(world, { pair, isPaused }) {
      const tokens: string[] = []
      for (let round = 0; round < 8; round++)
        for (const address of pair) {
          if (isPaused && world.features.has('clock')) world.advance(1)
          const { link } = await world.browser().requestLink(address)
          tokens.push(link.searchParams.get('token') ?? '')
        }
      const distinct = new Set(tokens).size
      const says = `${tokens.length} links have ${distinct} tokens`
      world.check('SU-05', distinct === tokens.length, says, another)
      if (world.capabilities.has('throttle')) return
      const room = Math.floor(roomOf(tokens))
      const meaning = room < guessable ? another : undefined
      world.check('SU-05', room >= 128, `a token has at most ${room} random bits`, meaning)
    },
  }),

  property({
    proves: ['SU-09'],
    name: 'rejects a value that was issued for another purpose',
    story: 'An attacker takes a value that anyone can get, and uses it as a session or a proof.',
    advice: 'Derive a key per purpose, and name the purpose inside the value.',
    setups: stored({ provider: { alpha: { checks: ['pkce', 'state', 'nonce'] } } }),
    runs: 70,
    reaches: { 'in a check cookie': 8, 'as a session': 1 },
    parts: slots.map((slot) => ({ slot })),
    input: fc.record({
      address: freshAddress,
      value: fc.constantFrom(
        'state',
        'pkce',
        'nonce',
        'csrf',
        'csrf token',
        'link',
        'session',
        'state parameter',
      ),
      slot: fc.constantFrom(...slots),
    }),
    async run(world, { address, value: from, slot }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const signedIn = world.browser('ada')
      await signedIn.signIn('beta', ada)
      const mail = await browser.requestLink(address)
      const arrival = await browser.visit('alpha', ada)
      const named = (cookies: Readonly<Record<string, string>>, part: RegExp) =>
        Object.entries(cookies).find(([name]) => part.test(name)) ?? ['', '']
      const parts = {
        state: /\bstate\b/,
        pkce: /pkce/,
        nonce: /nonce\b/,
        csrf: /csrf/,
        session: sessionCookie,
      } as const
      const values: Readonly<Record<string, string>> = {
        ...Object.fromEntries(
          Object.entries(parts).map(([name, part]) => [name, named(browser.cookies(), part)[1]]),
        ),
        session: named(signedIn.cookies(), sessionCookie)[1],
        'csrf token': await browser.csrfToken(),
        link: mail.link.searchParams.get('token') ?? '',
        'state parameter': arrival.parameters.get('state') ?? '',
      }
      const value = values[from] ?? ''
      world.assume(value !== '' && from !== slot && value !== values[slot], 'both values are the same')
      const put = (name: string) =>
        browser.setCookie(`${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax`)

      if (slot === 'session') {
        const [name] = named(signedIn.cookies(), sessionCookie)
        put(name)
        const { json } = await browser.readSession()
        world.reach('as a session')
        world.check('SU-09', json === null, `a value issued for ${from} is accepted as a session`)
      } else if (slot === 'link') {
        const link = new URL(mail.link)
        link.searchParams.set('token', value)
        const reply = await browser.followLink({ to: address, link })
        world.check('SU-09', !opensSession(reply), `a value issued for ${from} is accepted as a link’s token`)
      } else if (slot === 'csrf') {
        put(named(browser.cookies(), /csrf/)[0])
        const before = world.mailbox.mails.length
        await browser.send(`${world.basePath}/signin/mail`, { form: { csrfToken: value, email: address } })
        const isSent = world.mailbox.mails.length > before
        world.check('SU-09', !isSent, `a value issued for ${from} is accepted as a CSRF token`)
      } else {
        if (slot === 'state parameter') arrival.parameters.set('state', value)
        else {
          const [name] = named(browser.cookies(), parts[slot])
          world.assume(name !== '', `there is no cookie for ${slot}`)
          put(name)
        }
        await browser.arrive(arrival)
        const who = await browser.whoAmI()
        world.reach('in a check cookie')
        world.check('SU-09', who === undefined, `a value issued for ${from} is accepted as ${slot}`)
      }
      await browser.signIn('alpha', ada)
    },
  }),

  property({
    proves: ['SU-14'],
    name: 'accepts a link that was issued under an earlier secret while it is still configured',
    story: 'After a rotation of the secret, no pending link works.',
    advice: 'Look a token up under the hash of each configured secret.',
    needs: ['setup', 'store'],
    setups: { database: { config: { secret: 'the old secret of the oracle, long enough' } } },
    runs: 30,
    reaches: { 'still listed': 10 },
    input: fc.record({
      address: freshAddress,
      secrets: fc.constantFrom<readonly string[]>(
        ['new', 'old'],
        ['newest', 'new', 'old'],
        ['new'],
        ['new', 'older'],
      ),
    }),
    async run(world, { address, secrets }) {
      const mail = await world.browser().requestLink(address)
      const secret = secrets.map((name) => `the ${name} secret of the oracle, long enough`)
      const rotated = await world.another({ config: { secret } }, 'same')
      const browser = rotated.browser()
      await browser.followLink(mail)
      const isIn = (await browser.whoAmI()) === address
      const isListed = secrets.includes('old')
      if (isListed) world.reach('still listed')
      world.check('SU-14', isIn || !isListed, 'a link under a configured secret is refused')
      world.check('SU-14', !isIn || isListed, 'a link under a removed secret is accepted')
    },
  }),

  property({
    proves: ['SU-15'],
    name: 'refuses a link of another e-mail provider',
    story: 'A link of a less secure e-mail provider works for a more secure one.',
    advice: 'Include the sending provider in the stored hash of a token.',
    setups: stored({ config: { providers: [second] } }),
    runs: 30,
    input: fc.record({ address: freshAddress, known: fc.boolean() }),
    async run(world, { address, known }) {
      const browser = world.browser()
      if (known) await world.browser().followLink(await world.browser().requestLink(address))
      const mail = await browser.requestLink(address)
      const link = new URL(mail.link.href.replace('/callback/mail', '/callback/post'))
      const reply = await browser.followLink({ to: address, link })
      const isIn = opensSession(reply) || (await browser.whoAmI()) !== undefined
      world.check('SU-15', !isIn, 'a link of one e-mail provider was accepted by another')
      const fresh = await browser.requestLink(address)
      await browser.followLink(fresh)
      world.assume((await browser.whoAmI()) === address, 'the right provider rejects its link')
    },
  }),
]
