import type { Recording } from '../data.ts'
import type { Hop } from '../walk.ts'
import { button, type Content, html } from './dom.ts'
import { type Explorer, graphOf, pathsOf, showFrame } from './state.ts'

/** Lets the reader choose an outcome, and lists all paths to it. */
export function listPaths(explorer: Explorer): Content {
  const { flow, goal, path } = explorer.state
  const graph = graphOf(explorer, flow)
  const outcomes = graph.nodes.filter(({ kind }) => kind === 'final')
  if (outcomes.length === 0)
    return [html('h2', {}, 'Paths'), html('p', {}, 'This diagram has no outcomes. Choose a flow.')]
  const select = html(
    'select',
    {
      id: 'goal',
      change: () => explorer.go({ goal: select.value === '' ? undefined : select.value, path: undefined }),
    },
    html('option', { value: '' }, 'Choose an outcome'),
    (['success', 'refusal', 'fault'] as const).map((kind) => {
      const these = outcomes.filter(({ ending }) => ending === kind)
      return (
        these.length > 0 &&
        html(
          'optgroup',
          { label: kind },
          these.map(({ id, name }) => html('option', { value: id, selected: id === goal }, name)),
        )
      )
    }),
  )
  const { paths, isCut } = pathsOf(explorer)
  const end = graph.nodes.find(({ id }) => id === goal)
  const isFault = graph.edges.some(({ source, target }) => source === undefined && target === goal)
  return [
    html('h2', {}, 'Paths to an outcome'),
    html('p', {}, html('label', { for: 'goal' }, 'Outcome '), select),
    end && html('p', {}, `${end.description}.`),
    end && isFault && html('p', {}, 'A step that throws in any state leads here.'),
    end &&
      html(
        'p',
        { role: 'status', class: 'hint' },
        isCut
          ? `The ${paths.length} shortest paths:`
          : `${paths.length} ${paths.length === 1 ? 'path' : 'paths'}`,
      ),
    html(
      'ol',
      { class: 'paths' },
      paths.map((hops, index) =>
        html(
          'li',
          {},
          button(writePath(hops), () => explorer.go({ path: path === index ? undefined : index }), {
            'aria-pressed': String(path === index),
          }),
          path === index && [
            html(
              'ol',
              { class: 'trail' },
              hops.map(({ state, event }) =>
                html('li', {}, html('span', {}, state), ' ', html('code', { class: 'event' }, event)),
              ),
            ),
            button('Play this path', () =>
              explorer.go({ ...showFrame(explorer, toRecording(flow, hops), 0), isPlaying: true }),
            ),
          ],
        ),
      ),
    ),
  ]
}

/** The events distinguish the paths, and most events of a path also occur in the other paths. */
function writePath(hops: readonly Hop[]): string {
  const turns = hops.slice(-3).map(({ event }) => event)
  return `${hops.length} ${hops.length === 1 ? 'step' : 'steps'}, ending with ${turns.join(', ')}`
}

function toRecording(flow: string, hops: readonly Hop[]): Recording {
  const end = hops.at(-1)?.next ?? ''
  return {
    id: 'path',
    title: `A path to ${end}`,
    group: 'Paths',
    frames: [
      { kind: 'request', text: flow },
      ...hops.map((hop) => ({ kind: 'hop' as const, flow, ...hop })),
      { kind: 'reply', text: end },
    ],
  }
}
