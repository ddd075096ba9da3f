import { findEdge } from '../../../../machines/graph.ts'
import { mergeEdges } from '../../diagrams/arrows.ts'
import { type ReachedRun, runAt } from '../run-at.ts'
import { button, type Content, html } from './dom.ts'
import { type Explorer, graphOf, showPlace } from './state.ts'
import { sayStop } from './stops.ts'

/** Returns the part of the open recording in this flow. */
function traceOf({ state: { recording, at, flow } }: Explorer): Pick<ReachedRun, 'hops' | 'stops'> {
  const run = recording && runAt(recording, at)
  return run?.flow === flow ? run : { hops: [], stops: [] }
}

/** Lists the states and transitions of a flow: the diagram in words. */
export function writeAsText(explorer: Explorer): Content {
  const graph = graphOf(explorer, explorer.state.flow)
  const arrows = mergeEdges(graph)
  const { hops, stops } = traceOf(explorer)
  const taken = hops.map(({ state, event }) => findEdge(graph, state, event))
  const isTaken = (source: string, event: string) =>
    taken.some((edge) => edge?.source === source && edge.event === event)
  const link = (place: string) =>
    button(place, () => explorer.go(showPlace(explorer, graph.id, place)), { class: 'place' })
  return [
    html('h2', {}, `${graph.id} in words`),
    html(
      'p',
      {},
      `${graph.description}. `,
      graph.initial !== undefined && ['It begins in ', link(graph.initial), '.'],
    ),
    stops.map((stop) => html('p', {}, html('strong', {}, sayStop(stop)))),
    html(
      'dl',
      {},
      graph.nodes.map(({ id, description, step, ending, initial }) => [
        html('dt', {}, link(id)),
        html('dd', {}, [
          `${description}. `,
          step !== undefined && ['Runs ', html('code', {}, step), '. '],
          ending !== undefined && `An outcome: ${ending}. `,
          initial !== undefined && ['Begins in ', link(initial), '. '],
        ]),
        arrows
          .filter(({ source }) => source === id)
          .map(({ events, target }) =>
            html(
              'dd',
              { class: 'edge' },
              events.map((event, index) => [
                index > 0 && ' or ',
                html('code', {}, event),
                isTaken(id, event) && ' (taken)',
              ]),
              ' leads to ',
              link(target),
            ),
          ),
      ]),
      arrows
        .filter(({ source }) => source === undefined)
        .map(({ events, target }) => [
          html('dt', {}, 'In any state'),
          html('dd', {}, html('code', {}, events.join(', ')), ' leads to ', link(target)),
        ]),
    ),
  ]
}
