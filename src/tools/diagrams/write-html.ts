import { h, type ComponentChild } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { requirement, type RequirementId } from '../../../spec/index.ts'
import type { FlowGraph, FlowNode } from '../../../machines/graph.ts'
import { mergeEdges, type Arrow } from './arrows.ts'
import type { FlowCoverage } from './coverage-marks.ts'
import { createSvg } from './draw-svg.ts'
import type { Layout } from './lay-out.ts'

export interface HtmlOptions {
  /** Returns the URL that explains a requirement in detail. Without it, there are no links. */
  readonly linkTo?: ((id: RequirementId) => string) | undefined
  /** How often each edge was taken, for a layout with room for it. */
  readonly coverage?: FlowCoverage | undefined
}

const style = `:root{color-scheme:light dark;--back:#f5f7f9;--paper:#fff;--ink:#1b2430;--muted:#566173;--rim:#d9dee5;--link:#1d4fb8}
@media(prefers-color-scheme:dark){:root{--back:#0b0f14;--paper:#10151b;--ink:#e8edf3;--muted:#a3afbd;--rim:#2b3541;--link:#8db4ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:1rem/1.55 ui-sans-serif,system-ui,'Segoe UI',Roboto,sans-serif}
main{max-width:70rem;margin:0 auto;padding:2rem 1rem 4rem}
h1{margin:0 0 .25rem;font-size:1.7rem}
h2{margin:2.5rem 0 .75rem;font-size:1.2rem}
p{margin:0 0 1rem;color:var(--muted)}
a{color:var(--link)}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
figure{margin:1.5rem 0;padding:.5rem;overflow-x:auto;background:var(--paper);border:1px solid var(--rim);border-radius:12px}
figure svg{display:block;margin:0 auto}
dl{margin:0}
dt{margin-top:1rem;font-weight:600}
dt:target{outline:2px solid var(--link);outline-offset:4px;border-radius:2px}
dd{margin:.1rem 0 0;overflow-wrap:anywhere}
dd.more{color:var(--muted);font-size:.9rem}`

/** Writes a page about one flow: the diagram, its states, and their requirements. It loads nothing. */
export function writeHtml(layout: Layout, { linkTo, coverage }: HtmlOptions = {}): string {
  const { graph } = layout
  const page = h('html', { lang: 'en' }, [
    h('head', {}, [
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('title', {}, `The flow ${graph.id}`),
      h('style', { dangerouslySetInnerHTML: { __html: style } }),
    ]),
    h('body', {}, [
      h('main', {}, [
        h('h1', {}, graph.id),
        h('p', {}, [graph.description, ' (', linkIds(graph.spec), ')']),
        coverage && describeCoverage(coverage),
        h(
          'figure',
          { tabindex: 0, 'aria-label': 'Drawing' },
          createSvg(layout, { linkTo: hash, role: 'document', marks: coverage?.marks }),
        ),
        h('h2', {}, 'States'),
        h('dl', {}, listStates(graph)),
        h('h2', {}, 'Requirements'),
        h('dl', {}, listRequirements(graph, linkTo)),
      ]),
    ]),
  ])
  return `<!DOCTYPE html>\n${renderToString(page)}\n`
}

function describeCoverage({ taken, total, never }: FlowCoverage): ComponentChild[] {
  const lead = `${taken} of ${total} transitions were taken.`
  if (never.length === 0) return [h('p', {}, lead)]
  return [
    h('p', {}, `${lead} Never:`),
    h(
      'ul',
      {},
      never.map((edge) => h('li', {}, h('code', {}, edge))),
    ),
  ]
}

function listStates(graph: FlowGraph): ComponentChild[] {
  const arrows = mergeEdges(graph)
  return graph.nodes.map((node) => [
    h('dt', { id: `state-${node.id}` }, h('code', {}, node.id)),
    h('dd', {}, node.description),
    h('dd', { class: 'more' }, [kindOf(node), ' ', linkIds(node.spec)]),
    arrows.filter(({ source }) => source === node.id).map(describeArrow),
  ])
}

function kindOf({ kind, step, ending }: FlowNode): ComponentChild {
  if (step !== undefined) return ['Runs ', h('code', {}, step), '.']
  if (ending !== undefined) return `Ends the flow: ${ending}.`
  return kind === 'compound' ? 'Holds other states.' : 'Waits for the browser.'
}

function describeArrow({ events, target }: Arrow): ComponentChild {
  const names = events.map((event, index) => [index > 0 && ', ', h('code', {}, event)])
  return h('dd', { class: 'more' }, [
    names,
    ' leads to ',
    h('a', { href: `#state-${target}` }, h('code', {}, target)),
  ])
}

function listRequirements(graph: FlowGraph, linkTo: HtmlOptions['linkTo']): ComponentChild[] {
  return requirementsOf(graph).map((id) => {
    const { says, source } = requirement(id)
    return [
      h('dt', { id }, linkTo ? h('a', { href: linkTo(id) }, id) : id),
      h('dd', {}, says),
      h('dd', { class: 'more' }, source),
    ]
  })
}

/** Returns the requirements of a flow, each once, in the order in which it names them. */
export function requirementsOf(graph: FlowGraph): readonly RequirementId[] {
  return [...new Set([...graph.spec, ...graph.nodes.flatMap(({ spec }) => spec)])]
}

function linkIds(ids: readonly RequirementId[]): ComponentChild[] {
  return ids.map((id, index) => [index > 0 && ', ', h('a', { href: hash(id) }, id)])
}

function hash(id: string): string {
  return `#${id}`
}
