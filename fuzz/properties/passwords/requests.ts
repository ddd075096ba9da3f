import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import { rejecting } from '../../world/fault-plan.ts'
import { property, type Property } from '../property.ts'
import { freshAddress, twoAddresses } from '../support/outcome.ts'
import {
  enter,
  longPassword,
  opens,
  requestReset,
  seenIn,
  setPassword,
  withPasswords,
} from '../support/passwords.ts'
import { refuses } from '../support/sessions.ts'

const refusals = ['no CSRF token', 'signIn denies', 'signIn redirects', 'the mail fails', 'the store fails']

/** Properties of requests for a link: the response, the recipient of the mail, and the target of the link. */
export const passwordRequestProperties: readonly Property[] = [
  property({
    proves: ['PW-02', 'PW-07'],
    name: 'responds in the same way, whether or not an address has a user with a password',
    story: 'Anyone can find out who has an account by trying to sign in or to reset the password.',
    advice: 'Do the same work and give the same response for an unknown address.',
    setups: { ...withPasswords, 'numeric ids': { ...withPasswords.database, store: 'numeric ids' } },
    runs: 40,
    reaches: { 'sign-in': 8, reset: 8 },
    input: fc.record({
      addresses: twoAddresses,
      password: longPassword,
      guess: fc.string({ maxLength: 30 }),
      attempt: fc.constantFrom('sign-in', 'reset'),
      hasPassword: fc.boolean(),
    }),
    async run(world, { addresses: [known, unknown], password, guess, attempt, hasPassword }) {
      world.assume(guess.normalize('NFC') !== password.normalize('NFC'), 'the guess is right')
      // A link for a password does not count, because the other address gets such a link.
      const owner = world.browser()
      await owner.followLink(await owner.requestLink(known))
      await setPassword(world, known, password)
      if (!hasPassword) world.rows.passwords = []
      const results = []
      for (const address of [known, unknown]) {
        const browser = world.browser('eve')
        await browser.csrfToken()
        world.plan.arm('store')
        const reply = await (attempt === 'reset'
          ? requestReset(world, browser, address)
          : enter(world, browser, address, guess))
        const calls = [...world.plan.calls]
        world.plan.arm('none')
        results.push({ seen: seenIn(reply), calls: calls.join(' ') })
      }
      const [one, other] = results
      const id = attempt === 'reset' ? 'PW-07' : 'PW-02'
      world.check(id, one?.seen === other?.seen, `${one?.seen} for a user, but ${other?.seen} for nobody`)
      world.check(id, one?.calls === other?.calls, `${one?.calls} for a user, but ${other?.calls} for nobody`)
      world.check(id, !(await opens(world, unknown, guess)), 'somebody signed in without a password')
      world.reach(attempt)
    },
  }),

  property({
    proves: ['PW-07', 'CB-02'],
    name: 'refuses a request for a link in the same way whether or not the address has a user, and mails nothing',
    story: 'The application refuses resets for a while, and the responses reveal who has an account.',
    advice: 'Let neither a refusal of signIn nor a failing mail server depend on whether there is a user.',
    needs: ['setup', 'faults', 'hooks'],
    setups: withPasswords,
    runs: 30,
    reaches: Object.fromEntries(refusals.map((why) => [why, 2])),
    parts: refusals.map((why) => ({ why })),
    input: fc.record({
      addresses: twoAddresses,
      password: longPassword,
      why: fc.constantFrom(...refusals),
      // Not the later queries: a database may reject the invented id with which they are sent for nobody.
      at: fc.constantFrom(0, 1),
    }),
    async run(base, { addresses: [known, unknown], password, why, at }) {
      let answer: boolean | string = true
      const signIn = ({ email }: { email?: object }) => email === undefined || answer
      const setup: Setup = withPasswords[base.strategy]
      const world = await base.another(
        { ...setup, config: { ...setup.config, callbacks: { signIn } } },
        'own',
      )
      await setPassword(world, known, password)
      const mails = world.mailbox.mails.length
      if (why === 'signIn denies') answer = false
      if (why === 'signIn redirects') answer = '/elsewhere'
      const seen = []
      for (const address of [known, unknown]) {
        const browser = world.browser('eve')
        const csrfToken = why === 'no CSRF token' ? 'invalid' : await browser.csrfToken()
        if (why === 'the mail fails') world.plan.arm('mail', 0, rejecting)
        if (why === 'the store fails') world.plan.arm('store', at, rejecting)
        const reply = await browser.send(`${world.basePath}/password/password`, {
          form: { csrfToken, email: address },
          says: `requests a link for the password of ${address}`,
        })
        const isHit = world.plan.calls[at] !== undefined
        world.plan.end()
        world.plan.arm('none')
        if (why === 'the store fails' && !isHit) return
        world.check(
          'PW-07',
          refuses(reply) || reply.location?.pathname === '/elsewhere',
          `${why}, and a link is promised`,
        )
        seen.push(seenIn(reply))
      }
      const [one, other] = seen
      world.check('PW-07', one === other, `if ${why}, a user gets ${one}, and nobody ${other}`)
      world.check('CB-02', world.mailbox.mails.length === mails, `${why}, and a link is mailed`)
      world.reach(why)
    },
  }),

  property({
    proves: ['PW-07'],
    name: 'mails a link for a password to the origin of the site, whatever host the request names',
    story: 'An attacker requests a reset with another host, and the victim’s link leads there.',
    advice: 'Build the link from the configured origin, and ignore the headers of the request.',
    setups: {
      database: { ...withPasswords.database, env: { AUTH_URL: 'https://app.example/auth' } },
    },
    runs: 30,
    input: fc.record({
      address: freshAddress,
      isKnown: fc.boolean(),
      header: fc.constantFrom(
        'host',
        'x-forwarded-host',
        'forwarded',
        'origin',
        'referer',
        'x-original-host',
      ),
    }),
    async run(world, { address, isKnown, header }) {
      if (isKnown) await setPassword(world, address, 'the first password')
      const browser = world.browser('eve')
      const after = world.mailbox.mails.length
      const values: Readonly<Record<string, string>> = {
        forwarded: 'host=evil.example;proto=https',
        origin: 'https://evil.example',
        referer: 'https://evil.example/',
      }
      await browser.send(`${world.basePath}/password/password`, {
        form: { csrfToken: await browser.csrfToken(), email: address },
        headers: { [header]: values[header] ?? 'evil.example' },
        says: `requests a link with a forged ${header}`,
      })
      const mail = await world.mailbox.waitFor(address, after)
      const origin = mail?.link.origin ?? world.origin
      world.check('PW-07', origin === world.origin, `the link leads to ${origin}`)
      const callback = new URL(mail?.link.searchParams.get('callbackUrl') ?? world.origin, world.origin)
      world.check('PW-07', callback.origin === world.origin, `the link then leads to ${callback.origin}`)
      await setPassword(world, address, 'the second password')
    },
  }),
]
