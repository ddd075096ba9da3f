import type { FlowEdge, FlowGraph, FlowNode } from '../../../../machines/graph.ts'
import { button, type Content, html, prose } from './dom.ts'
import { type Explorer, graphOf, showFrame, showPlace } from './state.ts'

/** Explains the selected state, or the flow. */
export function describe(explorer: Explorer): Content {
  const graph = graphOf(explorer, explorer.state.flow)
  const node = graph.nodes.find(({ id }) => id === explorer.state.selected)
  return node ? describeState(explorer, graph, node) : describeFlow(explorer, graph)
}

function describeFlow(explorer: Explorer, graph: FlowGraph): Content {
  const outcomes = graph.nodes.filter(({ kind }) => kind === 'final')
  return [
    html('h2', {}, graph.id),
    html('p', {}, `${graph.description}.`),
    html(
      'p',
      { class: 'hint' },
      'Select a state to see its requirements, its code, its tests and the attacks that it stops.',
    ),
    outcomes.length > 0 && [
      html('h3', {}, 'Outcomes'),
      html(
        'ul',
        { class: 'links' },
        outcomes.map((node) =>
          html(
            'li',
            {},
            button(node.name, () => explorer.go({ tab: 'paths', goal: node.id, path: undefined }), {
              class: `place ${node.ending}`,
            }),
            html('span', { class: 'what' }, node.description),
          ),
        ),
      ),
    ],
    describeRequirements(explorer, graph.spec),
  ]
}

function describeState(explorer: Explorer, graph: FlowGraph, node: FlowNode): Content {
  const { step } = node
  const file = step === undefined ? undefined : explorer.data.code[step]
  const out = graph.edges.filter(({ source }) => source === node.id)
  const into = graph.edges.filter(({ target }) => target === node.id)
  return [
    html('p', { class: 'crumbs' }, [graph.id, ...node.id.split('.').slice(0, -1)].join(' / ')),
    html('h2', {}, node.name, ' ', html('span', { class: `badge ${node.ending ?? ''}` }, kindOf(node))),
    html('p', {}, prose(`${node.description}.`)),
    step !== undefined && [
      html('h3', {}, 'Code'),
      html('p', {}, html('code', {}, step), file !== undefined && [' in ', linkTo(explorer, file)]),
    ],
    out.length > 0 && [html('h3', {}, 'What happens next'), listEdges(explorer, graph, out, 'target')],
    into.length > 0 && [html('h3', {}, 'How it gets here'), listEdges(explorer, graph, into, 'source')],
    node.kind === 'final' &&
      html(
        'p',
        {},
        button(`Show all paths to ${node.name}`, () =>
          explorer.go({ tab: 'paths', goal: node.id, path: undefined }),
        ),
      ),
    describeRequirements(explorer, node.spec),
  ]
}

function linkTo({ setup: { sourceUrl } }: Explorer, file: string): Content {
  const code = html('code', {}, file)
  return sourceUrl === undefined ? code : html('a', { href: sourceUrl + file }, code)
}

function kindOf({ kind, ending }: FlowNode): string {
  if (ending !== undefined) return ending
  return { working: 'runs a step', resting: 'waits', compound: 'group of states', final: '' }[kind]
}

function listEdges(
  explorer: Explorer,
  graph: FlowGraph,
  edges: readonly FlowEdge[],
  end: 'source' | 'target',
): Content {
  return html(
    'ul',
    { class: 'links' },
    edges.map(({ event, ...edge }) => {
      const place = edge[end]
      const node = graph.nodes.find(({ id }) => id === place)
      return html(
        'li',
        {},
        html('code', { class: 'event' }, event),
        html('span', { class: 'arrow-text', 'aria-hidden': 'true' }, end === 'target' ? ' → ' : ' ← '),
        html('span', { class: 'quiet' }, end === 'target' ? 'leads to ' : 'from '),
        place === undefined
          ? 'any state'
          : button(place.split('.').at(-1), () => explorer.go(showPlace(explorer, graph.id, place)), {
              class: `place ${node?.ending ?? ''}`,
            }),
      )
    }),
  )
}

/** Lists requirements, each with its tests and the published attacks that it prevents. */
function describeRequirements(explorer: Explorer, ids: readonly string[]): Content {
  if (ids.length === 0) return undefined
  const { requirements, requirementUrl } = explorer.setup
  return [
    html('h3', {}, 'Requirements'),
    ids.map((id) => {
      const { says = '', source = '' } = requirements[id] ?? {}
      const { total, some } = explorer.data.tests[id] ?? { total: 0, some: [] }
      const attacks = explorer.data.attacks[id] ?? []
      const story = explorer.recordings.find(({ id: name }) => name === id)
      const name = html('strong', {}, id)
      return html(
        'section',
        { class: 'requirement' },
        html('p', {}, [
          requirementUrl === undefined ? name : html('a', { href: requirementUrl + id }, name),
          ' ',
          prose(says),
        ]),
        source !== '' && html('p', { class: 'source' }, source),
        story &&
          button(`Play the story of ${id}`, () =>
            explorer.go({ ...showFrame(explorer, story, 0), isPlaying: true }),
          ),
        total > 0 &&
          more(`${total} ${total === 1 ? 'test' : 'tests'}`, [
            ...some.map(prose),
            total > some.length && `and ${total - some.length} more`,
          ]),
        attacks.length > 0 &&
          more(
            `${attacks.length} published ${attacks.length === 1 ? 'attack' : 'attacks'} that it stops`,
            attacks.map(({ id: number, project, cause }) => [
              html('strong', {}, number),
              ` (${project}): ${cause}`,
            ]),
          ),
      )
    }),
  ]
}

function more(title: string, items: readonly Content[]): Content {
  return html(
    'details',
    {},
    html('summary', {}, title),
    html(
      'ul',
      {},
      items.map((item) => item !== false && html('li', {}, item)),
    ),
  )
}
