import fc from 'fast-check'
import { opensSession, sessionCookie } from '../monitors/monitor.ts'
import { losing, rejecting, throwing } from '../world/fault-plan.ts'
import { property, type Property } from './property.ts'
import { freshAddress, isRefusal, stored, twoAddresses } from './support/outcome.ts'
import { textsOf } from './support/texts.ts'

/** Bits that a token could carry at most, judged by the places at which tokens differ and the characters they use. */
function roomOf(tokens: readonly string[]): number {
  const shortest = Math.min(...tokens.map(({ length }) => length))
  const places = Array.from({ length: shortest }, (_, at) => new Set(tokens.map((token) => token[at])).size)
  const all = tokens.join('')
  const alphabet = /^\d*$/.test(all) ? 10 : /^[\da-f-]*$/i.test(all) ? 16 : /^[\da-z]*$/.test(all) ? 36 : 64
  return places.filter((seen) => seen > 1).length * Math.log2(alphabet)
}

/** What the sign-in callback does at which step, told by the address. */
const outcomes = ['false', 'throw', 'undefined'] as const
const refusing = {
  callbacks: {
    signIn({ user, email }: { user: { email: string }; email?: { verificationRequest?: boolean } }) {
      const step = email?.verificationRequest ? 'ask' : 'use'
      if (user.email.startsWith(`${step}-throw`)) throw new Error('not today')
      if (user.email.startsWith(`${step}-undefined`)) return undefined
      return !user.email.startsWith(`${step}-false`)
    },
  },
}

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

export const linkTokenProperties: readonly Property[] = [
  property({
    proves: ['SU-04'],
    name: 'nothing that is stored can be used as a link',
    story: 'Whoever reads the database, or a backup of it, signs in as everybody with a pending link.',
    advice: 'Store a hash of the token, keyed with the secret.',
    needs: ['store'],
    setups: stored(),
    runs: 30,
    input: fc.record({ address: freshAddress, known: fc.boolean() }),
    async run(world, { address, known }) {
      if (known) await world.browser().followLink(await world.browser().askLink(address))
      const mail = await world.browser().askLink(address)
      const token = mail.link.searchParams.get('token') ?? ''
      world.demand(token !== '', 'the link has no token')
      const texts = textsOf(world.rows)
      world.hold('SU-04', !texts.some((text) => text.includes(token)), 'the raw token is in the store')
      const thief = world.browser('eve')
      for (const text of texts) {
        const link = new URL(mail.link)
        link.searchParams.set('token', text)
        const reply = await thief.followLink({ to: address, link })
        world.hold('SU-04', !opensSession(reply), 'a stored value was taken as a link’s token')
      }
      const owner = world.browser()
      await owner.followLink(mail)
      world.demand((await owner.whoAmI()) === address, 'the real link does not work')
    },
  }),
  property({
    proves: ['SU-05'],
    name: 'no two links have the same token, and nobody guesses one',
    story: 'An attacker computes or guesses the token of a link that they did not get.',
    advice: 'Draw at least 128 bits from the random generator of the platform for each token.',
    runs: 12,
    input: fc.record({ pair: twoAddresses, isPaused: fc.boolean() }),
    async run(world, { pair, isPaused }) {
      const tokens: string[] = []
      for (let round = 0; round < 8; round++)
        for (const address of pair) {
          if (isPaused && world.features.has('clock')) world.pass(1)
          const { link } = await world.browser().askLink(address)
          tokens.push(link.searchParams.get('token') ?? '')
        }
      const distinct = new Set(tokens).size
      world.hold('SU-05', distinct === tokens.length, `${tokens.length} links have ${distinct} tokens`)
      if (world.capabilities.has('throttle')) return
      const room = Math.floor(roomOf(tokens))
      world.hold('SU-05', room >= 128, `a token has room for no more than ${room} random bits`)
    },
  }),
  property({
    proves: ['SU-09'],
    name: 'a value that was made for one purpose is refused for every other',
    story: 'An attacker takes a value that anybody can get, and passes it off as a session or a proof.',
    advice: 'Derive the key of each kind of value from what it is for, and name the purpose inside.',
    setups: stored({ provider: { alpha: { checks: ['pkce', 'state', 'nonce'] } } }),
    runs: 70,
    reaches: { 'in a check cookie': 8, 'as a session': 1 },
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
      slot: fc.constantFrom('state', 'pkce', 'nonce', 'csrf', 'link', 'session', 'state parameter'),
    }),
    async run(world, { address, value: from, slot }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const signedIn = world.browser('ada')
      await signedIn.signIn('beta', ada)
      const mail = await browser.askLink(address)
      const arrival = await browser.visit('alpha', ada)
      const named = (cookies: Readonly<Record<string, string>>, part: RegExp) =>
        Object.entries(cookies).find(([name]) => part.test(name)) ?? ['', '']
      const parts = {
        state: /\bstate$/,
        pkce: /pkce/,
        nonce: /nonce$/,
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
      world.demand(value !== '' && from !== slot && value !== values[slot], 'these two are one')
      const put = (name: string) =>
        browser.setCookie(`${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax`)

      if (slot === 'session') {
        const [name] = named(signedIn.cookies(), sessionCookie)
        put(name)
        const { json } = await browser.readSession()
        world.reach('as a session')
        world.hold('SU-09', json === null, `a value made for ${from} is taken for a session`)
      } else if (slot === 'link') {
        const link = new URL(mail.link)
        link.searchParams.set('token', value)
        const reply = await browser.followLink({ to: address, link })
        world.hold('SU-09', !opensSession(reply), `a value made for ${from} is taken for a link’s token`)
      } else if (slot === 'csrf') {
        put(named(browser.cookies(), /csrf/)[0])
        const before = world.mailbox.mails.length
        await browser.send(`${world.basePath}/signin/mail`, { form: { csrfToken: value, email: address } })
        const isSent = world.mailbox.mails.length > before
        world.hold('SU-09', !isSent, `a value made for ${from} is taken for a CSRF token`)
      } else {
        if (slot === 'state parameter') arrival.parameters.set('state', value)
        else put(named(browser.cookies(), parts[slot])[0])
        await browser.arrive(arrival)
        const who = await browser.whoAmI()
        world.reach('in a check cookie')
        world.hold('SU-09', who === undefined, `a value made for ${from} is taken for ${slot}`)
      }
      await browser.signIn('alpha', ada)
    },
  }),
  property({
    proves: ['SU-11'],
    name: 'no mail goes out before its token is kept, and a mail that fails is no success',
    story: 'People get links that never worked, or are told to look for a mail that nobody sent.',
    advice: 'Store the token, then send; when sending fails, take it back and answer with an error.',
    needs: ['faults', 'store'],
    setups: stored(),
    runs: 60,
    reaches: { 'the store fails': 8, 'the mail fails': 8, 'nothing fails': 4 },
    input: fc.record({
      address: freshAddress,
      place: fc.constantFrom('store.createVerificationToken', 'mail', 'nowhere'),
      fault: fc.constantFrom(throwing, rejecting, losing),
    }),
    async run(world, { address, place, fault }) {
      const browser = world.browser()
      const kept: number[] = []
      if (place === 'nowhere') {
        const apply = (work: () => unknown) => (kept.push(world.rows.links.length), work())
        world.plan.arm('mail', 0, { name: 'looks', apply })
        await browser.askLink(address)
        world.reach('nothing fails')
        return world.hold('SU-11', kept[0] === 1, 'the mail was sent before its token was stored')
      }
      world.plan.arm(place, 0, fault)
      const reply = await browser.start('mail', { email: address })
      world.plan.arm('none')
      const [mail] = world.mailbox.mails
      if (place !== 'mail') {
        world.reach('the store fails')
        return world.hold('SU-11', !mail || world.rows.links.length > 0, 'a mail went out without a token')
      }
      world.reach('the mail fails')
      world.hold('SU-11', isRefusal(reply), 'the browser was told that all is well, but sending failed')
      if (!mail) return
      const shown = reply.location ? await browser.send(reply.location.href) : reply
      await browser.followLink(mail)
      const isUsable = (await browser.whoAmI()) === address
      const isToldToRetry = /again|retry|later/i.test(shown.text)
      world.hold('SU-11', !isUsable || isToldToRetry, 'sending failed, and the link works all the same')
    },
  }),
  property({
    proves: ['SU-12'],
    name: 'whom the sign-in callback refuses gets no mail, and leaves nothing behind',
    story: 'Somebody who may not sign in fills the store, bombs a mailbox, or is half signed in.',
    advice: 'Ask the callback before anything is stored or sent, and again before a user is made.',
    needs: ['store'],
    setups: stored({ config: refusing }),
    runs: 60,
    reaches: { ask: 12, use: 12 },
    input: fc.record({
      rest: freshAddress,
      step: fc.constantFrom('ask', 'use', 'none'),
      outcome: fc.constantFrom(...outcomes),
    }),
    async run(world, { rest, step, outcome }) {
      const address = `${step}-${outcome}-${rest}`
      const browser = world.browser()
      world.reach(step)
      if (step === 'ask') {
        const reply = await browser.start('mail', { email: address })
        world.hold('SU-12', world.mailbox.mails.length === 0, 'a mail was sent')
        world.hold('SU-12', textsOf(world.rows).length === 0, 'something was stored')
        world.hold('SU-12', isRefusal(reply), 'nothing was refused')
        return
      }
      const reply = await browser.followLink(await browser.askLink(address))
      if (step === 'none') return world.demand((await browser.whoAmI()) === address, 'nobody may sign in')
      world.hold('SU-12', !opensSession(reply) && (await browser.whoAmI()) === undefined, 'it signed in')
      world.hold('SU-12', world.rows.users.length === 0, 'a user was created')
      world.hold('SU-12', world.rows.sessions.length === 0, 'a session was created')
      world.hold('SU-12', isRefusal(reply), 'nothing was refused')
    },
  }),
  property({
    proves: ['SU-14'],
    name: 'a link outlives the rotation of the secret that it was issued under',
    story: 'On the day of a rotation every link that is on its way stops working.',
    advice: 'Look a token up under the hash of each secret that is still listed.',
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
      const mail = await world.browser().askLink(address)
      const secret = secrets.map((name) => `the ${name} secret of the oracle, long enough`)
      const rotated = await world.another({ config: { secret } }, 'same')
      const browser = rotated.browser()
      await browser.followLink(mail)
      const isIn = (await browser.whoAmI()) === address
      const isListed = secrets.includes('old')
      if (isListed) world.reach('still listed')
      world.hold('SU-14', isIn || !isListed, 'a link under a listed secret is refused')
      world.hold('SU-14', !isIn || isListed, 'a link under a secret that nobody lists any more is taken')
    },
  }),
  property({
    proves: ['SU-15'],
    name: 'a link of one e-mail provider is refused by another',
    story: 'A link of a weaker kind of mail is passed off as one that opens more.',
    advice: 'Let the stored hash of a token cover the provider that sent it.',
    setups: stored({ config: { providers: [second] } }),
    runs: 30,
    input: fc.record({ address: freshAddress, known: fc.boolean() }),
    async run(world, { address, known }) {
      const browser = world.browser()
      if (known) await world.browser().followLink(await world.browser().askLink(address))
      const mail = await browser.askLink(address)
      const link = new URL(mail.link.href.replace('/callback/mail', '/callback/post'))
      const reply = await browser.followLink({ to: address, link })
      const isIn = opensSession(reply) || (await browser.whoAmI()) !== undefined
      world.hold('SU-15', !isIn, 'a link of one e-mail provider was taken by another')
      const fresh = await browser.askLink(address)
      await browser.followLink(fresh)
      world.demand((await browser.whoAmI()) === address, 'the right provider takes no link')
    },
  }),
]
