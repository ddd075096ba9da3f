import fc from 'fast-check'
import { opensSession } from '../../monitors/monitor.ts'
import { openRace } from '../../world/race.ts'
import { property, type Property } from '../property.ts'
import { enterCode, isCompared, mailingCodes, misread, offset, requestCode } from '../support/codes.ts'
import { freshAddress, twoAddresses } from '../support/outcome.ts'
import { plant } from '../support/sessions.ts'

/** The highest number of wrong guesses that are compared. */
const most = 5

/** Milliseconds after a code expires. */
const delays = [-1000, 0, 1, 1000, 86_400_000]

export const codeGuessProperties: readonly Property[] = [
  property({
    proves: ['CD-02'],
    name: 'compares at most five guesses at a code, in parallel and with copies of earlier cookies as well',
    story: 'An attacker who requests a code for a victim’s address tries a million codes against it.',
    advice: 'Use up a stored, numbered attempt before each comparison, and store the next one after it.',
    needs: ['store'],
    setups: mailingCodes,
    runs: 60,
    reaches: { sequentially: 5, concurrently: 5, 'with a copy': 5 },
    input: fc.record({
      address: freshAddress,
      offsets: fc.uniqueArray(offset, { minLength: most, maxLength: most + 2 }),
      how: fc.constantFrom('sequentially', 'concurrently', 'with a copy'),
      scheduler: fc.scheduler(),
    }),
    async run(world, { address, offsets, how, scheduler }) {
      const browser = world.browser('eve')
      const code = await requestCode(world, browser, address)
      const copy = browser.save()
      const guesses = offsets.map((by) => misread(code, by))
      world.reach(how)
      if (how === 'concurrently') {
        const race = openRace(scheduler)
        if (world.features.has('faults')) world.enter(race)
        const all = [...guesses, code]
        const replies = await race.run(all.map((guess) => () => enterCode(world, browser, guess)))
        const compared = replies.filter(isCompared).length
        world.check('CD-02', compared <= 1, `one cookie was enough for ${compared} comparisons at once`)
        return
      }
      if (how === 'with a copy') {
        world.assume(isCompared(await enterCode(world, browser, guesses[0] ?? '')), 'no guess is compared')
        browser.restore(copy)
        await enterCode(world, browser, code)
        const who = await browser.whoAmI()
        world.check('CD-02', who === undefined, 'the cookie from before a guess was worth another guess')
        return
      }
      let compared = 0
      for (const guess of guesses) if (isCompared(await enterCode(world, browser, guess))) compared += 1
      world.check('CD-02', compared <= most, `${compared} wrong guesses were compared`)
      await enterCode(world, browser, code)
      const who = await browser.whoAmI()
      world.check('CD-02', who === undefined, `guess ${guesses.length + 1} at a code signed in`)
    },
  }),

  property({
    proves: ['CD-02'],
    name: 'lets a user who mistypes a code try again, up to the fifth attempt',
    story: 'One wrong digit costs the user another mail, or a stranger’s guesses lock the user out.',
    advice: 'Count the attempts of a code, in the browser that requested it, and never those of an address.',
    severity: 'denial of service',
    setups: mailingCodes,
    runs: 30,
    input: fc.record({
      address: freshAddress,
      offsets: fc.uniqueArray(offset, { minLength: 1, maxLength: most - 1 }),
      isAttacked: fc.boolean(),
    }),
    async run(world, { address, offsets, isAttacked }) {
      const browser = world.browser()
      const code = await requestCode(world, browser, address)
      if (isAttacked) {
        const attacker = world.browser('eve')
        const other = await requestCode(world, attacker, address)
        for (let by = 1; by <= most; by++) await enterCode(world, attacker, misread(other, by))
      }
      for (const by of offsets) await enterCode(world, browser, misread(code, by))
      await enterCode(world, browser, code)
      const who = await browser.whoAmI()
      world.check(
        'CD-02',
        who === address,
        `attempt ${offsets.length + 1} with the right code signed nobody in`,
      )
    },
  }),

  property({
    proves: ['CD-02'],
    name: 'opens one session per code, however often it is entered',
    story: 'Anyone who saw a code on a screen signs in with it after its owner.',
    advice: 'Delete the stored attempt in one atomic step, and open a session only if it was there.',
    setups: mailingCodes,
    runs: 40,
    reaches: { concurrently: 5, later: 5 },
    input: fc.record({
      address: freshAddress,
      times: fc.integer({ min: 2, max: 4 }),
      isRace: fc.boolean(),
      scheduler: fc.scheduler(),
    }),
    async run(world, { address, times, isRace, scheduler }) {
      const browser = world.browser()
      const code = await requestCode(world, browser, address)
      const copy = browser.save()
      const race = openRace(scheduler)
      if (isRace && world.features.has('faults')) world.enter(race)
      const submits = Array.from({ length: isRace ? times : 1 }, () => () => enterCode(world, browser, code))
      const opened = (await race.run(submits)).filter(opensSession).length
      world.assume(opened > 0, 'the code opened no session at all')
      world.check('CD-02', opened === 1, `${opened} requests with one code opened a session`)
      world.reach(isRace ? 'concurrently' : 'later')
      browser.restore(copy)
      const late = await enterCode(world, browser, code)
      world.check('CD-02', !opensSession(late), 'a used code opened another session')
    },
  }),

  property({
    proves: ['CD-05'],
    name: 'accepts a code only before it expires, however many guesses were made',
    story: 'A code from an old mail, or one that was guessed over many hours, still signs in.',
    advice: 'Seal the expiry with the code, and never extend it.',
    needs: ['clock', 'store'],
    setups: { ...mailingCodes, short: { provider: { mail: { method: 'code', maxAge: 60 } } } },
    runs: 40,
    reaches: { 'when it expires': 1, before: 3 },
    parts: delays.map((late) => ({ late })),
    input: fc.record({
      address: freshAddress,
      late: fc.constantFrom(...delays),
      isGuessed: fc.boolean(),
    }),
    async run(world, { address, late, isGuessed }) {
      const browser = world.browser()
      // A token counts whole seconds, and must not make the code last longer.
      world.advance(0.4)
      const code = await requestCode(world, browser, address)
      const expires = Number(world.rows.links.at(-1)?.expires) - world.clock.now()
      world.check('CD-05', expires > 0 && expires <= 600_000, `a code is valid for ${expires} ms`)
      if (isGuessed) {
        world.advance(expires / 2000 - 0.1)
        await enterCode(world, browser, misread(code, 1))
      }
      const kept = browser.cookies()
      world.advance((isGuessed ? expires / 2 + 100 + late : expires + late) / 1000)
      // A browser drops the cookie in time. An attacker does not.
      plant(browser, kept)
      const reply = await enterCode(world, browser, code)
      world.reach(late === 0 ? 'when it expires' : late < 0 ? 'before' : 'after')
      if (late < 0) return world.assume(opensSession(reply), 'the code did not work before it expired')
      world.check('CD-05', !opensSession(reply), `a code was accepted ${late} ms after it expired`)
    },
  }),

  property({
    proves: ['CD-06'],
    name: 'invalidates a code with the next request of the same browser, and of no other',
    story: 'Each further request gives an attacker five more guesses at a code that still works.',
    advice: 'Use up the stored attempt of the older code before a new one is stored.',
    setups: mailingCodes,
    runs: 30,
    input: fc.record({ pair: twoAddresses, isSameAddress: fc.boolean() }),
    async run(world, { pair: [address, other], isSameAddress }) {
      const browser = world.browser()
      const older = await requestCode(world, browser, address)
      const copy = browser.save()
      const elsewhere = world.browser()
      const apart = await requestCode(world, elsewhere, address)
      const newer = await requestCode(world, browser, isSameAddress ? address : other)
      const kept = browser.save()
      browser.restore(copy)
      await enterCode(world, browser, older)
      const who = await browser.whoAmI()
      world.check('CD-06', who === undefined, 'a code signed in after the browser requested a newer one')
      browser.restore(kept)
      await enterCode(world, browser, newer)
      world.check('CD-06', (await browser.whoAmI()) !== undefined, 'the newest code does not work')
      await enterCode(world, elsewhere, apart)
      const there = await elsewhere.whoAmI()
      world.check('CD-06', there === address, 'a request in one browser invalidated the code of another')
    },
  }),
]
