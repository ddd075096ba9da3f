import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identityTokenProperties } from '../../fuzz/properties/identity/tokens.ts'
import { property, type Property } from '../../fuzz/properties/property.ts'
import { readAfter } from '../../fuzz/properties/support/snapshot.ts'
import { assess } from '../../fuzz/run/assess.ts'
import { judgeEach } from '../../fuzz/run/continue.ts'
import { readToken } from '../../fuzz/run/replay.ts'
import { Absent, Unreached } from '../../fuzz/world/breach.ts'
import type { Judgement } from '../../fuzz/run/verdict.ts'
import { answering, judgeHere } from './support.ts'

const quiet = answering(() => Response.json(null))
const base = {
  proves: ['TX-01'],
  name: 'a property of the test',
  story: '',
  advice: '',
  runs: 10,
} as const satisfies Partial<Property>

/** A property that fails from a number on. */
const breaking = (from: number) =>
  property({
    ...base,
    input: fc.nat(1000),
    run: async (world, n) => world.check('TX-02', n < from, `${n} is too much`),
  })

describe('a property', () => {
  it('passes if every case holds, and runs as many cases as the profile requires', async () => {
    const fine = property({
      ...base,
      run: async ({ check, reach }) => {
        check('TX-01', true, '')
        reach('here')
      },
    })
    expect(await judgeHere(fine, quiet)).toMatchObject({ verdict: 'PASS', runs: 10, spread: { here: 10 } })
    expect(await judgeHere(fine, quiet, { share: 0.1 })).toMatchObject({ verdict: 'PASS', runs: 1 })
    expect(await judgeHere(fine, quiet, { share: 20 })).toMatchObject({ runs: 200 })
  })

  it('that fails names the broken requirement and the smallest case', async () => {
    expect(await judgeHere(breaking(17), quiet)).toMatchObject({
      verdict: 'FAIL',
      broken: 'TX-02',
      finding: { says: '17 is too much', input: '17' },
    })
  })

  it('behaves the same for the same seed, and differently for another', async () => {
    const seen: number[][] = []
    const looking = property({
      ...base,
      input: fc.nat(),
      run: async ({ check }, n) => {
        check('TX-01', true, '')
        seen.at(-1)?.push(n)
      },
    })
    for (const seed of [7, 7, 8]) {
      seen.push([])
      await judgeHere(looking, quiet, { seed })
    }
    expect(seen[0]).toHaveLength(10)
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).not.toEqual(seen[0])
  })

  it('runs once at the position of a replay, whether it fails there or not', async () => {
    const failed = await judgeHere(breaking(17), quiet)
    const { path } = readToken(failed.finding?.replay ?? '')
    expect(await judgeHere(breaking(17), quiet, { path })).toMatchObject({
      runs: 1,
      verdict: 'FAIL',
      finding: failed.finding,
    })
    expect(await judgeHere(breaking(1001), quiet, { path: '2' })).toMatchObject({ runs: 1, verdict: 'PASS' })
  })

  it('that throws a TypeError is reported as an error of the oracle', async () => {
    const faulty = property({ ...base, run: async () => Reflect.get(undefined as never, 'x') as undefined })
    expect(await judgeHere(faulty, quiet)).toMatchObject({
      verdict: 'ERROR',
      reason: expect.stringContaining('TypeError') as string,
    })
  })

  it('proves nothing if it rarely reached its situation', async () => {
    const everyOther = (share: number) => {
      let n = 0
      return property({
        ...base,
        run: async ({ check }) => {
          if (n++ % 10 >= share) throw new Unreached('the sign-in did not work')
          check('TX-01', true, '')
        },
      })
    }
    expect(await judgeHere(everyOther(5), quiet)).toMatchObject({ verdict: 'PASS' })
    expect(await judgeHere(everyOther(4), quiet)).toMatchObject({
      verdict: 'INCONCLUSIVE',
      reason: '12 of 30 cases checked the property, 18 stopped because the sign-in did not work',
    })
  })

  it('proves nothing if few of its cases checked anything', async () => {
    const oneIn = (share: number) => {
      let n = 0
      return property({
        ...base,
        run: async ({ check }) => {
          if (n++ % share === 0) check('TX-01', true, '')
        },
      })
    }
    expect(await judgeHere(oneIn(3), quiet)).toMatchObject({ verdict: 'PASS' })
    expect(await judgeHere(oneIn(5), quiet)).toMatchObject({
      verdict: 'INCONCLUSIVE',
      reason: '6 of 30 cases checked the property',
    })
    expect(await judgeHere({ ...oneIn(5), reaches: {} }, quiet)).toMatchObject({ verdict: 'PASS' })
  })

  it('runs more cases if most of a few stopped by chance', async () => {
    let n = 0
    const unlucky = property({
      ...base,
      run: async ({ check }) => {
        if (n++ < 8) throw new Unreached('the tokens happened to be equal')
        check('TX-01', true, '')
      },
    })
    expect(await judgeHere(unlucky, quiet)).toMatchObject({ verdict: 'PASS', runs: 20 })
  })

  it('proves nothing if it did not reach a situation that it lists', async () => {
    const reaching = (times: number) => {
      let n = 0
      return property({
        ...base,
        reaches: { 'a rare thing': 3 },
        run: async ({ check, reach }) => {
          check('TX-01', true, '')
          if (n++ < times) reach('a rare thing')
        },
      })
    }
    expect(await judgeHere(reaching(3), quiet)).toMatchObject({ verdict: 'PASS' })
    expect(await judgeHere(reaching(2), quiet)).toMatchObject({
      verdict: 'INCONCLUSIVE',
      reason: '"a rare thing" was reached 2 times, but must be reached 3 times',
    })
  })

  it('runs more cases while none has reached a situation', async () => {
    let n = 0
    const rare = property({
      ...base,
      reaches: { 'a rare thing': 1 },
      run: async ({ check, reach }) => {
        check('TX-01', true, '')
        if (n++ === 50) reach('a rare thing')
      },
    })
    expect(await judgeHere(rare, quiet)).toMatchObject({ verdict: 'PASS', runs: 60 })
    n = 0
    expect(await judgeHere(rare, quiet, { share: 0.1 })).toMatchObject({ verdict: 'INCONCLUSIVE', runs: 40 })
  })

  it('passes only if a case checked a requirement', async () => {
    const idle = property({ ...base, run: async ({ reach }) => reach('here') })
    expect(await judgeHere(idle, quiet)).toMatchObject({
      verdict: 'INCONCLUSIVE',
      reason: '0 of 120 cases checked the property',
    })
    const other = property({
      ...base,
      proves: ['TX-01', 'TX-02'],
      run: async ({ check }) => check('TX-02', true, ''),
    })
    const judged = await judgeHere(other, quiet)
    expect(assess([judged], ['TX-01', 'TX-02'])).toMatchObject([
      { id: 'TX-01', verdict: 'UNTESTED', reason: 'no case checked it' },
      { id: 'TX-02', verdict: 'PASS' },
    ])
  })

  it('fails if the target leaves a rejection unhandled', async () => {
    const careless = answering(() => {
      void Promise.reject(new Error('nobody handles this'))
      return Response.json(null)
    })
    const asking = property({
      ...base,
      run: async (world) => {
        await world.browser('ada').readSession()
        world.check('TX-01', true, '')
      },
    })
    expect(await judgeHere(asking, careless)).toMatchObject({
      verdict: 'FAIL',
      broken: 'FI-12',
      finding: { says: 'the target left a rejection unhandled: Error: nobody handles this' },
    })
  })

  it('proves nothing if there was no time to run it', async () => {
    const endless = property({ ...base, run: () => new Promise(() => {}) })
    expect(await judgeHere(endless, quiet, { limit: 500 })).toMatchObject({
      verdict: 'INCONCLUSIVE',
      reason: '0 of 1 cases checked the property, then the time limit was reached',
    })
  })

  it('judges its other requirements after a failure', async () => {
    const several = property({
      ...base,
      proves: ['TX-01', 'TX-02', 'TX-08', 'TX-09'],
      input: fc.nat(3),
      async run({ check }, n) {
        check('TX-01', n !== 1, 'the first is broken')
        check('TX-02', n !== 2, 'the second is broken')
        check('TX-08', true, '')
        // Only cases that break the first reach the last.
        if (n === 1) check('TX-09', true, '')
      },
    })
    const judged: Judgement[] = []
    const job = { property: several.name, setup: 'database', seed: 1, share: 10, limit: 10_000 }
    await judgeEach(
      job,
      (each) => judgeHere(several, quiet, each),
      (each) => void judged.push(each),
    )
    const rows = assess(judged, ['TX-01', 'TX-02', 'TX-08', 'TX-09'])
    expect(rows.map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual([
      ['TX-01', 'FAIL', 'the first is broken'],
      ['TX-02', 'FAIL', 'the second is broken'],
      ['TX-08', 'PASS', undefined],
      ['TX-09', 'UNTESTED', 'no case checked it'],
    ])
  })

  it('proves nothing about signing in if honest sign-ins fail too, and names the request that the target refused', async () => {
    const attack = property({
      ...base,
      async run(world) {
        const { status } = await world.send(new Request(world.url('callback/alpha?code=forged')))
        world.check('TX-01', status !== 302, 'a forged code was accepted')
      },
    })
    expect(
      await judgeHere(
        attack,
        answering(() => new Response(null, { status: 403 })),
      ),
    ).toMatchObject({
      verdict: 'INCONCLUSIVE',
      reason: expect.stringMatching(
        /^the target refuses an honest sign-in at alpha too \(.*; last, .* GET \/auth\/\S+.* → 403.*\), so other refusals prove nothing$/,
      ) as string,
    })
  })

  it('is skipped if the application lacks what it tests', async () => {
    const absent = property({
      ...base,
      run: async () => {
        throw new Absent('there is no second provider')
      },
    })
    expect(await judgeHere(absent, quiet)).toMatchObject({
      verdict: 'SKIP',
      reason: 'there is no second provider',
    })
  })

  it('that needs a capability runs if the target declares it', async () => {
    const must = property({
      ...base,
      proves: ['EM-08'],
      run: async ({ check }) => check('EM-08', true, ''),
    })
    expect(await judgeHere(must, quiet)).toMatchObject({
      verdict: 'SKIP',
      runs: 0,
      reason: 'the target does not declare the capability canonical-url',
      unclaimed: { 'EM-08': 'canonical-url' },
    })
    expect(
      await judgeHere(
        must,
        answering(() => Response.json(null), ['canonical-url']),
      ),
    ).toMatchObject({
      verdict: 'PASS',
    })
    const should = property({ ...base, proves: ['SU-07'], run: async () => {} })
    expect(await judgeHere(should, quiet)).toMatchObject({ verdict: 'SKIP' })
  })

  it('checks only its requirements whose capability the target declares', async () => {
    const both = property({
      ...base,
      proves: ['TX-01', 'EM-08'],
      run: async ({ check }) => {
        check('EM-08', false, 'the link names another host')
        check('TX-01', true, '')
      },
    })
    const judged = await judgeHere(both, quiet)
    expect(judged).toMatchObject({ verdict: 'PASS', checks: { 'TX-01': 10 } })
    const skipped = {
      id: 'EM-08',
      verdict: 'SKIP',
      reason: 'the target does not declare the capability canonical-url',
    }
    expect(assess([judged], ['TX-01', 'EM-08'])).toMatchObject([{ id: 'TX-01', verdict: 'PASS' }, skipped])
    const failing = property({
      ...both,
      run: async ({ check }) => check('TX-01', false, 'another session'),
    })
    const failed = await judgeHere(failing, quiet)
    expect(assess([failed], ['TX-01', 'EM-08'])).toMatchObject([{ id: 'TX-01', verdict: 'FAIL' }, skipped])
    const declaring = answering(() => Response.json(null), ['canonical-url'])
    expect(await judgeHere(both, declaring)).toMatchObject({ verdict: 'FAIL', broken: 'EM-08' })
  })

  it('about a nonce is skipped if the target sends none', async () => {
    const replayed = identityTokenProperties.filter(({ name }) => name.includes('of an earlier sign-in'))
    expect(replayed).toHaveLength(1)
    const to = (place: string) =>
      answering(() => Response.json({ csrfToken: 'one' }, { headers: { location: place } }))
    for (const [place, verdict] of [
      ['https://alpha.example/authorize', 'SKIP'],
      ['/auth/error', 'INCONCLUSIVE'],
    ] as const)
      for (const each of replayed) expect(await judgeHere(each, to(place))).toMatchObject({ verdict })
  })

  it('that needs a feature is skipped without it', async () => {
    const needing = property({ ...base, needs: ['tokens'], run: async () => {} })
    expect(await judgeHere(needing, quiet)).toMatchObject({
      verdict: 'SKIP',
      reason: 'the target does not support the feature tokens',
    })
    const wanting = property({ ...base, setups: { keys: { providers: ['passkey'] } }, run: async () => {} })
    expect(await judgeHere(wanting, quiet)).toMatchObject({
      verdict: 'SKIP',
      reason: 'the target does not use the provider passkey',
    })
  })

  it.each(['setup', 'clock', 'store', 'hooks', 'faults'] as const)(
    'is skipped if it needs the %s, and the target says that it lacks it',
    async (feature) => {
      const needing = property({
        ...base,
        needs: [feature],
        run: async ({ check }) => check('TX-01', true, ''),
      })
      expect(await judgeHere(needing, quiet)).toMatchObject({ verdict: 'PASS' })
      expect(await judgeHere(needing, { ...quiet, lacks: [feature] })).toMatchObject({
        verdict: 'SKIP',
        reason: `the target does not support the feature ${feature}`,
      })
    },
  )

  it('that needs no feature is judged on a target that lacks all of them', async () => {
    const fine = property({ ...base, run: async ({ check }) => check('TX-01', true, '') })
    const lacks = ['setup', 'clock', 'store', 'hooks', 'faults'] as const
    expect(await judgeHere(fine, { ...quiet, lacks })).toMatchObject({ verdict: 'PASS' })
  })

  it('also fails if a monitor of its world reports a violation', async () => {
    const session = { user: { name: 'bob', email: 'bob@alpha.example' }, expires: '2030-01-01T00:00:00Z' }
    const reading = property({
      ...base,
      run: async (world) => void (await world.browser('ada').readSession()),
    })
    expect(
      await judgeHere(
        reading,
        answering(() => Response.json(session)),
      ),
    ).toMatchObject({
      verdict: 'FAIL',
      broken: 'TX-01',
      finding: {
        says: 'ada’s browser has the session of bob, who did not sign in there'.replace('’', "'"),
        meaning: { observed: 'another user' },
      },
    })
  })

  it.each([
    ['ada', 'eve', 'a session'],
    ['eve', 'ada', 'another user'],
    ['bob', 'ada', 'another user'],
  ] as const)(
    'that gives the browser of %s the session of %s is as severe as what an attacker gets',
    async (owner, name, observed) => {
      const session = { user: { name, email: `${name}@alpha.example` }, expires: '2030-01-01T00:00:00Z' }
      const reading = property({
        ...base,
        run: async (world) => void (await world.browser(owner).readSession()),
      })
      const judged = await judgeHere(
        reading,
        answering(() => Response.json(session)),
      )
      expect(judged).toMatchObject({ verdict: 'FAIL', finding: { meaning: { observed } } })
    },
  )

  it('tells whose session a long response contains, and that a browser has copied cookies', async () => {
    const token = '1a'.repeat(200)
    const body = { session: { token, userId: 7 }, user: { email: 'ada@alpha.example' } }
    const reading = property({
      ...base,
      async run(world) {
        const browser = world.browser('ada')
        browser.restore(browser.save())
        world.prove(browser, world.people.ada, 'alpha')
        await browser.readSession()
        await browser.send('/elsewhere')
        world.check('TX-01', false, 'it failed')
      },
    })
    const { finding } = await judgeHere(
      reading,
      answering(() => Response.json(body)),
    )
    expect(finding?.trace).toEqual([
      "ada's browser uses copied cookies from now on",
      'ada reads the session: GET /auth/session without cookies → 200, the session of ada@alpha.example with the user id 7',
      'ada sends a request: GET /elsewhere without cookies → 200, {"session":{…',
    ])
  })

  it('names the attack after which a monitor reports a violation', async () => {
    const session = { user: { name: 'bob', email: 'bob@alpha.example' }, expires: '2030-01-01T00:00:00Z' }
    const reading = property({
      ...base,
      run: async (world) => void (await readAfter('a forged link', world.browser('ada').readSession)),
    })
    expect(
      await judgeHere(
        reading,
        answering(() => Response.json(session)),
      ),
    ).toMatchObject({
      broken: 'TX-01',
      finding: {
        says: expect.stringMatching(/^a forged link: it was accepted, so ada.s browser has/) as string,
        meaning: { observed: 'another user' },
      },
    })
  })
})
