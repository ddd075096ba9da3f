import { beforeAll, describe, expect, it } from 'vitest'
import { graphOf } from '../../machines/graph.ts'
import { requirement } from '../../spec/index.ts'
import { loadEngine } from '../../src/tools/cli/flows.ts'
import { drawable } from '../../src/tools/diagrams/drawable.ts'
import { mergeEdges } from '../../src/tools/diagrams/arrows.ts'
import { drawSvg } from '../../src/tools/diagrams/draw-svg.ts'
import { layOut } from '../../src/tools/diagrams/lay-out.ts'
import { hostileChart } from './hostile.ts'

const linkTo = (id: string) => `https://example.com/t?a=1&b=2#${id}`

async function draw(name: string) {
  const graph = graphOf(drawable.get(name) ?? hostileChart)
  const layout = await layOut(graph, await loadEngine())
  return { graph, layout, svg: drawSvg(layout, { linkTo }) }
}

let session: Awaited<ReturnType<typeof draw>>
let signIn: Awaited<ReturnType<typeof draw>>

beforeAll(async () => {
  session = await draw('session')
  signIn = await draw('sign-in')
}, 60_000)

describe('the diagram of a flow', () => {
  it('has a text alternative with every state and every edge', () => {
    const [, words = ''] = /<desc[^>]*>([^<]*)/.exec(signIn.svg) ?? []
    for (const { id } of signIn.graph.nodes) expect(words).toMatch(new RegExp(`^${id}[ :]`, 'm'))
    for (const { source, event, target } of signIn.graph.edges) {
      const start = source === undefined ? 'In any state, ' : `In ${source}, `
      const line = words
        .split('\n')
        .find((each) => each.startsWith(start) && each.endsWith(` leads to ${target}.`))
      expect(line).toContain(event)
    }
    expect(signIn.svg).toMatch(
      /^<svg [^>]*role="img" aria-labelledby="sign-in-title" aria-describedby="sign-in-text"/,
    )
    expect(signIn.svg).toContain('<title id="sign-in-title">The flow sign-in</title>')
  })

  it('shows every state with its name, its step, and a link for each requirement', () => {
    for (const { id, name, step, spec } of signIn.graph.nodes) {
      const [, state = ''] = signIn.svg.split(`data-state="${id}">`)
      const drawn = state.slice(0, state.indexOf('</g>'))
      expect(drawn).toContain(`>${name}</text>`)
      if (step !== undefined) expect(drawn).toContain(`>${step}</text>`)
      for (const each of spec) {
        expect(drawn).toContain(`href="https://example.com/t?a=1&amp;b=2#${each}"`)
        expect(drawn).toContain(
          `<title>${each}: ${requirement(each).says.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}`,
        )
      }
    }
  })

  it('has one line between two states, with its events stacked', () => {
    for (const { graph, svg } of [session, signIn]) {
      expect(count(svg, /<path class="line"[^>]*data-|<g class="arrow [^"]*" data-[^>]*><path/g)).toBe(
        mergeEdges(graph).length,
      )
      const events = names(svg, /data-event="([^"]+)"/g)
      expect(events.toSorted()).toEqual(graph.edges.map(({ event }) => event).toSorted())
    }
  })

  it('shows an event that every state handles only once, in a note', () => {
    expect(count(signIn.svg, /data-event="fault"/g)).toBe(1)
    expect(count(signIn.svg, />in any state<\/text>/g)).toBe(1)
    expect(count(signIn.svg, /class="arrow fault anywhere" data-target="faulted"/g)).toBe(2)
  })

  it('marks the initial state of the flow and of each compound state', () => {
    expect(signIn.layout.starts).toHaveLength(2)
    expect(count(signIn.svg, /<circle/g)).toBe(2 + 1)
  })

  it('colours final states and the arrows to them by kind, and gives final states a double border', () => {
    for (const { id, ending } of session.graph.nodes) {
      if (ending === undefined) continue
      expect(session.svg).toContain(`<g class="state final ${ending}" data-state="${id}">`)
      expect(session.svg).toMatch(new RegExp(`class="arrow ${ending}[^"]*" [^>]*data-target="${id}"`))
    }
    const ends = session.graph.nodes.filter(({ kind }) => kind === 'final').length
    expect(count(session.svg, /<rect class="inner"/g)).toBe(ends + 3)
  })

  it('explains in the legend only what it shows', async () => {
    for (const tone of ['success', 'refusal', 'fault']) expect(session.svg).toContain(`>end: ${tone}</text>`)
    const { svg } = await draw('journey')
    expect(svg).not.toContain('>end: ')
    expect(svg).not.toContain('its step')
  })

  it('follows the colour scheme, with styles for its own elements only', () => {
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(session.svg) ?? []
    expect(style).toContain('@media(prefers-color-scheme:dark)')
    const selectors = [...style.matchAll(/([^{}]+)\{/g)].map(([, selector = '']) => selector.trim())
    for (const list of selectors.filter((each) => !each.startsWith('@')))
      for (const selector of list.split(',')) expect(selector.trim()).toMatch(/^\.flow\b/)
    expect(names(style, /var\((--[\w-]+)\)/g).filter((name) => !style.includes(`${name}:`))).toEqual([])
  })

  it('has its own ids, so that a page can contain several', () => {
    const ids = [session, signIn].flatMap(({ svg }) => names(svg, / id="([^"]+)"/g))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is identical each time', async () => {
    expect((await draw('session')).svg).toBe(session.svg)
  })

  it('escapes all text of a chart', async () => {
    const { svg } = await draw('hostile')
    expect(svg).not.toContain('<script')
    expect(count(svg, /<\/svg>/g)).toBe(1)
    expect(svg).toContain('data-event="a --> b"')
    expect(svg).toContain('>x;y#z%%{}</text>')
  })
})

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length
}

function names(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name)
}
