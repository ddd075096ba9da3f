import { describe, expect, it } from 'vitest'
import { charts, journeyChart } from '../../machines/index.ts'
import { flows } from '../../src/handler/flows.ts'
import { edgesOf, enter, placesOf } from '../../fuzz/charts/chart-walk.ts'

const driving = Object.values(charts)

describe.each(driving.map((chart) => [chart.id, chart] as const))('the chart %s', (id, chart) => {
  const places = placesOf(chart)
  const all = [...places.values()]
  const flow = Object.values(flows).find((each) => each.chart === chart)

  it('MD-01 has no state that cannot be reached', () => {
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

  it('MD-01 ends: from every state a final one can be reached, and a fault leads to one', () => {
    const ends = (name: string, seen: ReadonlySet<string>): boolean => {
      const { name: here, state, heard } = enter(places, name)
      if ('type' in state) return true
      if (seen.has(here)) return false
      return [...heard.values()].some((target) => ends(target, new Set([...seen, here])))
    }
    for (const { name, heard, state } of all) {
      expect(ends(name, new Set()), name).toBe(true)
      if (!('type' in state))
        expect(places.get(heard.get('fault') ?? '')?.state, name).toHaveProperty('type', 'final')
    }
  })

  it('MD-01 runs one step in each working state, and every event of it is heard', () => {
    for (const { name, state, heard } of all) {
      if (!('invoke' in state)) continue
      expect(state.invoke.id, name).toBe(state.invoke.src)
      const says = Object.keys(flow?.steps[state.invoke.src]?.says ?? {})
      expect(says.length, name).toBeGreaterThan(0)
      for (const event of says) expect([...heard.keys()], `${name} hears`).toContain(event)
      for (const event of Object.keys(state.on)) expect(says, `${name} takes`).toContain(event)
    }
  })

  it('MD-01 gives every final state an outcome, and none else', () => {
    const finals = all.filter(({ state }) => 'type' in state).map(({ name }) => name)
    expect(Object.keys(flow?.outcomes ?? {}).toSorted()).toEqual(finals.toSorted())
  })

  it('MD-01 is written as charts are: described, with requirements, gerunds that work and participles that end', () => {
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

describe('the journey', () => {
  const places = placesOf(journeyChart)

  it('MD-01 reaches every state, and leaves none without a way on', () => {
    const targets = new Set(edgesOf(journeyChart).map(({ target }) => target))
    for (const name of places.keys()) {
      expect([...targets], name).toContain(name)
      expect(places.get(name)?.heard.size, name).toBeGreaterThan(0)
    }
  })

  it('MD-02 speaks only of flows and of the ends that they have', () => {
    const ends = Object.entries(charts).flatMap(([id, chart]) =>
      Object.entries(chart.states)
        .filter(([, state]) => 'type' in state)
        .map(([state]) => `${id}.${state.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`),
    )
    const events = new Set(edgesOf(journeyChart).map(({ event }) => event))
    for (const event of events) if (!event.startsWith('time.')) expect(ends).toContain(event)
  })
})
