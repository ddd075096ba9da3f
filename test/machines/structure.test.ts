import { describe, expect, it } from 'vitest'
import { findEdge, graphOf } from '../../machines/graph.ts'
import { charts, journeyChart, journeyEventsOf } from '../../machines/index.ts'
import { flows } from '../../src/instrumented.ts'
import type { Says } from '../../src/flows/engine/step.ts'
import { edgesOf, enter, placesOf } from '../../fuzz/charts/chart-walk.ts'

/** The steps that undo the use of a token or code after a fault. */
const restoring: ReadonlySet<string> = new Set(['restoreToken', 'restoreCode'])

const driving = Object.values(charts)

describe.each(driving.map((chart) => [chart.id, chart] as const))('the chart %s', (id, chart) => {
  const places = placesOf(chart)
  const all = [...places.values()]
  const flow = Object.values(flows).find((each) => each.chart === chart)

  it('MD-01 has no unreachable state', () => {
    const reached = new Set<string>()
    const visit = (name: string) => {
      const placed = enter(places, name)
      if (reached.has(placed.name)) return
      reached.add(placed.name)
      for (const target of placed.heard.values()) visit(target)
    }
    visit(chart.initial)
    const leaves = all.filter(({ state }) => !('states' in state)).map(({ name }) => name)
    expect([...reached].toSorted()).toEqual(leaves.toSorted())
  })

  it('MD-01 can reach a final state from every state, and does so directly after a fault, or after restoring a token or code', () => {
    const ends = (name: string, seen: ReadonlySet<string>): boolean => {
      const { name: here, state, heard } = enter(places, name)
      if ('type' in state) return true
      if (seen.has(here)) return false
      return [...heard.values()].some((target) => ends(target, new Set([...seen, here])))
    }
    for (const { name, heard, state } of all) {
      expect(ends(name, new Set()), name).toBe(true)
      if ('type' in state) continue
      const next = places.get(heard.get('fault') ?? '')
      const isRestoring = next !== undefined && 'invoke' in next.state && restoring.has(next.state.invoke.src)
      const end = isRestoring ? places.get(next.heard.get('fault') ?? '') : next
      expect(end?.state, name).toHaveProperty('type', 'final')
    }
  })

  it('MD-01 runs one step in each working state, and handles every event of that step', () => {
    for (const { name, state, heard } of all) {
      if (!('invoke' in state)) continue
      expect(state.invoke.id, name).toBe(state.invoke.src)
      const says = Object.keys(flow?.steps[state.invoke.src]?.says ?? {})
      expect(says.length, name).toBeGreaterThan(0)
      for (const event of says) expect([...heard.keys()], `${name} hears`).toContain(event)
      for (const event of Object.keys(state.on)) expect([...says, 'fault'], `${name} takes`).toContain(event)
    }
  })

  it('MD-01 declares the events that a piece reports and does not handle as its exits', () => {
    const graph = graphOf(chart)
    for (const { name, state } of all) {
      if (!('exits' in state)) continue
      const inside = all.filter((each) => each.name.startsWith(`${name}.`))
      const left = inside.flatMap((each) => {
        const says = 'invoke' in each.state ? Object.keys(flow?.steps[each.state.invoke.src]?.says ?? {}) : []
        return says.filter((event) => !findEdge(graph, each.name, event)?.source?.startsWith(`${name}.`))
      })
      expect([...new Set(left)].toSorted(), name).toEqual(state.exits?.toSorted())
    }
  })

  it('MD-01 has an outcome for every final state, and for no other', () => {
    const written = Object.entries(flow?.written.states ?? {})
    const finals = written.flatMap(([name, state]) => ('type' in state ? [name] : []))
    expect(Object.keys(flow?.outcomes ?? {}).toSorted()).toEqual(finals.toSorted())
  })

  it('MD-01 follows the conventions: descriptions, requirements, gerunds for working states, participles for final ones', () => {
    for (const { name, state } of all) {
      const key = name.split('.').at(-1)
      expect(state.description, name).not.toBe('')
      expect(state.meta.spec.length, name).toBeGreaterThan(0)
      if ('invoke' in state || 'states' in state) expect(key).toMatch(/^[a-z]+ing([A-Z]\w*)?$/)
    }
    for (const { event } of edgesOf(chart)) expect(event).toMatch(/^(fault|[a-z-]+\.[a-z-]+)$/)
    expect(Object.keys(chart)).not.toContain('context')
    expect(id).toBe(flow?.id)
  })
})

/** Events that lead to the same state and provide the same facts, each pair with the reason for the distinction. */
const toldApart: Readonly<Record<string, string>> = {
  'openToken: token.expired, token.invalid':
    'a session ends by itself, but a token that does not open is reported',
}

describe('the edges of all charts', () => {
  /** The targets of each step's events, in each state that invokes the step. */
  const uses = new Map<string, { readonly says: Says; readonly targets: Map<string, string>[] }>()
  for (const { chart, steps } of Object.values(flows)) {
    const places = placesOf(chart)
    for (const { state, heard } of places.values()) {
      const step = 'invoke' in state ? steps[state.invoke.src] : undefined
      if (!step || !('invoke' in state)) continue
      const name = `${state.invoke.src}: ${Object.keys(step.says).join(', ')}`
      const use = uses.get(name) ?? { says: step.says, targets: [] }
      const leads = ([event, target]: [string, string]) => [event, enter(places, target).name] as const
      use.targets.push(new Map([...heard].map(leads)))
      uses.set(name, use)
    }
  }

  it('MD-01 are not redundant: events that lead to one state bring different facts, or name a failure', () => {
    const idle = [...uses].flatMap(([name, { says, targets }]) => {
      const events = Object.keys(says).filter((event) => !says[event]?.some((fact) => failures.has(fact)))
      return pairsOf(events).flatMap(([one, other]) => {
        const isOne = targets.every((target) => target.get(one) === target.get(other))
        const isSame = says[one]?.toSorted().join() === says[other]?.toSorted().join()
        return isOne && isSame ? [`${name.split(':')[0]}: ${one}, ${other}`] : []
      })
    })
    expect(idle).toEqual(Object.keys(toldApart))
  })
})

/** The facts of events that name a failure. */
const failures: ReadonlySet<string> = new Set(['failure', 'fault', 'complaint'])

function pairsOf(names: readonly string[]): [string, string][] {
  return names.flatMap((one, index) => names.slice(index + 1).map((other): [string, string] => [one, other]))
}

describe('the journey', () => {
  const places = [...placesOf(journeyChart).values()]
  const states = places.filter(({ state }) => !('states' in state))

  it('MD-01 has no unreachable state in any region', () => {
    for (const [region, { initial }] of Object.entries(journeyChart.states)) {
      const reached = new Set([`${region}.${initial}`])
      for (const name of reached)
        for (const { name: from, heard } of states)
          if (from === name) for (const target of heard.values()) reached.add(target)
      const inside = states.filter(({ name }) => name.startsWith(`${region}.`)).map(({ name }) => name)
      expect([...reached].toSorted()).toEqual(inside.toSorted())
    }
  })

  it('MD-01 describes every state and region, with requirements', () => {
    for (const { name, state } of places) {
      expect(state.description, name).not.toBe('')
      expect(state.meta.spec.length, name).toBeGreaterThan(0)
    }
  })

  it('MD-02 knows every outcome of a sign-in in a region that it changes', () => {
    const unchanged = edgesOf(journeyChart).filter(({ at }) => at === 'attempts.unchanged')
    expect(unchanged.length).toBeGreaterThan(0)
    expect(unchanged.filter(({ event }) => /\.(signed-in|held)$/.test(event))).toEqual([])
  })

  it('MD-02 has an event for each final state of each flow that a request runs, and otherwise only events about cookies', () => {
    const ends = Object.entries(charts)
      .filter(([id]) => id !== 'refresh')
      .flatMap(([id, chart]) =>
        Object.entries(chart.states)
          .filter(([, state]) => 'type' in state)
          .map(([state]) => journeyEventsOf([{ flow: id, state: '', event: '', next: state }]))
          .flat(),
      )
    const events = new Set(edgesOf(journeyChart).map(({ event }) => event))
    const others = [...events].filter((event) => !ends.includes(event))
    expect(ends.filter((event) => !events.has(event))).toEqual([])
    expect(others.toSorted()).toEqual([
      'check.remaining',
      'code.remaining',
      'confirmation.waived',
      'link.remaining',
      'sign-in.continued',
      'sign-in.remaining',
      'time.passed-challenge-age',
      'time.passed-check-age',
      'time.passed-code-age',
      'time.passed-held-age',
      'time.passed-link-age',
      'time.passed-max-age',
    ])
  })
})
