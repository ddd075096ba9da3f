import { describe, expect, it } from 'vitest'
import { createMachine } from 'xstate'
import { charts, graphOf, journeyChart, type AnyChart, type FlowGraph } from '../../machines/index.ts'
import { requirement } from '../../spec/index.ts'
import { formats } from '../../src/tools/cli/formats.ts'
import { loadEngine } from '../../src/tools/cli/flows.ts'
import { mergeEdges } from '../../src/tools/diagrams/arrows.ts'
import { requirementsOf } from '../../src/tools/diagrams/write-html.ts'
import { hostileChart } from './hostile.ts'

const all: readonly AnyChart[] = [...Object.values(charts), journeyChart, hostileChart]

async function write(name: string, chart: AnyChart, requirements?: string): Promise<string> {
  const drawer = { loadEngine, ...(requirements === undefined ? {} : { requirements }) }
  return (await formats.get(name)?.draw(chart, drawer)) ?? ''
}

describe.each(all.map((chart) => [chart.id, chart] as const))('%s', (_, chart) => {
  const graph = graphOf(chart)

  it('is in JSON the configuration of an identical machine', async () => {
    const config = JSON.parse(await write('json', chart)) as AnyChart
    expect(config).toEqual(JSON.parse(JSON.stringify(chart)))
    expect(graphOf(config)).toEqual(graph)
    const machine = createMachine(config as unknown as Parameters<typeof createMachine>[0])
    expect(machine.id).toBe(chart.id)
  })

  it('is complete in DOT: every state, and every edge with its source and target', async () => {
    const statements = readDot(await write('dot', chart, 'spec.md'))
    for (const node of graph.nodes) {
      const found = statements.find(({ ids }) => ids.length === 1 && ids[0] === dotId(node.id, node.kind))
      expect(found?.attributes['label'], node.id).toBe(
        [node.name, ...(node.step ? [node.step] : [])].join('\n'),
      )
      expect(found?.attributes['URL']).toBe(`spec.md#${node.spec[0]}`)
    }
    const drawn = statements.flatMap(({ ids: [from, to], attributes }) =>
      to === undefined || attributes['label'] === undefined ? [] : [{ from, to, attributes }],
    )
    expect(drawn).toHaveLength(mergeEdges(graph).length)
    for (const { source, target, events } of mergeEdges(graph)) {
      const edge = drawn.find(
        ({ from, to, attributes }) =>
          attributes['label'] === events.join('\n') &&
          goesFrom(graph, from, attributes, source) &&
          goesTo(to, attributes, target),
      )
      expect(edge, `${source} to ${target}`).toBeDefined()
    }
  })

  it('is complete in Mermaid: every state, and every edge with its events', async () => {
    const text = await write('mermaid', chart)
    const unescaped = text.replaceAll(/#(\d+);/g, (_sign, code: string) => String.fromCodePoint(Number(code)))
    for (const { name, step } of graph.nodes) {
      expect(unescaped).toContain(`state "${name}" as `)
      if (step !== undefined) expect(unescaped).toContain(` : ${step}\n`)
    }
    const edges = mergeEdges(graph)
    for (const { events } of edges) expect(unescaped).toContain(events.join('<br/>'))
    const arrows = text.split('\n').filter((line) => line.includes('-->') && !line.includes('[*]'))
    const notes = text.split('\n').filter((line) => line.trimStart().startsWith('note left of '))
    expect(arrows.length + notes.length).toBe(edges.length)
  })
})

describe('mermaid', () => {
  it('escapes text that would end a label or start a statement', async () => {
    const text = await write('mermaid', hostileChart)
    for (const line of text.split('\n')) {
      const label = /(?: : |^  acc\w+: )(.*)$/.exec(line)?.[1] ?? ''
      expect(label.replaceAll(/#\d+;|<br\/>|stroke:#\w+,stroke-width:2px/g, '')).not.toMatch(
        /[;:"<>[\]{}#%]|-->/,
      )
    }
  })

  it('gives different states different names', async () => {
    const text = await write('mermaid', hostileChart)
    const ids = [...text.matchAll(/ as (\S+)/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(graphOf(hostileChart).nodes.length)
  })
})

describe('html', () => {
  it('shows the diagram, each state with its description, and the text of each requirement', async () => {
    const page = await write('html', charts.session)
    const graph = graphOf(charts.session)
    expect(page).toMatch(/^<!DOCTYPE html>\n<html lang="en">/)
    expect(page).toContain('<svg xmlns="http://www.w3.org/2000/svg" class="flow"')
    for (const { id, description } of graph.nodes)
      expect(page).toContain(`<dt id="state-${id}"><code>${id}</code></dt><dd>${encode(description)}</dd>`)
    for (const id of requirementsOf(graph))
      expect(page).toContain(`<dt id="${id}">${id}</dt><dd>${encode(requirement(id).says)}</dd>`)
    expect(page).not.toMatch(/<script|src=|<link|https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
  })

  it('links the diagram to the requirements below, and those to a page with details', async () => {
    const page = await write('html', charts['sign-out'], 'https://example.com/t')
    expect(page).toContain('<a class="requirement" href="#SE-10">')
    expect(page).toContain('<dt id="SE-10"><a href="https://example.com/t#SE-10">SE-10</a></dt>')
  })

  it('escapes all text of a chart', async () => {
    expect(await write('html', hostileChart)).not.toContain('<script')
  })
})

interface Statement {
  readonly ids: readonly string[]
  readonly attributes: Readonly<Record<string, string>>
}

/** Parses the subset of the Graphviz language that is written: statements of quoted names and quoted attributes. */
function readDot(text: string): Statement[] {
  const quoted = String.raw`"(?:[^"\\]|\\.)*"`
  const whole = new RegExp(
    `^\\s*(?:(?:subgraph|digraph) ${quoted} \\{|\\}|(?:graph|node|edge|${quoted}(?: -> ${quoted})?) \\[(?:\\w+=${quoted} ?)*\\])$`,
  )
  const statements: Statement[] = []
  let cluster = ''
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(whole)
    const [head = '', list = ''] = line.trim().split(/ \[(.*)\]$/s)
    const ids = (head.match(new RegExp(quoted, 'g')) ?? []).map(unquote)
    if (head.startsWith('subgraph')) cluster = ids[0] ?? ''
    const pairs = [...list.matchAll(new RegExp(`(\\w+)=(${quoted})`, 'g'))]
    const attributes = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, unquote(value)]))
    if (head === 'graph' && cluster !== '') statements.push({ ids: [cluster], attributes })
    else if (list !== '' && ids.length > 0) statements.push({ ids, attributes })
  }
  return statements
}

function unquote(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/g, (_sign, letter: string) => (letter === 'n' ? '\n' : letter))
}

function dotId(place: string, kind: string): string {
  return kind === 'compound' ? `cluster:${place}` : place
}

function goesTo(to: string, { lhead }: Statement['attributes'], target: string): boolean {
  return lhead === undefined ? to === target : lhead === `cluster:${target}` && to === `start:${target}`
}

function goesFrom(
  { nodes }: FlowGraph,
  from: string | undefined,
  { ltail }: Statement['attributes'],
  source: string | undefined,
): boolean {
  if (from === `note:${source ?? ''}`) return true
  const isCompound = nodes.some(({ id, kind }) => id === source && kind === 'compound')
  return isCompound
    ? ltail === `cluster:${source}` && from?.startsWith(`${source}.`) === true
    : from === source
}

function encode(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
