import { type FlowGraph, graphOf } from '../../machines/graph.ts'
import { requirement } from '../../spec/index.ts'
import { loadEngine } from '../../src/tools/cli/flows.ts'
import { drawable } from '../../src/tools/diagrams/drawable.ts'
import { drawSvg } from '../../src/tools/diagrams/draw-svg.ts'
import { layOut } from '../../src/tools/diagrams/lay-out.ts'
import { requirementsOf } from '../../src/tools/diagrams/write-html.ts'
import { writeMermaid } from '../../src/tools/diagrams/write-mermaid.ts'
import type { Generator } from '../support/generator.ts'

/** Writes docs/flows/: a diagram and a page for each flow, and an index. */
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

const notice = '<!-- Written by `npm run generated -- flows` from machines/; edits are overwritten. -->'

function writeIndex(graphs: readonly FlowGraph[]): string {
  return [
    notice,
    '',
    '# Flows',
    '',
    'Each diagram is generated from the state machine that handles the requests. Hover over a state or an id in a diagram to',
    'read its requirements. To draw the diagrams yourself, see `authmachine flows --help`.',
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
    `# The ${id} flow`,
    '',
    `${description}. ${spec.map(link).join(', ')}`,
    '',
    `[![Diagram of the ${id} flow](${id}.svg)](${id}.svg)`,
    '',
    '## States',
    '',
    '| State | Description | Step | Requirements |',
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

/** A link to the row of a requirement further down the page. */
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

/** Escapes a bar, which would end the cell, and an angle bracket, which would start an element. */
function cell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
}
