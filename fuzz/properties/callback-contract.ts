import fc from 'fast-check'
import { member, type Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { approach, doors, everyDoor, ledTo, orElse, type Door } from './support/doors.ts'
import { isSignedIn } from './support/sessions.ts'
import { type Given, hooks } from './support/callbacks.ts'

/** What a signIn callback may answer. */
const answers = fc.oneof(
  fc.constant({ kind: 'true' } as const),
  fc.constant({ kind: 'false' } as const),
  fc.constant({ kind: 'nothing' } as const),
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

type Answer = typeof answers extends fc.Arbitrary<infer T> ? T : never

function answerAs(answer: Answer, isLate: boolean): unknown {
  if (answer.kind === 'throws') {
    if (isLate) return Promise.reject(new Error(answer.text))
    throw new Error(answer.text)
  }
  if (answer.kind === 'nothing') return isLate ? Promise.resolve() : undefined
  const value = answer.kind === 'text' ? answer.text : answer.kind === 'true'
  return isLate ? Promise.resolve(value) : value
}

/** The params of the calls of a callback since some call, without those members that are nothing. */
function callsOf(world: World, name: string, from = 0): Given[] {
  return world.told.callbacks.slice(from).flatMap((call) => (call.name === name ? [call.params] : []))
}

/** How a signIn callback's answer is to be seen. */
async function holdAnswer(
  world: World,
  reply: Reply,
  answer: Answer,
  at: { readonly signsIn: boolean; readonly isIn: boolean; readonly page: string; readonly what: string },
): Promise<void> {
  const { what, page, isIn, signsIn } = at
  const to = ledTo(reply)
  const came = `${reply.failure ?? reply.status} ${to?.href ?? ''}`
  if (answer.kind === 'true') {
    if (signsIn) world.hold('CB-01', isIn, `${what} lets nobody in: ${came}`)
    return
  }
  world.hold('CB-01', !isIn, `${what} lets somebody in`)
  if (answer.kind === 'text') {
    const wanted = new URL(answer.text, world.origin).href
    world.hold('CB-01', to?.href === wanted, `${what} leads to ${came}, and not to ${wanted}`)
    return
  }
  const isThere = to?.origin === world.origin && to.pathname === page
  world.hold('CB-01', isThere, `${what} does not lead to the error page, but: ${came}`)
  if (answer.kind !== 'throws') return
  world.hold(
    'CB-01',
    to?.searchParams.get('error') === 'AccessDenied',
    `${what} is not shown as AccessDenied, but: ${came}`,
  )
  const denied = world.told.errors.filter(({ name }) => name === 'AccessDenied')
  world.hold(
    'CB-01',
    denied.some(({ message }) => message.includes(answer.text)),
    `${what} is told as ${denied.map(({ message }) => JSON.stringify(message)).join(', ') || 'no AccessDenied'}`,
  )
}

export const callbackContractProperties: readonly Property[] = [
  property({
    ...hooks,
    proves: ['CB-01'],
    name: 'what signIn answers decides a sign-in, alike for every type of provider',
    story: 'An application bans somebody in its signIn callback, who comes in through another provider.',
    advice: 'Ask signIn in every flow before anything is stored; treat only true as a yes.',
    runs: 100,
    reaches: { throws: 4, text: 4, false: 4, true: 4 },
    input: fc.record({
      door: fc.constantFrom(...doors, 'form' as const, 'a request for a link' as const),
      answer: answers,
      isLate: fc.boolean(),
      isKnown: fc.boolean(),
      ownPage: fc.boolean(),
    }),
    async run(base, { door: wanted, answer, isLate, isKnown, ownPage }) {
      const { strategy } = base
      let asked: Answer = { kind: 'true' }
      const config = {
        callbacks: { signIn: () => answerAs(asked, isLate) },
        ...(ownPage && { pages: { error: '/oops' } }),
      }
      const world = await base.another(everyDoor(strategy, base, config), 'own')
      const { ada } = world.people
      const isRequest = wanted === 'a request for a link'
      const door: Door = isRequest ? 'mail' : orElse(world, wanted)
      if (isKnown && door !== 'passkey') await (await approach(world, world.browser('ada'), door))()
      const browser = world.browser('ada')
      const go = isRequest
        ? () => browser.start('mail', { email: ada.address.mail })
        : await approach(world, browser, door)
      const counts = () =>
        [world.rows.users, world.rows.accounts, world.rows.sessions].map((rows) => rows.length)
      const before = [...counts(), world.mailbox.mails.length].join(' ')
      const from = world.told.callbacks.length
      asked = answer
      const reply = await go()
      asked = { kind: 'true' }
      const what = `signIn, which answers ${answer.kind} for ${isRequest ? wanted : door},`
      const isIn = isSignedIn(await browser.readSession())
      const page = ownPage ? '/oops' : `${world.basePath}/error`
      world.hold('CB-01', callsOf(world, 'signIn', from).length > 0, `${what} is not asked`)
      await holdAnswer(world, reply, answer, { signsIn: !isRequest, isIn, page, what })
      const after = [...counts(), world.mailbox.mails.length].join(' ')
      if (answer.kind !== 'true')
        world.hold('CB-01', after === before, `${what} does not keep rows or mails from being made`)
      else if (isRequest) world.hold('CB-01', after !== before, `${what} brings no mail`)
      world.reach(answer.kind)
      world.reach(isRequest ? wanted : door)
    },
  }),

  property({
    proves: ['CB-02'],
    name: 'for a link signIn is asked twice: when it is wanted, and when it is followed',
    story: 'A ban between the two is not seen, or mails go out to addresses that signIn would refuse.',
    advice: 'Ask with email.verificationRequest before the mail is sent, and without it at the callback.',
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
      const from = world.told.callbacks.length
      const mail = await browser.askLink(ada.address.mail)
      const wanted = callsOf(world, 'signIn', from)
      const isMarked = (params: Given | undefined) => member(params?.email, 'verificationRequest') === true
      world.hold(
        'CB-02',
        wanted.length === 1 && isMarked(wanted[0]),
        `when a link is wanted, signIn is asked ${wanted.length} times, ${isMarked(wanted[0]) ? 'and' : 'but not'} with email.verificationRequest`,
      )
      if (world.features.has('clock')) world.pass(pause)
      const between = world.told.callbacks.length
      const reader = elsewhere ? world.browser('ada') : browser
      await reader.followLink(mail)
      const followed = callsOf(world, 'signIn', between)
      world.hold(
        'CB-02',
        followed.length === 1 && !isMarked(followed[0]),
        `when the link is followed, signIn is asked ${followed.length} times, ${isMarked(followed[0]) ? 'with' : 'without'} email.verificationRequest`,
      )
      world.demand((await reader.whoAmI()) === ada.name, 'the link signs nobody in')
      world.reach(isKnown ? 'known' : 'new')
    },
  }),
]
