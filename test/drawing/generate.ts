import type { FlowGraph } from '../../machines/graph.ts'
import { graphOf } from '../../machines/graph.ts'
import { requirement } from '../../spec/index.ts'
import { drawable } from '../../src/cli/flows.ts'
import { loadEngine } from '../../src/cli/load-engine.ts'
import { drawSvg } from '../../src/drawing/draw-svg.ts'
import { layOut } from '../../src/drawing/lay-out.ts'
import { requirementsOf } from '../../src/drawing/write-html.ts'
import { writeMermaid } from '../../src/drawing/write-mermaid.ts'
import type { Generator } from '../support/generator.ts'

/** Writes docs/flows/: a drawing and a page for each flow, and a page that lists them. */
export const flows: Generator = {
  name: 'flows',
  async generate() {
    const engine = await loadEngine()
    const graphs = [...drawable.values()].map(graphOf)
    const files: Record<string, string> = { 'docs/flows/README.md': writeIndex(graphs) }
    for (const graph of graphs) {
      files[`docs/flows/${graph.id}.svg`] = drawSvg(await layOut(graph, engine), {
        linkTo: (id) => `${graph.id}.md#${id}`,
      })
      files[`docs/flows/${graph.id}.md`] = writePage(graph)
    }
    return files
  },
}

const notice = '<!-- Written by `npm run flows` from machines/; edits are overwritten. -->'

function writeIndex(graphs: readonly FlowGraph[]): string {
  return [
    notice,
    '',
    '# The flows',
    '',
    'Each is drawn from the statechart that runs. Hover over a state or an id in a drawing of its own to read what it is',
    'held to; `authmachine flows --help` says how to draw them yourself.',
    '',
    '| Flow | What it does | States | Edges |',
    '| --- | --- | --: | --: |',
    ...graphs.map(({ id, description, nodes, edges }) =>
      row([`[${id}](${id}.md)`, cell(description), String(nodes.length), String(edges.length)]),
    ),
    '',
  ].join('\n')
}

function writePage(graph: FlowGraph): string {
  const { id, description, spec, nodes } = graph
  return [
    notice,
    '',
    `# The flow ${id}`,
    '',
    `${description}. ${spec.map(link).join(', ')}`,
    '',
    `[![Drawing of the flow ${id}](${id}.svg)](${id}.svg)`,
    '',
    '## States',
    '',
    '| State | What it is about | Runs | Requirements |',
    '| --- | --- | --- | --- |',
    ...nodes.map(({ id: place, description: what, step, ending, spec: ids }) =>
      row([
        code(place),
        cell(what),
        step === undefined ? (ending ?? '') : code(step),
        ids.map(link).join(', '),
      ]),
    ),
    '',
    '## Requirements',
    '',
    '| Id | Says |',
    '| --- | --- |',
    ...requirementsOf(graph).map((each) => row([anchor(each), cell(requirement(each).says)])),
    '',
    '## As text',
    '',
    '```mermaid',
    writeMermaid(graph),
    '```',
    '',
    '[All flows](README.md)',
    '',
  ].join('\n')
}

/** A link to the row of a requirement, further down on the page. */
function link(id: string): string {
  return `[${id}](#${id})`
}

function anchor(id: string): string {
  return `<a id="${id}"></a>${id}`
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function code(text: string): string {
  return `\`${text}\``
}

/** A bar would end the cell, and an angle bracket start an element. */
function cell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
}
