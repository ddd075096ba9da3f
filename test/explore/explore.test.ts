import { describe, expect, it } from 'vitest'
import { runExplore } from '../../fuzz/cli/explore/run-explore.ts'
import { configurations } from '../../fuzz/explore/configurations.ts'
import { isLeftOut, type Outcome, runExploration } from '../../fuzz/explore/run.ts'
import { tellStory } from '../../fuzz/report/exploration.ts'
import { findTarget, type LibraryPlace } from '../../fuzz/targets/find-target.ts'
import { foundSequences } from './found-sequences.ts'
import { mutantNamed } from './mutant-named.ts'

const ours = findTarget('ours') as LibraryPlace

function done(outcome: Outcome | undefined) {
  if (!outcome || isLeftOut(outcome)) throw new Error(`left out: ${outcome?.reason}`)
  return outcome
}

/** Returns the positions of actions by what they say. */
function pathOf(name: string, says: readonly string[]): readonly number[] {
  const actions = configurations.find((each) => each.name === name)?.actions ?? []
  return says.map((text) => {
    const at = actions.findIndex((action) => action.says === text)
    if (at < 0) throw new Error(`${name} has no action "${text}"`)
    return at
  })
}

describe('the search over all sequences', () => {
  it('repeats exactly, and merges states from which the same happens', async () => {
    const search = () => runExploration(ours, { only: ['mails alone'], depth: 3, transitions: 1000 })
    const [first, second] = [done((await search())[0]), done((await search())[0])]
    expect(first).toMatchObject({ depth: 3, counterexamples: [] })
    expect([second.states, second.transitions]).toEqual([first.states, first.transitions])
    expect(first.states).toBeLessThan(first.transitions / 2)
  }, 60_000)

  it('stops at its budget of transitions, and says how far it came', async () => {
    const [outcome] = await runExploration(ours, { only: ['mails alone'], depth: 3, transitions: 20 })
    expect(done(outcome)).toMatchObject({ depth: 1, transitions: 20 })
  }, 60_000)

  it('finds a bug by the shortest sequence, which can be repeated', async () => {
    const broken = mutantNamed('sequences/no-stamps-with-mails-alone')
    const options = { only: ['mails alone'], depth: 3, transitions: 1000 }
    const outcome = done((await runExploration(broken, options))[0])
    const [story] = outcome.counterexamples
    expect(story?.actions).toEqual([
      'Ada, at Ada’s laptop, requests a link (mail 3)',
      'Ada, at Ada’s phone, ends the other sessions',
      'Ada, at Ada’s laptop, opens the newest link (mail 3)',
    ])
    const chapters = story?.frames?.flatMap((frame) => (frame.kind === 'chapter' ? [frame] : []))
    expect(chapters?.map(({ step }) => step)).toEqual([undefined, 1, 2, 3])
    expect(chapters?.[0]?.text).toBe('Before the first step')
    expect(chapters?.slice(1).map(({ text }) => text)).toEqual(story?.actions)
    const replay = { configuration: outcome.configuration, path: story?.path ?? [] }
    const again = await runExploration(broken, { ...options, replay })
    expect(done(again[0]).counterexamples).toMatchObject([{ says: story?.says }])
    expect(done((await runExploration(ours, { ...options, replay }))[0]).counterexamples).toEqual([])
    if (story) expect(tellStory(outcome, story)).toContain('  3. Ada, at Ada’s laptop, opens the newest link')
  }, 60_000)

  it('cites the rule about the change that was made', async () => {
    const configuration = 'remembered browser'
    const path = pathOf(configuration, [
      'Ada, at Ada’s laptop, enters the current password',
      'Ada, at Ada’s laptop, removes the second factor',
    ])
    const broken = mutantNamed('sequences/remembered-device-removes-the-factor')
    const options = { depth: 2, transitions: 1, replay: { configuration, path } }
    expect(done((await runExploration(broken, options))[0]).counterexamples).toMatchObject([
      {
        id: 'ACP-13',
        says: 'ada’s account: the second factor was removed, by a session without the second factor',
      },
    ])
  }, 60_000)

  it.each(foundSequences)(
    'breaks no rule in $configuration: $actions',
    async ({ configuration, actions }) => {
      const replay = { configuration, path: pathOf(configuration, actions) }
      const [outcome] = await runExploration(ours, { depth: 1, transitions: 1, replay })
      expect(done(outcome).counterexamples).toEqual([])
    },
  )
})

describe('the command that explores', () => {
  const run = (...args: readonly string[]) => runExplore(args, { print: () => {} })

  it.each([
    [['ours', '--only', 'nothing'], /Expected --only to list starts of second factor; .*, got "nothing"/],
    [['ours', '--profile', 'huge'], /Expected --profile to be one of smoke, ci, soak, got "huge"/],
    [['ours', '--replay', 'linking'], /Expected --replay to be a sequence from a report, got "linking"/],
    [['ours', 'mine.js'], /Expected one target, got "ours mine.js"/],
    [['http://localhost:3000/auth'], /Expected a library to explore, got "http:\/\/localhost:3000\/auth"/],
  ])('refuses %j', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message)
  })

  it('prints its help, and fails without a target', async () => {
    const printed: string[] = []
    expect(await runExplore(['--help'], { print: (text) => void printed.push(text) })).toBe(0)
    expect(printed.join('')).toContain('tokens: second factor')
    expect(await run()).toBe(2)
  })
})
