import { createActor, fromCallback } from 'xstate'
import { describe, expect, it } from 'vitest'
import { stepNames, type WorkingState } from '../../machines/chart.ts'
import type { Flow } from '../../src/flows/engine/flow.ts'
import { nameOf, run, type Hop, type Observe } from '../../src/flows/engine/run.ts'
import { flows } from '../../src/instrumented.ts'
import { createOutbox, createTurns, type World } from '../../src/flows/engine/world.ts'
import { pathsOf, placesOf, type PathHop } from '../../fuzz/charts/chart-walk.ts'

const world = { out: createOutbox(), turns: createTurns() } as unknown as World

/** The flow, with steps that report the events of a path. */
function script(flow: Flow, path: readonly PathHop[], isLate = false): Flow {
  let at = 0
  const speak = () => {
    const said = { type: path[at++]?.event ?? 'the script has ended' }
    return isLate ? Promise.resolve(said) : said
  }
  const steps = Object.fromEntries(
    Object.entries(flow.steps).map(([name, step]) => [name, { ...step, run: speak }]),
  )
  return { ...flow, steps }
}

/** Runs paths through real actors whose steps report by `sendBack`. @returns the states on the way */
function actorsOf(flow: Flow): (path: readonly PathHop[]) => Promise<string[]> {
  let said: string[] = []
  const logic = fromCallback(({ sendBack }) => sendBack({ type: said.shift() ?? 'the script has ended' }))
  const actors = Object.fromEntries(stepNames(flow.chart.states).map((name) => [name, logic]))
  const machine = flow.machine.provide({ actors })
  return (path) =>
    new Promise((resolve) => {
      said = path.map(({ event }) => event)
      const actor = createActor(machine)
      const seen: string[] = []
      actor.subscribe({
        next: ({ value }) => void seen.push(nameOf(value as string)),
        complete: () => resolve(seen),
      })
      actor.start()
    })
}

const withTimer = {
  turns: createTurns(),
  platform: { timer: () => ({ cancel: () => {} }) },
} as unknown as World

const perform = (flow: Flow, world: World, observe?: Observe) =>
  run(flow, {}, world, (ended) => ended, observe)

describe.each(Object.values(flows).map((flow) => [flow.id, flow] as const))(
  'the paths of %s',
  (_id, flow) => {
    const places = placesOf(flow.chart)
    const paths = pathsOf(flow.chart, (step) => Object.keys(flow.steps[step]?.says ?? {}))

    it('MD-01 MD-02 are the same in the engine, synchronously and asynchronously, and in a real actor', async () => {
      expect(paths.length).toBeGreaterThan(3)
      const differing: string[] = []
      for (const path of paths) {
        const hops: Hop[] = []
        const ended = perform(script(flow, path), world, (hop) => void hops.push(hop))
        if (ended instanceof Promise) throw new Error(`The engine returned a promise for ${show(path)}`)
        if (show(hops) !== show(path) || ended.state !== path.at(-1)?.next)
          differing.push(`in the engine: ${show(path)}`)
      }
      for (const path of paths.filter((_, index) => index % 7 === 0)) {
        const late = await perform(script(flow, path, true), withTimer)
        if (late.state !== path.at(-1)?.next) differing.push(`asynchronously: ${show(path)}`)
      }
      const act = actorsOf(flow)
      for (const path of paths) {
        const states = [path[0]?.state, ...path.map(({ next }) => next)]
        const taken = await act(path)
        if (withoutRepeats(taken).join() !== withoutRepeats(states).join())
          differing.push(`in an actor: ${taken.join()} instead of ${show(path)}`)
      }
      expect(differing).toEqual([])
      process.stdout.write(`  ${flow.id}: ${paths.length} paths\n`)
    }, 60_000)

    it('MD-01 include every edge of the chart', () => {
      const drawn = [...places.values()].flatMap(({ name, state, heard }) => {
        if (!('invoke' in state)) return []
        return Object.keys(flow.steps[state.invoke.src]?.says ?? {}).map(
          (event) => `${name} ${event} ${heard.get(event)}`,
        )
      })
      const taken = new Set(paths.flat().map(({ state, event }) => `${state} ${event}`))
      for (const edge of drawn) expect(taken).toContain(edge.split(' ').slice(0, 2).join(' '))
    })

    it('MD-01 provide every fact before a step needs it', () => {
      const lacking = new Set<string>()
      for (const path of paths) {
        const available = new Set<string>(flow.begins)
        const check = (place: string, needs: readonly string[] = []) => {
          for (const fact of needs) if (!available.has(fact)) lacking.add(`${place} lacks ${fact}`)
        }
        for (const { state, event } of path) {
          const working = places.get(state)?.state as WorkingState | undefined
          const step = flow.steps[working?.invoke.src ?? '']
          check(state, step?.needs)
          const brought = event === 'fault' ? ['fault'] : step?.says[event]
          for (const fact of brought ?? []) available.add(fact)
        }
        const end = path.at(-1)?.next ?? ''
        check(end, flow.outcomes[end]?.needs)
      }
      expect([...lacking]).toEqual([])
    })

    it('DEC-34 FI-01 lead from every state to the same end when a step throws or hangs', async () => {
      const end = flow.chart.on?.fault?.slice(1)
      const shortest = new Map<string, PathHop[]>()
      for (const path of paths)
        path.forEach(({ state }, index) => {
          const prefix = path.slice(0, index)
          if (prefix.length < (shortest.get(state)?.length ?? Infinity)) shortest.set(state, prefix)
        })
      for (const [state, prefix] of shortest) {
        const scripted = script(flow, prefix)
        let at = 0
        const failing = (answer: () => { type: string } | Promise<{ type: string }>) => ({
          ...scripted,
          steps: Object.fromEntries(
            Object.entries(flow.steps).map(([name, step]) => [
              name,
              { ...step, run: () => (at < prefix.length ? { type: prefix[at++]?.event ?? '' } : answer()) },
            ]),
          ),
        })
        const thrown = await perform(
          failing(() => {
            throw new Error('broken')
          }),
          world,
        )
        expect(thrown, state).toMatchObject({ state: end, facts: { fault: { message: 'broken' } } })
        at = 0
        const ringing = {
          turns: createTurns(),
          platform: { timer: (_: number, ring: () => void) => (queueMicrotask(ring), { cancel() {} }) },
        }
        const hung = await perform(
          failing(() => new Promise(() => {})),
          ringing as unknown as World,
        )
        expect(hung.state, state).toBe(end)
        expect(hung.facts.fault?.message).toMatch(/took longer than 30000 milliseconds/)
        at = 0
        const unheard = await perform(
          failing(() => ({ type: 'never.drawn' })),
          world,
        )
        expect(unheard.state, state).toBe(end)
      }
    })
  },
)

describe('a step that throws while a flow cleans up after a fault', () => {
  const cases = Object.values(flows).flatMap((flow) => {
    const places = placesOf(flow.chart)
    const paths = pathsOf(flow.chart, (step) => Object.keys(flow.steps[step]?.says ?? {}))
    const cleaning = [...places.values()].filter(({ state, heard }) => {
      const target = places.get(heard.get('fault') ?? '')?.state
      return 'invoke' in state && target !== undefined && 'invoke' in target
    })
    return cleaning.map(({ name }) => {
      const path = paths.find((each) => each.some(({ state }) => state === name)) ?? []
      const at = path.findIndex(({ state }) => state === name)
      return [flow.id, name, flow, path.slice(0, at)] as const
    })
  })

  it.each(cases)('does not hide the fault that %s reports: %s', async (_id, _state, flow, prefix) => {
    const scripted = script(flow, prefix)
    let count = 0
    const steps = Object.fromEntries(
      Object.entries(scripted.steps).map(([name, each]) => [
        name,
        {
          ...each,
          run(...given: Parameters<typeof each.run>) {
            count++
            if (count > prefix.length) throw new Error(`fault ${count - prefix.length}`)
            return each.run(...given)
          },
        },
      ]),
    )
    const hops: Hop[] = []
    const { state, facts } = await perform({ ...flow, steps }, world, (hop) => void hops.push(hop))
    expect(state).toBe(flow.chart.on?.fault?.slice(1))
    expect(hops.slice(-2).map(({ fault }) => fault?.message)).toEqual(['fault 1', 'fault 2'])
    expect(facts.fault?.message).toBe('fault 1')
  })
})

function show(path: readonly Pick<Hop, 'state' | 'event' | 'next'>[]): string {
  return path.map(({ state, event, next }) => `${state} -(${event})-> ${next}`).join(', ')
}

function withoutRepeats(names: readonly (string | undefined)[]): (string | undefined)[] {
  return names.filter((name, index) => name !== names[index - 1])
}
