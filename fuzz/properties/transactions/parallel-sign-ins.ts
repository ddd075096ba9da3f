import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, startAt, subjectOf } from '../support/consent.ts'

export const parallelSignInProperties: readonly Property[] = [
  property({
    proves: ['TX-16'],
    name: 'keeps sign-ins in several tabs of one browser independent',
    story: 'A user opens the sign-in page twice, and the first tab fails.',
    advice: 'Keep the checks of each transaction in a separate cookie.',
    // Other libraries do not have this option.
    setups: { 'parallel sign-ins': { config: { parallelSignIns: true } } },
    runs: 25,
    input: fc.record({
      tabs: fc.array(fc.constantFrom(...remotes), { minLength: 2, maxLength: 4 }),
      order: fc.infiniteStream(fc.nat()),
    }),
    async run(world, { tabs, order }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const open: { readonly provider: (typeof remotes)[number]; readonly url: URL }[] = []
      for (const provider of tabs) open.push({ provider, url: await startAt(world, browser, provider) })
      while (open.length > 0) {
        const [next] = open.splice((order.next().value ?? 0) % open.length, 1)
        if (!next) break
        const arrival = await consentTo(world, next.provider, next.url, subjectOf(ada, next.provider))
        world.prove(browser, ada, next.provider)
        const { location, status } = await browser.arrive(arrival)
        const outcome = `a tab at ${next.provider} ended at ${location?.href ?? status}`
        world.check('TX-16', location !== undefined && !location.searchParams.has('error'), outcome)
        world.check('TX-16', (await browser.whoAmI()) !== undefined, `${outcome}, and nobody is signed in`)
      }
      world.reach(`${tabs.length} tabs`)
    },
  }),

  property({
    proves: ['TX-16', 'OPT-009'],
    name: 'removes the oldest sign-in when a fifth one starts',
    story: 'A user opens one tab too many, and the tab in front of them fails.',
    advice: 'When there are too many check cookies, remove those that the browser sends first.',
    setups: { 'parallel sign-ins': { config: { parallelSignIns: true } } },
    runs: 4,
    input: fc.record({ count: fc.integer({ min: 5, max: 7 }), from: fc.nat({ max: 3 }) }),
    async run(world, { count, from }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const tabs: URL[] = []
      const held: number[] = []
      for (let n = 0; n < count; n++) {
        tabs.push(await startAt(world, browser, 'alpha'))
        held.push(Object.keys(browser.cookies()).length)
        world.advance(1)
      }
      const [most = 0, last = 0] = [held[3], held.at(-1)]
      world.check('OPT-009', last <= most, `${count} tabs leave ${last} cookies, and four tabs ${most}`)
      const tab = tabs.slice(-4)[from] ?? new URL(world.origin)
      world.prove(browser, ada, 'alpha')
      await browser.arrive(await consentTo(world, 'alpha', tab, subjectOf(ada, 'alpha')))
      const who = await browser.whoAmI()
      const says = `of ${count} tabs, number ${count - 3 + from} signs nobody in`
      for (const id of ['TX-16', 'OPT-009'] as const) world.check(id, who === 'ada', says)
    },
  }),
]
