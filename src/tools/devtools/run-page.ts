import { h, type ComponentChild } from 'preact'
import type { FlowGraph, FlowNode } from '../../../machines/graph.ts'
import { requirement, type RequirementId } from '../../../spec/index.ts'
import { createSvg } from '../diagrams/draw-svg.ts'
import type { Layout } from '../diagrams/lay-out.ts'
import { traceFlow, writeMilliseconds } from '../diagrams/trace-marks.ts'
import { requirementsOf } from '../diagrams/write-html.ts'
import { createRow } from './list-page.ts'
import { markCode, writePage } from './style.ts'
import type { RecordedHop, RecordedRun } from './recorded-run.ts'
import { explainError, referTo } from '../../errors/explanations.ts'
import { failureOf, summarise, summariseGroup } from './summary.ts'

/** The data of the page of a run. */
export interface ShownRun {
  readonly run: RecordedRun
  /** The runs of its group, the oldest first. */
  readonly group: readonly RecordedRun[]
  readonly graph: FlowGraph
  readonly layout: Layout | undefined
  /** Path under which devtools are mounted. */
  readonly path: string
}

/** Writes the page of one run: the failure, the path with its times, and the diagram if there is a layout. */
export function writeRunPage({ run, group, graph, layout, path }: ShownRun): string {
  const { look, verdict, took, at } = summarise(run, path)
  return writePage({
    title: `${run.flow} ${Number.parseInt(run.id)}`,
    path,
    children: [
      h('p', { class: 'back' }, h('a', { href: path }, 'All runs')),
      h('h1', { class: 'title', ...(run.ending === undefined && { 'data-awaits': run.id }) }, [
        run.flow,
        ' ',
        h('span', { class: `badge ${look}` }, verdict),
      ]),
      h('p', { class: 'lead' }, [
        `${graph.description}. `,
        h('code', {}, run.request),
        ', at ',
        h('time', { 'data-slot': 'at', dateTime: at }, at.slice(11, 19)),
        `, ${run.hops.length} steps in ${took}.`,
      ]),
      createFailure(run, graph),
      createGroup(run, group, path),
      h('h2', {}, 'Path'),
      h('ol', { class: 'path' }, listHops(run, graph)),
      h('h2', {}, 'Diagram'),
      h('p', {}, [
        h('a', { href: `${path}/explorer#play/${run.id}` }, 'Play this run'),
        ' in the flow explorer, with its sequence diagram.',
      ]),
      layout ? createDrawing(run, layout) : h('p', {}, missing),
      h('h2', {}, 'Replay'),
      h('p', {}, [
        h('a', { href: `${path}/runs/${run.id}.json` }, 'This run as JSON'),
        '. ',
        h('code', {}, 'replayRun'),
        ' from ',
        h('code', {}, 'authmachine/machines'),
        ' replays it in an inspector.',
      ]),
      h('h2', {}, 'Requirements'),
      h('details', {}, [
        h('summary', {}, 'Requirements that the states of this flow fulfil'),
        h('dl', { class: 'requirements' }, listRequirements(requirementsOf(graph), 'requirement-')),
      ]),
    ],
  })
}

const missing =
  'A diagram on this page needs elkjs, which is not installed: npm install --save-dev elkjs. The explorer does not.'

function createFailure(run: RecordedRun, graph: FlowGraph): ComponentChild {
  const failure = failureOf(run)
  const node = failure && graph.nodes.find(({ id }) => id === failure.state)
  if (!failure || !node) return undefined
  return h('section', { class: `failure ${run.ending}`, 'aria-labelledby': 'failure' }, [
    h('h2', { id: 'failure' }, ['It ended in ', h('code', {}, failure.state)]),
    h('p', { class: 'reason' }, markCode(failure.reason ?? '')),
    h('dl', {}, [
      h('dt', {}, 'What to do'),
      h('dd', {}, markCode(failure.todo ?? '')),
      h('dt', {}, 'What happened'),
      h('dd', {}, [
        `The step “${node.description}” reported `,
        h('code', {}, failure.event),
        ', and the flow ended in ',
        h('code', {}, run.state),
        `: “${describe(run.state, graph)}”.`,
      ]),
      run.errors.length > 0 && [
        h('dt', {}, 'Error'),
        run.errors.map(createError),
        h('dd', {}, 'The server log has the messages.'),
      ],
      listRequirements(node.spec),
    ]),
  ])
}

/** Explains the type of an error in words. The messages are only in the log. */
function createError(type: string, index: number): ComponentChild {
  const explained = explainError(type)
  return h('dd', {}, [
    index > 0 && 'Caused by ',
    h('code', {}, type),
    '. ',
    explained
      ? markCode(`${explained.sentence} ${explained.fix} ${referTo(explained.section)}`)
      : 'It comes from your code or from a package.',
  ])
}

const describe = (state: string, { nodes }: FlowGraph) =>
  nodes.find(({ id }) => id === state)?.description ?? ''

/** Lists the requests of the same sign-in, if there are others. */
function createGroup(run: RecordedRun, group: readonly RecordedRun[], path: string): ComponentChild {
  if (group.length < 2) return undefined
  const { id, title, count } = summariseGroup(group)
  return [
    h('h2', {}, `${title}: ${count}`),
    h(
      'ol',
      { class: 'siblings' },
      group.map((each) => createRow(summarise(each, path), each.id === run.id ? 'page' : undefined)),
    ),
    h('p', {}, [
      h('a', { href: `${path}/explorer#play/group-${id}` }, 'Play these requests'),
      ' in the flow explorer.',
    ]),
  ]
}

function listHops(run: RecordedRun, graph: FlowGraph): ComponentChild[] {
  const longest = Math.max(...run.hops.map(({ milliseconds }) => milliseconds), 1)
  const nodeAt = (place: string) => graph.nodes.find(({ id }) => id === place)
  const failed = failureOf(run) !== undefined
  return [
    ...run.hops.map((hop, index) =>
      createHop(hop, nodeAt(hop.state), longest, failed && index === run.hops.length - 1 ? run.ending : ''),
    ),
    h('li', { class: `end ${run.ending ?? 'running'}` }, [
      h('strong', {}, run.state),
      ' ',
      h('span', { class: 'what' }, nodeAt(run.state)?.description),
    ]),
  ]
}

function createHop(
  { state, event, milliseconds }: RecordedHop,
  node: FlowNode | undefined,
  longest: number,
  look = '',
): ComponentChild {
  const width = Math.max(1, Math.round((milliseconds / longest) * 100))
  return h('li', { class: `hop ${look}`.trim() }, [
    h('strong', {}, breakAtDots(state)),
    ' ',
    h('span', { class: 'what' }, node?.description),
    ' ',
    h('code', { class: 'event' }, event),
    ' ',
    h('span', { class: 'took' }, writeMilliseconds(milliseconds)),
    h(
      'svg',
      { class: 'time', viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      h('rect', { width, height: 4 }),
    ),
  ])
}

function createDrawing(run: RecordedRun, layout: Layout): ComponentChild {
  return h(
    'figure',
    { class: 'drawing', tabindex: 0, role: 'region', 'aria-label': 'Diagram' },
    createSvg(layout, {
      linkTo: (id) => `#requirement-${id}`,
      role: 'document',
      marks: traceFlow(layout.graph, run),
      styled: false,
    }),
  )
}

function listRequirements(ids: readonly RequirementId[], prefix?: string): ComponentChild[] {
  return ids.map((id) => [
    h('dt', prefix === undefined ? {} : { id: `${prefix}${id}` }, id),
    h('dd', {}, markCode(requirement(id).says)),
  ])
}

/** Allows line breaks in long names, for narrow screens. */
function breakAtDots(place: string): ComponentChild[] {
  return place.split('.').map((part, index) => (index === 0 ? part : ['.', h('wbr', {}), part]))
}
