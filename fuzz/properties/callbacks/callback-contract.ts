import fc from 'fast-check'
import { member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import {
  prepareSignIn,
  signInMethods,
  everySignInMethod,
  redirectTargetOf,
  orElse,
  type SignInMethod,
} from '../support/sign-in-methods.ts'
import { isSignedIn } from '../support/sessions.ts'
import { type Given, hooks } from '../support/callbacks.ts'

/** Results that a signIn callback may return. */
const results = fc.oneof(
  fc.constant({ kind: 'true' } as const),
  fc.constant({ kind: 'false' } as const),
  fc.constant({ kind: 'nothing' } as const),
  fc.record({ kind: fc.constant('falsy' as const), value: fc.constantFrom(null, 0, '') }),
  fc.record({ kind: fc.constant('throws' as const), text: fc.stringMatching(/^[a-z]{4,12} on Sundays$/) }),
  fc.record({
    kind: fc.constant('text' as const),
    text: fc.constantFrom(
      '/welcome?first=1',
      '/a/b#c',
      'https://app.example/apply',
      'https://elsewhere.example/apply?x=1#y',
      'http://localhost:3001/back',
    ),
  }),
)

type Result = typeof results extends fc.Arbitrary<infer T> ? T : never

function produce(result: Result, isLate: boolean): unknown {
  if (result.kind === 'throws') {
    if (isLate) return Promise.reject(new Error(result.text))
    throw new Error(result.text)
  }
  if (result.kind === 'nothing') return isLate ? Promise.resolve() : undefined
  if (result.kind === 'falsy') return isLate ? Promise.resolve(result.value) : result.value
  const value = result.kind === 'text' ? result.text : result.kind === 'true'
  return isLate ? Promise.resolve(value) : value
}

/** Returns the params of a callback's calls since an earlier one, without empty members. */
function callsOf(world: World, name: string, from = 0): Given[] {
  return world.recorded.callbacks.slice(from).flatMap((call) => (call.name === name ? [call.params] : []))
}

/** Checks the outcome of a signIn callback's result. */
async function checkOutcome(
  world: World,
  reply: Reply,
  result: Result,
  at: { readonly signsIn: boolean; readonly isIn: boolean; readonly page: string; readonly what: string },
): Promise<void> {
  const { what, page, isIn, signsIn } = at
  const to = redirectTargetOf(reply)
  const actual = `${reply.failure ?? reply.status} ${to?.href ?? ''}`
  if (result.kind === 'true') {
    if (signsIn) world.check('CB-01', isIn, `${what} refuses the user: ${actual}`)
    return
  }
  world.check('CB-01', !isIn, `${what} signs somebody in`)
  if (result.kind === 'text') {
    const wanted = new URL(result.text, world.origin).href
    world.check('CB-01', to?.href === wanted, `${what} redirects to ${actual} instead of ${wanted}`)
    return
  }
  const isThere = to?.origin === world.origin && to.pathname === page
  world.check('CB-01', isThere, `${what} redirects to ${actual} instead of the error page`)
  if (result.kind !== 'throws') return
  world.check(
    'CB-01',
    to?.searchParams.get('error') === 'AccessDenied',
    `${what} shows ${actual} instead of AccessDenied`,
  )
  const denied = world.recorded.errors.filter(({ name }) => name === 'AccessDenied')
  world.check(
    'CB-01',
    denied.some(({ message }) => message.includes(result.text)),
    `${what} is logged as ${denied.map(({ message }) => JSON.stringify(message)).join(', ') || 'no AccessDenied'}`,
  )
}

export const callbackContractProperties: readonly Property[] = [
  property({
    ...hooks,
    proves: ['CB-01'],
    name: 'applies the result of the signIn callback for every provider type',
    story:
      'An application refuses a user in its signIn callback, and the user is signed in: after a result other than false, or with another provider.',
    advice: 'Call signIn in every flow before you store anything, and let only true admit the user.',
    runs: 100,
    reaches: { throws: 4, text: 4, false: 4, true: 4 },
    input: fc.record({
      method: fc.constantFrom(...signInMethods, 'form' as const, 'a request for a link' as const),
      result: results,
      isLate: fc.boolean(),
      isKnown: fc.boolean(),
      ownPage: fc.boolean(),
    }),
    async run(base, { method: wanted, result, isLate, isKnown, ownPage }) {
      const { strategy } = base
      let current: Result = { kind: 'true' }
      const config = {
        callbacks: { signIn: () => produce(current, isLate) },
        ...(ownPage && { pages: { error: '/oops' } }),
      }
      const world = await base.another(everySignInMethod(strategy, base, config), 'own')
      const { ada } = world.people
      const isRequest = wanted === 'a request for a link'
      const method: SignInMethod = isRequest ? 'mail' : orElse(world, wanted)
      if (isKnown && method !== 'passkey') await (await prepareSignIn(world, world.browser('ada'), method))()
      const browser = world.browser('ada')
      const go = isRequest
        ? () => browser.start('mail', { email: ada.address.mail })
        : await prepareSignIn(world, browser, method)
      const counts = () =>
        [world.rows.users, world.rows.accounts, world.rows.sessions].map((rows) => rows.length)
      const before = [...counts(), world.mailbox.mails.length].join(' ')
      const from = world.recorded.callbacks.length
      current = result
      const reply = await go()
      current = { kind: 'true' }
      const what = `signIn, which returns ${result.kind} for ${isRequest ? wanted : method},`
      const isIn = isSignedIn(await browser.readSession())
      const page = ownPage ? '/oops' : `${world.basePath}/error`
      world.check('CB-01', callsOf(world, 'signIn', from).length > 0, `${what} is not called`)
      await checkOutcome(world, reply, result, { signsIn: !isRequest, isIn, page, what })
      const after = [...counts(), world.mailbox.mails.length].join(' ')
      if (result.kind !== 'true')
        world.check('CB-01', after === before, `${what} does not prevent new rows or mails`)
      else if (isRequest) world.check('CB-01', after !== before, `${what} sends no mail`)
      world.reach(result.kind)
      world.reach(isRequest ? wanted : method)
    },
  }),

  property({
    proves: ['CB-02'],
    name: 'calls signIn twice for a link: when it is requested and when it is followed',
    story: 'A ban between the two is missed, or mail goes to addresses that signIn would refuse.',
    advice:
      'Call signIn with email.verificationRequest before you send the mail, and without it at the callback.',
    needs: ['hooks'],
    setups: { database: {}, jwt: { strategy: 'jwt', config: { adapter: true } } },
    runs: 30,
    input: fc.record({
      isKnown: fc.boolean(),
      isIn: fc.boolean(),
      elsewhere: fc.boolean(),
      pause: fc.constantFrom(0, 60, 86_000),
    }),
    async run(world, { isKnown, isIn, elsewhere, pause }) {
      const { ada } = world.people
      if (isKnown) await world.browser('ada').signIn('mail', ada)
      const browser = world.browser('ada')
      if (isIn) await browser.signIn('alpha', ada)
      const from = world.recorded.callbacks.length
      const mail = await browser.requestLink(ada.address.mail)
      const wanted = callsOf(world, 'signIn', from)
      const isMarked = (params: Given | undefined) => member(params?.email, 'verificationRequest') === true
      world.check(
        'CB-02',
        wanted.length === 1 && isMarked(wanted[0]),
        `when a link is requested, signIn is called ${wanted.length} times, ${isMarked(wanted[0]) ? 'and' : 'but not'} with email.verificationRequest`,
      )
      if (world.features.has('clock')) world.advance(pause)
      const between = world.recorded.callbacks.length
      const reader = elsewhere ? world.browser('ada') : browser
      await reader.followLink(mail)
      const followed = callsOf(world, 'signIn', between)
      world.check(
        'CB-02',
        followed.length === 1 && !isMarked(followed[0]),
        `when the link is followed, signIn is called ${followed.length} times, ${isMarked(followed[0]) ? 'with' : 'without'} email.verificationRequest`,
      )
      world.assume((await reader.whoAmI()) === ada.name, 'the link signs nobody in')
      world.reach(isKnown ? 'known' : 'new')
    },
  }),
]
