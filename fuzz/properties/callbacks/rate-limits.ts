import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import { requestOptions } from '../../world/passkeys.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { hooks } from '../support/callbacks.ts'
import { isSignedIn } from '../support/sessions.ts'
import { everySignInMethod, redirectTargetOf } from '../support/sign-in-methods.ts'

/** The attempts that the callback is asked about, with the providers that they need. */
const types = {
  mail: 'email',
  link: 'verification',
  form: 'credentials',
  passkey: 'passkey-options',
} as const
type Attempt = keyof typeof types

/** Results that refuse an attempt, with the seconds that the response names. */
const refusals = fc.oneof(
  fc
    .constantFrom<unknown>(false, undefined, null, 0, 1, 'true', {}, { retryAfter: -5 }, { retryAfter: '60' })
    .map((result) => ({ result, seconds: null })),
  fc
    .double({ min: 0.01, max: 1e6, noNaN: true })
    .map((retryAfter) => ({ result: { retryAfter }, seconds: String(Math.ceil(retryAfter)) })),
)

/** Returns a function that makes the attempt, as often as it is called. */
async function prepare(
  world: World,
  browser: Browser,
  attempt: Attempt,
  headers: Readonly<Record<string, string>>,
): Promise<() => Promise<Reply>> {
  const { ada } = world.people
  const { basePath } = world
  if (attempt === 'passkey')
    return async () => (await requestOptions(world, browser, { email: ada.address.passkey })).reply
  if (attempt === 'link') {
    const { link } = await browser.requestLink(ada.address.mail)
    return () => browser.send(`${link.pathname}${link.search}`, { headers, says: 'opens the link' })
  }
  const csrfToken = await browser.csrfToken()
  return attempt === 'mail'
    ? () =>
        browser.send(`${basePath}/signin/${world.idOf('mail') ?? ''}`, {
          form: { csrfToken, email: ada.address.mail },
          headers,
          says: 'requests a link',
        })
    : () =>
        browser.send(`${basePath}/callback/${world.idOf('form') ?? ''}`, {
          form: { csrfToken, username: ada.name, password: 'a guess' },
          headers,
          says: 'enters a password',
        })
}

/** Checks the status of a refusal, and where it says when to try again. */
async function checkRefusal(
  world: World,
  browser: Browser,
  reply: Reply,
  seconds: string | null,
  isScript: boolean,
): Promise<void> {
  const says = (each: Reply) =>
    `${each.failure ?? each.status} with Retry-After ${each.headers.get('retry-after') ?? 'missing'}`
  const check = (each: Reply, what: string) => {
    world.check('OPT-003', each.status === 429, `${what} has status ${says(each)}`)
    const is = each.headers.get('retry-after')
    world.check('RL-02', is === seconds, `${what} has ${says(each)} instead of ${seconds ?? 'none'}`)
  }
  if (isScript) return check(reply, 'the response to a script')
  const held = reply.headers.get('retry-after')
  world.check('RL-02', held === null, 'the redirect has Retry-After, which delays the error page')
  check(await browser.send(reply.location?.href ?? '/'), 'the error page')
}

export const rateLimitProperties: readonly Property[] = [
  property({
    ...hooks,
    proves: ['OPT-003', 'RL-01', 'RL-02'],
    name: 'refuses an attempt over the rate limit before it costs anything, and says when to try again',
    story:
      'The application counts attempts, and still somebody guesses codes and passwords or floods a mailbox.',
    advice: 'Call rateLimit before the first lookup, mail and call of authorize, and let only true pass.',
    runs: 60,
    reaches: { mail: 4, link: 4, 'with a time': 10, 'as JSON': 10 },
    // A function that ends without a result allows nothing.
    parts: [undefined, null, {}].map((result) => ({ refusal: { result, seconds: null } })),
    input: fc.record({
      wanted: fc.constantFrom<Attempt>('mail', 'link', 'form', 'passkey'),
      refusal: refusals,
      asJson: fc.boolean(),
    }),
    async run(base, { wanted, refusal: { result, seconds }, asJson }) {
      let isOver = false
      let authorized = 0
      const config = { callbacks: { rateLimit: () => !isOver || result } }
      const form = { authorize: () => (authorized++, null) }
      const setup = { ...everySignInMethod(base.strategy, base, config), provider: { form } }
      const world = await base.another(setup, 'own')
      const isThere = wanted === 'link' || world.idOf(wanted) !== undefined
      const attempt = isThere ? wanted : 'mail'
      const browser = world.browser('ada')
      const go = await prepare(world, browser, attempt, asJson ? { 'x-auth-return-redirect': '1' } : {})

      const mails = world.mailbox.mails.length
      const from = world.recorded.callbacks.length
      isOver = true
      world.plan.arm('store')
      const reply = await go()
      const calls = [...world.plan.calls]
      world.plan.arm('none')

      const asked = world.recorded.callbacks.slice(from).filter(({ name }) => name === 'rateLimit')
      const isAsked = asked.length === 1 && asked[0]?.params.type === types[attempt]
      const id = attempt === 'passkey' ? 'RL-01' : 'OPT-003'
      world.check(id, isAsked, `rateLimit is not called once with type ${types[attempt]}`)
      world.check(id, calls.length === 0, `a refused attempt calls ${calls.join(', ')} of the store`)
      world.check(id, world.mailbox.mails.length === mails, 'a refused attempt sends a mail')
      world.check(id, authorized === 0, 'a refused attempt calls authorize')
      const isIn = isSignedIn(await browser.readSession())
      world.check(id, !isIn, 'a refused attempt signs somebody in')
      const error = redirectTargetOf(reply)?.searchParams.get('error') ?? member(reply.json, 'error')
      world.check(id, error === 'RateLimited', `a refused attempt ends as ${String(error)}`)
      if (attempt === 'passkey')
        world.check(id, reply.cookies.length === 0, 'refused passkey options set a challenge')
      await checkRefusal(world, browser, reply, seconds, asJson || attempt === 'passkey')

      isOver = false
      const again = await go()
      const works = {
        mail: () => world.mailbox.mails.length > mails,
        link: async () => isSignedIn(await browser.readSession()),
        form: () => authorized === 1,
        passkey: () => again.status === 200,
      }
      world.check(id, await works[attempt](), `an allowed ${attempt} attempt fails after a refused one`)
      world.reach(attempt)
      if (seconds !== null) world.reach('with a time')
      if (asJson) world.reach('as JSON')
    },
  }),
]
