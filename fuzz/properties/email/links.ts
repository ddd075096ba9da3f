import fc from 'fast-check'
import { opensSession } from '../../monitors/monitor.ts'
import { openRace } from '../../world/race.ts'
import { property, type Property } from '../property.ts'
import { readForms } from '../../world/forms.ts'
import { freshAddress, isRefusal, stored, twoAddresses } from '../support/outcome.ts'

/** Requests that a mail program or browser sends before anyone reads the mail. */
const previewRequests = [
  { method: 'HEAD', headers: {} },
  { method: 'OPTIONS', headers: {} },
  { method: 'GET', headers: { 'sec-purpose': 'prefetch' } },
  { method: 'GET', headers: { 'sec-purpose': 'prefetch;prerender' } },
  { method: 'GET', headers: { purpose: 'prefetch' } },
  { method: 'HEAD', headers: { 'sec-purpose': 'prefetch' } },
] as const

/** Values in place of a token or an address. */
const nothings = ['', ' ', '%09', '%00', 'undefined', 'null', '[]', '{}', '[object Object]', 'NaN', '*', '%']
const strangeQueries = fc.oneof(
  fc.record({
    token: fc.constantFrom(...nothings),
    // Half of them, because a target that accepts such a token may still compare the address.
    email: fc.oneof(fc.constant('right'), fc.constantFrom('absent', ...nothings)),
  }),
  fc.record({ token: fc.constantFrom('right', 'absent'), email: fc.constantFrom(...nothings) }),
  fc.record({ token: fc.constant('absent'), email: fc.constantFrom('right', 'absent') }),
)
const shapes = ['name', 'name[]', 'name[0]', 'name[$ne]', 'name.x'] as const

/** What is wrong with the address of a link, by the input of a case. */
const edits = {
  known: 'with the address of another user',
  unknown: 'with an address that has no user',
  pending: 'with an address that also requested a link',
  absent: 'without its address',
  longer: 'with more text after its address',
  two: 'with two addresses',
} as const

/** The meaning of a link whose address was changed, but which signs in its owner. */
const ownMailbox = {
  story:
    'The address in the link is not checked, so only the store keeps a link from signing in another user.',
  observed: 'a broken rule',
} as const

/** Milliseconds after a link expires. */
const delays = [-1000, -1, 0, 1, 1000, 86_400_000]

/** Whose address replaces the one of a link. */
const disguises = ['known', 'unknown', 'pending', 'absent', 'longer', 'two'] as const

export const linkProperties: readonly Property[] = [
  property({
    proves: ['SU-01'],
    name: 'opens one session per link, however often and wherever it is followed',
    story: 'Someone who reads the mail later signs in with the used link.',
    advice: 'Delete the token in one atomic step, and open a session only if it was there.',
    setups: stored(),
    runs: 50,
    reaches: { concurrently: 10, sequentially: 10 },
    input: fc.record({
      address: freshAddress,
      readers: fc.integer({ min: 2, max: 4 }),
      isSameBrowser: fc.boolean(),
      isRace: fc.boolean(),
      known: fc.boolean(),
      scheduler: fc.scheduler(),
    }),
    async run(world, { address, readers, isSameBrowser, isRace, known, scheduler }) {
      if (known) await world.browser().followLink(await world.browser().requestLink(address))
      const first = world.browser()
      const mail = await first.requestLink(address)
      const browsers = Array.from({ length: readers }, () => (isSameBrowser ? first : world.browser()))
      const flows = browsers.map((browser) => () => browser.followLink(mail))
      const race = openRace(scheduler)
      if (isRace && world.features.has('faults')) world.enter(race)
      const replies = isRace ? await race.run(flows) : []
      if (!isRace) for (const follow of flows) replies.push(await follow())
      const opened = replies.filter(opensSession).length
      world.assume(opened > 0, 'the link opened no session at all')
      world.reach(isRace ? 'concurrently' : 'sequentially')
      world.check('SU-01', opened === 1, `${opened} of ${readers} requests with one link opened a session`)
      const losers = replies.filter((reply) => !opensSession(reply))
      world.check(
        'SU-01',
        losers.every(({ location }) => location?.searchParams.get('error') === 'Verification'),
        'a later request did not get the Verification error',
      )
      const late = await world.browser().followLink(mail)
      world.check('SU-01', !opensSession(late), 'a spent link opened another session later')
    },
  }),
  property({
    proves: ['SU-02'],
    name: 'accepts a link only for the address it was sent to, and does not spend it on another',
    story: 'An attacker requests a link to their own mailbox, and changes its address to a victim’s.',
    advice: 'Look the token up together with the link’s address, and compare both with the row.',
    setups: stored(),
    runs: 80,
    reaches: { 'with no address': 3, 'with another address': 20 },
    parts: disguises.map((how) => ({ how })),
    input: fc.record({
      pair: twoAddresses,
      how: fc.constantFrom(...disguises),
      isStoreLax: fc.boolean(),
    }),
    async run(world, { pair: [mine, other], how, isStoreLax }) {
      if (how === 'known') await world.browser().followLink(await world.browser().requestLink(other))
      if (how === 'pending') await world.browser().requestLink(other)
      const attacker = world.browser('eve')
      const mail = await attacker.requestLink(mine)
      const link = new URL(mail.link)
      if (how === 'absent') link.searchParams.delete('email')
      else if (how === 'longer') link.searchParams.set('email', `${mine}.evil.example`)
      else if (how === 'two') link.searchParams.set('email', `${mine},${other}`)
      else link.searchParams.set('email', other)
      // A store that previews a row up by token alone if it gets no address.
      const isLax = isStoreLax && how === 'absent' && world.features.has('faults')
      if (isLax) {
        const apply = () => world.rows.links.splice(0).find(({ identifier }) => identifier === mine) ?? null
        world.plan.arm('store.useVerificationToken', 0, { name: 'finds by the token alone', apply })
      }
      const reply = await attacker.followLink({ to: mine, link })
      if (isLax) world.plan.arm('none')
      const who = await attacker.whoAmI()
      world.reach(how === 'absent' ? 'with no address' : 'with another address')
      world.check(
        'SU-02',
        who !== mine,
        `a link to ${mine}, ${edits[how]}, still signed ${mine} in`,
        ownMailbox,
      )
      world.check('SU-02', who === undefined, `a link to ${mine}, ${edits[how]}, signed ${who} in`)
      world.check('SU-02', isRefusal(reply), 'the link was not refused')
      await attacker.followLink(mail)
      const me = await attacker.whoAmI()
      world.check(
        'SU-02',
        me === mine,
        'the wrong address spent the link: it no longer works with the right one',
      )
    },
  }),
  property({
    proves: ['SU-03'],
    name: 'accepts a link only before it expires',
    story: 'A mail found in an old mailbox still signs in.',
    advice: 'Refuse a token whose expiry is now or in the past, and delete it anyway.',
    needs: ['clock', 'store'],
    setups: {
      ...stored(),
      short: { provider: { mail: { maxAge: 60 } } },
      day: { provider: { mail: { maxAge: 86_400 } } },
    },
    runs: 40,
    reaches: { 'when it expires': 1, before: 3 },
    parts: delays.map((late) => ({ late })),
    input: fc.record({ address: freshAddress, late: fc.constantFrom(...delays) }),
    async run(world, { address, late }) {
      const browser = world.browser()
      const mail = await browser.requestLink(address)
      const expires = world.rows.links.at(-1)?.expires
      world.assume(expires instanceof Date, 'no token was stored')
      world.advance((Number(expires) - world.clock.now() + late) / 1000)
      const reply = await browser.followLink(mail)
      world.reach(late === 0 ? 'when it expires' : late < 0 ? 'before' : 'after')
      if (late < 0) return world.assume(opensSession(reply), 'the link did not work before it expired')
      world.check('SU-03', !opensSession(reply), `a link was accepted ${late} ms after it expired`)
      world.check('SU-03', (await browser.whoAmI()) === undefined, 'an expired link signed in')
      world.check('SU-03', world.rows.links.length === 0, 'the expired token is still in the store')
    },
  }),
  property({
    proves: ['SU-10'],
    name: 'does not spend a link when a client only previews it',
    story: 'A mail scanner or a preview opens the link first, and it no longer works for its owner.',
    advice: 'Respond to HEAD, OPTIONS and prefetch requests without touching the token.',
    setups: { ...stored(), 'database without confirmation': { provider: { mail: { confirm: 'never' } } } },
    runs: 40,
    reaches: { 'in the requesting browser': 5, elsewhere: 5 },
    input: fc.record({
      address: freshAddress,
      previews: fc.array(fc.constantFrom(...previewRequests), { minLength: 1, maxLength: 3 }),
      // A browser that prefetches a link sends the cookies of the user who requested it.
      isOwn: fc.boolean(),
    }),
    async run(world, { address, previews, isOwn }) {
      const requester = world.browser()
      const mail = await requester.requestLink(address)
      const scanner = isOwn ? requester : world.browser('eve')
      for (const { method, headers } of previews) {
        await scanner.send(`${mail.link.pathname}${mail.link.search}`, { method, headers })
        world.check('SU-10', (await scanner.whoAmI()) === undefined, `${method} with a link signed in`)
      }
      world.reach(isOwn ? 'in the requesting browser' : 'elsewhere')
      const owner = isOwn ? requester : world.browser()
      await owner.followLink(mail)
      world.check('SU-10', (await owner.whoAmI()) === address, 'previewing the link spent it')
    },
  }),
  property({
    proves: ['TX-21', 'SU-10'],
    name: 'changes nothing when a link that needs confirmation is opened',
    story: 'A mail scanner that follows links like a browser spends them, or gets a session.',
    advice: 'Let GET render a page whose button posts the token.',
    setups: { database: { provider: { mail: { confirm: true } } } },
    runs: 30,
    input: fc.record({ address: freshAddress, previews: fc.integer({ min: 1, max: 3 }) }),
    async run(world, { address, previews }) {
      const mail = await world.browser().requestLink(address)
      for (let n = 0; n < previews; n++) {
        const scanner = world.browser('eve')
        await scanner.openLink(mail)
        world.check('TX-21', (await scanner.whoAmI()) === undefined, 'opening the link signed in')
      }
      const owner = world.browser()
      const page = await owner.openLink(mail)
      const form = readForms(page.text).find(({ method }) => method === 'post')
      world.assume(form !== undefined, 'the page has no button')
      if (form)
        await owner.send(form.action || `${mail.link.pathname}${mail.link.search}`, { form: form.fields })
      world.check('SU-10', (await owner.whoAmI()) === address, 'previewing the link spent it')
    },
  }),
  property({
    proves: ['SU-13'],
    name: 'refuses a link without a valid token or address',
    story: 'An attacker omits the token, or sends an array, and the store treats that as "any".',
    advice: 'Refuse anything but a non-empty string before you query the store.',
    setups: stored(),
    runs: 80,
    input: fc.record({
      address: freshAddress,
      query: strangeQueries,
      shape: fc.oneof(fc.constant('name' as const), fc.constantFrom(...shapes)),
      isJson: fc.boolean(),
    }),
    async run(world, { address, query, shape, isJson }) {
      const mail = await world.browser().requestLink(address)
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
      const reply = await attacker.send(
        path,
        isJson ? { json: { token: { $ne: null }, email: [address] } } : {},
      )
      // A link that another browser requested opens a page, whose button the attacker presses.
      const form = readForms(reply.text).find(({ method, fields }) => method === 'post' && 'token' in fields)
      if (form) await attacker.send(mail.link.pathname, { form: form.fields })
      world.check('SU-13', (await attacker.whoAmI()) === undefined, `${path} signed in`)
      const owner = world.browser()
      await owner.followLink(mail)
      world.assume((await owner.whoAmI()) === address, 'the real link does not work')
    },
  }),
]
