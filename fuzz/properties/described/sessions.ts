import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import { Absent, Unreached } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import type { Person, RemoteName } from '../../world/people.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy, listSessionCookies } from '../support/described.ts'
import { bitsOf } from '../support/entropy.ts'
import { guess } from '../support/guesses.ts'

const alive = { observed: 'a session' } as const

const noCookie = 'a signed-in browser does not have the session cookie of the description'

/** Sign-ins whose session ids are compared, to estimate their random bits. */
const samples = 16
const unguessable = 64

/** Returns the claims of a JSON Web Token that is not encrypted. */
function readClaims(value: string): Readonly<Record<string, unknown>> | undefined {
  const [header = '', payload = '', ...rest] = value.split('.')
  if (rest.length !== 1) return undefined
  try {
    const [head, claims] = [header, payload].map((part): unknown =>
      JSON.parse(Buffer.from(part, 'base64url').toString()),
    )
    return Reflect.has(Object(head), 'alg') ? Object(claims) : undefined
  } catch {
    return undefined
  }
}

/** Tells whether a person can sign in in a browser, whatever goes wrong. */
async function canSignIn(browser: Browser, provider: RemoteName, person: Person): Promise<boolean> {
  try {
    await browser.signIn(provider, person)
    return true
  } catch (error) {
    if (error instanceof Unreached) return false
    throw error
  }
}

/** Returns the id in a signed cookie, as Express writes it: `s:id.signature`. A signature hides how an id is made. */
function idIn(value: string): string {
  const [, id] = /^(?:s:|s%3A)([^.]+)\./i.exec(value) ?? []
  return id ?? value
}

export const describedSessionProperties: readonly Property[] = [
  property({
    proves: ['SE-01'],
    name: 'signs nobody in with the cookies from before the sign-in',
    story:
      'An attacker plants cookies in the victim’s browser. The victim signs in, and the attacker’s copies are signed in too.',
    advice: 'Generate a new session id at every sign-in, and ignore the old one from then on.',
    needs: ['custom-routes'],
    runs: 20,
    ...everyOf({ provider: remotes, planted: ['of a visitor', 'of a pending sign-in', 'of a session'] }),
    async run(world, { planted, provider }) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      await attacker.readSession()
      if (planted === 'of a pending sign-in') await attacker.start(provider)
      if (planted === 'of a session') await attacker.signIn(provider, eve)
      const victim = world.browser('ada')
      victim.restore(attacker.save())
      // The planted session is not a finding; the victim's sign-in must not change it.
      if (planted === 'of a session') world.prove(victim, eve, provider)
      await victim.arrive(await victim.visit(provider, ada))
      world.assume((await victim.whoAmI()) === ada.name, 'a sign-in with planted cookies fails')
      world.check(
        'SE-01',
        (await attacker.whoAmI()) !== ada.name,
        `the cookies ${planted} are signed in as ada, who signed in in another browser`,
        { observed: 'another user' },
      )
      world.reach(planted)
    },
  }),

  property({
    proves: ['SE-10'],
    name: 'accepts no copy of the cookies after a sign-out',
    story: 'Somebody with a copied cookie keeps using the session after its owner signs out.',
    advice: 'Delete the session on the server at sign-out, and look it up in every request.',
    needs: ['custom-routes'],
    setups: { database: { strategy: 'database' } },
    runs: 20,
    ...everyOf({ provider: remotes, reads: [0, 1, 2] }),
    async run(world, { provider, reads }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      const copies = [browser.save()]
      for (let n = 0; n < reads; n++) {
        await browser.readSession()
        copies.push(browser.save())
      }
      await browser.signOut()
      const isOut = (await browser.whoAmI()) === undefined
      world.check('SE-10', isOut, 'the browser is still signed in after its sign-out', alive)
      for (const copy of copies) {
        browser.restore(copy)
        const isRevoked = (await browser.whoAmI()) === undefined
        world.check('SE-10', isRevoked, 'a copy of the cookies is still signed in after the sign-out', alive)
      }
      // A list of users who signed out forgets one who signs in again.
      await world.browser('ada').signIn(provider, ada)
      for (const copy of copies) {
        browser.restore(copy)
        const isRevoked = (await browser.whoAmI()) === undefined
        const says = 'a copy of the cookies is signed in again after the next sign-in of its user'
        world.check('SE-10', isRevoked, says, alive)
      }
    },
  }),

  property({
    proves: ['SE-11'],
    name: 'leaves nobody signed in after a sign-out',
    story: 'On a shared computer, the next person is still signed in as the user who signed out.',
    advice: 'End the session, and delete every cookie that can open one again.',
    severity: 'session',
    needs: ['custom-routes'],
    runs: 6,
    ...everyOf({ provider: remotes, next: ['reads the session', 'opens pages', 'starts a sign-in'] }),
    async run(world, { provider, next }) {
      const browser = world.browser('ada')
      await browser.signIn(provider, world.people.ada)
      await browser.signOut()
      if (next === 'opens pages')
        await browser.send(`${describedBy(world).root}/`, { says: 'opens the front page' })
      if (next === 'starts a sign-in') await browser.start(provider)
      const isOut = (await browser.whoAmI()) === undefined
      world.check('SE-11', isOut, `ada signs out, ${next}, and is still signed in`, alive)
      world.reach(next)
    },
  }),

  property({
    proves: ['JW-04'],
    name: 'issues no session token without an expiry',
    story: 'A stolen session token works forever.',
    advice: 'Give the token an exp, and refuse tokens without one.',
    severity: 'session',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const browser = world.browser('ada')
      await browser.signIn(provider, world.people.ada)
      const claims = readClaims(describedBy(world).sessionCookie(browser.cookies()))
      if (!claims) throw new Absent('the session cookie is no JSON Web Token that anyone can read')
      const isBound = typeof claims['exp'] === 'number'
      world.check('JW-04', isBound, 'the session cookie is a token without an exp', alive)
    },
  }),

  property({
    proves: ['SE-27'],
    name: 'keeps no session cookie for longer than 400 days',
    story: 'Anyone who finds an old device is signed in.',
    advice: 'Choose a lifetime of hours or days for the cookie, and end the session on the server after it.',
    severity: 'session',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      await world.browser('ada').signIn(provider, world.people.ada)
      for (const { name, attributes } of listSessionCookies(world)) {
        const until = Date.parse(attributes.get('expires') ?? '')
        const seconds = Number(attributes.get('max-age') ?? (until - Date.now()) / 1000)
        const says = `${name} is kept for ${Math.round(seconds / 86_400)} days`
        world.check('SE-27', !(seconds > 400 * 86_400 + 60), says, alive)
      }
    },
  }),

  property({
    proves: ['SE-02'],
    name: 'ends the session that a browser held before its next sign-in',
    story: 'An attacker with a copied cookie keeps the session after its owner signs in again.',
    advice: 'Delete the session of the request when you open a new one for the same browser.',
    needs: ['custom-routes'],
    setups: { database: { strategy: 'database' } },
    runs: 6,
    ...everyOf({ provider: remotes, next: ['the same user', 'another user'] }),
    async run(world, { provider, next }) {
      const { ada, bob } = world.people
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      const copy = browser.save()
      const person = next === 'the same user' ? ada : bob
      world.prove(browser, person, provider)
      await browser.arrive(await browser.visit(provider, person))
      world.assume((await browser.whoAmI()) === person.name, 'a second sign-in in the same browser fails')
      const reader = world.browser('ada')
      reader.restore(copy)
      world.prove(reader, ada, provider)
      world.prove(reader, bob, provider)
      const isEnded = (await reader.whoAmI()) === undefined
      const says = `a copy of the cookies from before the sign-in of ${next} is still signed in`
      world.check('SE-02', isEnded, says, alive)
      world.reach(next)
    },
  }),

  property({
    proves: ['SE-24'],
    name: 'ends no session of another browser at a sign-out',
    story: 'One visitor signs out, and everybody else is signed out as well.',
    advice: 'Delete the one session whose id the request has.',
    needs: ['custom-routes'],
    severity: 'denial of service',
    runs: 6,
    ...everyOf({ provider: remotes, other: ['another user', 'a visitor who signed out before'] }),
    async run(world, { provider, other }) {
      const { ada, bob } = world.people
      const [browser, second] = [world.browser('ada'), world.browser('bob')]
      await second.signIn(provider, bob)
      const visitor = world.browser('ada')
      await browser.signIn(provider, ada)
      await (other === 'another user' ? browser : visitor).signOut()
      const isIn = (await second.whoAmI()) === bob.name
      world.check('SE-24', isIn, 'the sign-out of another browser signs bob out', { observed: 'a sign-out' })
      world.reach(other)
    },
  }),

  property({
    proves: ['RD-05'],
    name: 'lets a browser with broken cookies sign in again',
    story:
      'One bad cookie, of an older version or of another application, locks a user out until they delete it.',
    advice: 'Treat a cookie that you cannot read as missing, and replace it.',
    needs: ['custom-routes'],
    severity: 'denial of service',
    runs: 12,
    ...everyOf({
      provider: remotes,
      value: ['x', '%', '%E0%A4%A', 'null', '{}', '"', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.', 'x'.repeat(3000)],
    }),
    async run(world, { provider, value }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const pending = world.browser('ada')
      await pending.visit(provider, ada)
      await browser.signIn(provider, ada)
      const names = Object.keys({ ...pending.cookies(), ...browser.cookies() })
      for (const name of names)
        browser.setCookie(`${name}=${value}; Path=/${name.startsWith('__') ? '; Secure' : ''}`)
      const isOut = (await browser.whoAmI()) === undefined
      world.check('RD-05', isOut, `cookies ${JSON.stringify(value)} sign ada in`, {
        observed: 'another user',
      })
      const isIn = await canSignIn(browser, provider, ada)
      const says = `nobody can sign in while the cookies of the application are ${JSON.stringify(value.slice(0, 40))}`
      world.check('RD-05', isIn, says, { observed: 'a sign-out' })
      world.reach(value.slice(0, 40))
    },
  }),

  property({
    proves: ['SE-15'],
    name: 'gives every session an id that nobody can guess',
    story:
      'An attacker counts on from the id of a session that they opened, and has that of the next visitor.',
    advice: 'Generate at least 16 random bytes for each session.',
    needs: ['description'],
    severity: 'takeover',
    runs: 1,
    ...eachOf(remotes),
    async run(world, provider) {
      // A signed cookie repeats if its content does, and nobody can guess it.
      if (world.strategy === 'jwt') throw new Absent('the cookie alone is the session')
      const { ada } = world.people
      const values: string[] = []
      const words = [ada.address[provider], ada.name, `${ada.name}-at-${provider}`]
      for (let count = 0; count < samples; count++) {
        const browser = world.browser('ada')
        const from = Date.now()
        await browser.signIn(provider, ada)
        const value = describedBy(world).sessionCookie(browser.cookies())
        world.assume(value !== '', noCookie)
        values.push(value)
        const source = count < 2 ? guess(value, { from, until: Date.now(), words }) : undefined
        const says = `a session id is made of ${source}`
        world.check('SE-15', source === undefined, says, { observed: 'another user' })
      }
      const bits = Math.round(bitsOf(values.map(idIn)))
      world.check('SE-15', bits >= unguessable, `a session id has about ${bits} random bits`, {
        observed: 'another user',
      })
    },
  }),

  property({
    proves: ['SE-15'],
    name: 'gives every session a different cookie',
    story: 'An attacker guesses a session id, or shares one with the victim.',
    advice: 'Generate at least 16 random bytes for each session.',
    needs: ['custom-routes'],
    runs: 6,
    ...eachOf(remotes),
    async run(world, provider) {
      // A signed cookie repeats if its content does, and nobody can guess it.
      if (world.strategy === 'jwt') throw new Absent('the cookie alone is the session')
      const values = new Set<string>()
      for (let count = 0; count < 8; count++) {
        const browser = world.browser('ada')
        await browser.signIn(provider, world.people.ada)
        const value = describedBy(world).sessionCookie(browser.cookies())
        world.assume(value !== '', noCookie)
        const short = `a session cookie has only ${value.length} characters`
        world.check('SE-15', value.length >= 16, short, { observed: 'a broken rule' })
        world.check('SE-15', !values.has(value), 'two sign-ins have the same session cookie', alive)
        values.add(value)
      }
    },
  }),
]
