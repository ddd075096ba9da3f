import fc from 'fast-check'
import { opensSession } from '../monitors/monitor.ts'
import { openRace } from '../world/race.ts'
import { property, type Property } from './property.ts'
import { readForms } from '../world/forms.ts'
import { freshAddress, isRefusal, stored, twoAddresses } from './support/outcome.ts'

/** What a mail program or a browser does with a link before anybody has read the mail. */
const previews = [
  { method: 'HEAD', headers: {} },
  { method: 'OPTIONS', headers: {} },
  { method: 'GET', headers: { 'sec-purpose': 'prefetch' } },
  { method: 'GET', headers: { 'sec-purpose': 'prefetch;prerender' } },
  { method: 'GET', headers: { purpose: 'prefetch' } },
  { method: 'HEAD', headers: { 'sec-purpose': 'prefetch' } },
] as const

/** What stands where a token or an address belongs. */
const nothings = ['', ' ', '%09', '%00', 'undefined', 'null', '[]', '{}', '[object Object]', 'NaN', '*', '%']
const strangeQueries = fc.oneof(
  fc.record({
    token: fc.constantFrom(...nothings),
    email: fc.constantFrom('right', 'absent', ...nothings),
  }),
  fc.record({ token: fc.constantFrom('right', 'absent'), email: fc.constantFrom(...nothings) }),
  fc.record({ token: fc.constant('absent'), email: fc.constantFrom('right', 'absent') }),
)
const shapes = ['name', 'name[]', 'name[0]', 'name[$ne]', 'name.x'] as const

export const linkProperties: readonly Property[] = [
  property({
    proves: ['SU-01'],
    name: 'a link opens one session, however often and wherever it is followed',
    story: 'Whoever reads a mail after its owner, or beside them, signs in with the same link.',
    advice: 'Take the token out of the store in one atomic step, and open a session only if it was there.',
    setups: stored(),
    runs: 50,
    reaches: { 'at the same moment': 10, 'one after the other': 10 },
    input: fc.record({
      address: freshAddress,
      readers: fc.integer({ min: 2, max: 4 }),
      isSameBrowser: fc.boolean(),
      isRace: fc.boolean(),
      known: fc.boolean(),
      scheduler: fc.scheduler(),
    }),
    async run(world, { address, readers, isSameBrowser, isRace, known, scheduler }) {
      if (known) await world.browser().followLink(await world.browser().askLink(address))
      const first = world.browser()
      const mail = await first.askLink(address)
      const browsers = Array.from({ length: readers }, () => (isSameBrowser ? first : world.browser()))
      const flows = browsers.map((browser) => () => browser.followLink(mail))
      const race = openRace(scheduler)
      if (isRace && world.features.has('faults')) world.enter(race)
      const replies = isRace ? await race.run(flows) : []
      if (!isRace) for (const follow of flows) replies.push(await follow())
      const opened = replies.filter(opensSession).length
      world.demand(opened > 0, 'the link opened no session at all')
      world.reach(isRace ? 'at the same moment' : 'one after the other')
      world.hold('SU-01', opened === 1, `${opened} of ${readers} requests with one link opened a session`)
      const losers = replies.filter((reply) => !opensSession(reply))
      world.hold(
        'SU-01',
        losers.every(({ location }) => location?.searchParams.get('error') === 'Verification'),
        'whoever came too late was not told so with the Verification error',
      )
      const late = await world.browser().followLink(mail)
      world.hold('SU-01', !opensSession(late), 'a link that was used opened another session later')
    },
  }),
  property({
    proves: ['SU-02'],
    name: 'a link works for the address that it was sent to, and a wrong address leaves it as it was',
    story: 'An attacker asks for a link to their own mailbox, and changes the address in it to a victim’s.',
    advice: 'Look the token up together with the address of the link, and compare both with the row again.',
    setups: stored(),
    runs: 80,
    reaches: { 'with no address': 3, 'with another address': 20 },
    input: fc.record({
      pair: twoAddresses,
      how: fc.constantFrom('known', 'unknown', 'pending', 'absent', 'longer', 'two'),
      isStoreLax: fc.boolean(),
    }),
    async run(world, { pair: [mine, other], how, isStoreLax }) {
      if (how === 'known') await world.browser().followLink(await world.browser().askLink(other))
      if (how === 'pending') await world.browser().askLink(other)
      const attacker = world.browser('eve')
      const mail = await attacker.askLink(mine)
      const link = new URL(mail.link)
      if (how === 'absent') link.searchParams.delete('email')
      else if (how === 'longer') link.searchParams.set('email', `${mine}.evil.example`)
      else if (how === 'two') link.searchParams.set('email', `${mine},${other}`)
      else link.searchParams.set('email', other)
      // A store that finds a row by what it was given: by the token alone, where it was given no address.
      const isLax = isStoreLax && how === 'absent' && world.features.has('faults')
      if (isLax) {
        const apply = () => world.rows.links.splice(0).find(({ identifier }) => identifier === mine) ?? null
        world.plan.arm('store.useVerificationToken', 0, { name: 'finds by the token alone', apply })
      }
      const reply = await attacker.followLink({ to: mine, link })
      if (isLax) world.plan.arm('none')
      const who = await attacker.whoAmI()
      world.reach(how === 'absent' ? 'with no address' : 'with another address')
      world.hold('SU-02', who === undefined, `a link to ${mine} with ${how} address signed ${who} in`)
      world.hold('SU-02', isRefusal(reply), 'it was not refused')
      await attacker.followLink(mail)
      const me = await attacker.whoAmI()
      world.hold('SU-02', me === mine, 'the wrong address used the link up: the right one opens nothing')
    },
  }),
  property({
    proves: ['SU-03'],
    name: 'a link works until it expires, and not at that moment or later',
    story: 'A mail that is found in an old mailbox still signs in.',
    advice:
      'Refuse a token when its expiry is now or in the past, and take it out of the store all the same.',
    needs: ['clock', 'store'],
    setups: {
      ...stored(),
      short: { provider: { mail: { maxAge: 60 } } },
      day: { provider: { mail: { maxAge: 86_400 } } },
    },
    runs: 40,
    reaches: { 'at the very moment': 1, before: 3 },
    input: fc.record({ address: freshAddress, late: fc.constantFrom(-1000, -1, 0, 1, 1000, 86_400_000) }),
    async run(world, { address, late }) {
      const browser = world.browser()
      const mail = await browser.askLink(address)
      const expires = world.rows.links.at(-1)?.expires
      world.demand(expires instanceof Date, 'no token was stored')
      world.pass((Number(expires) - world.clock.now() + late) / 1000)
      const reply = await browser.followLink(mail)
      world.reach(late === 0 ? 'at the very moment' : late < 0 ? 'before' : 'after')
      if (late < 0) return world.demand(opensSession(reply), 'the link did not work in time')
      world.hold('SU-03', !opensSession(reply), `a link was taken ${late} ms after it expired`)
      world.hold('SU-03', (await browser.whoAmI()) === undefined, 'it signed in')
      world.hold('SU-03', world.rows.links.length === 0, 'the expired token is still in the store')
    },
  }),
  property({
    proves: ['SU-10'],
    name: 'whatever only looks at a link leaves it working',
    story: 'A mail scanner or a preview opens the link first, and its owner is told that it was used.',
    advice: 'Answer HEAD, OPTIONS and prefetching requests without touching the token.',
    setups: stored(),
    runs: 40,
    input: fc.record({
      address: freshAddress,
      looks: fc.array(fc.constantFrom(...previews), { minLength: 1, maxLength: 3 }),
    }),
    async run(world, { address, looks }) {
      const mail = await world.browser().askLink(address)
      const scanner = world.browser('eve')
      for (const { method, headers } of looks) {
        await scanner.send(`${mail.link.pathname}${mail.link.search}`, { method, headers })
        world.hold('SU-10', (await scanner.whoAmI()) === undefined, `${method} with a link signed in`)
      }
      const owner = world.browser()
      await owner.followLink(mail)
      world.hold('SU-10', (await owner.whoAmI()) === address, 'the link was used up by looking at it')
    },
  }),
  property({
    proves: ['TX-21', 'SU-10'],
    name: 'where a link asks to be confirmed, opening it changes nothing',
    story: 'A mail scanner that follows links like a browser uses them up, or gets a session.',
    advice: 'Let GET show a page whose button posts the token.',
    setups: { database: { provider: { mail: { confirm: true } } } },
    runs: 30,
    input: fc.record({ address: freshAddress, looks: fc.integer({ min: 1, max: 3 }) }),
    async run(world, { address, looks }) {
      const mail = await world.browser().askLink(address)
      for (let look = 0; look < looks; look++) {
        const scanner = world.browser('eve')
        await scanner.openLink(mail)
        world.hold('SU-10', (await scanner.whoAmI()) === undefined, 'opening the link signed in')
      }
      const owner = world.browser()
      const page = await owner.openLink(mail)
      const form = readForms(page.text).find(({ method }) => method === 'post')
      world.demand(form !== undefined, 'the page has no button')
      if (form)
        await owner.send(form.action || `${mail.link.pathname}${mail.link.search}`, { form: form.fields })
      world.hold('SU-10', (await owner.whoAmI()) === address, 'the link was used up by looking at it')
    },
  }),
  property({
    proves: ['SU-13'],
    name: 'a link without a real token or address finds nobody',
    story: 'An attacker leaves the token out, or sends a list, and the store takes that for "any".',
    advice: 'Refuse what is no non-empty text before the store is asked.',
    setups: stored(),
    runs: 80,
    input: fc.record({
      address: freshAddress,
      query: strangeQueries,
      shape: fc.constantFrom(...shapes),
      isJson: fc.boolean(),
    }),
    async run(world, { address, query, shape, isJson }) {
      const mail = await world.browser().askLink(address)
      const right = {
        token: mail.link.searchParams.get('token') ?? '',
        email: mail.link.searchParams.get('email') ?? address,
      }
      const parts = (['token', 'email'] as const).flatMap((name) => {
        const good = `${name}=${encodeURIComponent(right[name])}`
        if (query[name] === 'absent') return []
        if (query[name] === 'right') return [good]
        return [`${shape.replace('name', name)}=${query[name]}`]
      })
      const attacker = world.browser('eve')
      const path = `${mail.link.pathname}?${parts.join('&')}`
      await attacker.send(path, isJson ? { json: { token: { $ne: null }, email: [address] } } : {})
      world.hold('SU-13', (await attacker.whoAmI()) === undefined, `${path} signed in`)
      const owner = world.browser()
      await owner.followLink(mail)
      world.demand((await owner.whoAmI()) === address, 'the real link does not work')
    },
  }),
]
