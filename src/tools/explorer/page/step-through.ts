import { beginsAt, hopsFrom } from '../walk.ts'
import { button, type Content, html } from './dom.ts'
import { type Explorer, graphOf, keyFor, saysOf } from './state.ts'

/** Lets the reader walk through a flow by choosing an event in each state. */
export function stepThrough(explorer: Explorer): Content {
  const { flow, walk } = explorer.state
  const graph = graphOf(explorer, flow)
  const begin = beginsAt(graph)
  if (begin === undefined)
    return [
      html('h2', {}, 'Step through'),
      html('p', {}, 'All regions of this diagram are active at once. Choose a flow to step through it.'),
    ]
  const at = walk.at(-1)?.next ?? begin
  const node = graph.nodes.find(({ id }) => id === at)
  const options = hopsFrom(graph, saysOf(explorer, flow), at)
  const to = (next: typeof walk) =>
    explorer.go({ walk: next, key: keyFor(explorer, flow, next.at(-1)?.next ?? begin) })
  return [
    html('h2', {}, 'Step through'),
    html(
      'ol',
      { class: 'trail', 'aria-label': 'Steps so far' },
      walk.map(({ state, event }, index) =>
        html(
          'li',
          {},
          button(state.split('.').at(-1), () => to(walk.slice(0, index)), { class: 'place' }),
          ' ',
          html('code', { class: 'event' }, event),
        ),
      ),
    ),
    html(
      'div',
      { class: `now ${node?.ending ?? ''}`, role: 'status' },
      html('strong', {}, at),
      html('p', {}, `${node?.description ?? ''}.`),
    ),
    options.length > 0 && html('h3', {}, 'Choose what happens next'),
    html(
      'ul',
      { class: 'choices' },
      options.map((hop) => {
        const target = graph.nodes.find(({ id }) => id === hop.next)
        return html(
          'li',
          {},
          button(
            [
              html('code', {}, hop.event),
              html('span', { class: `to ${target?.ending ?? ''}` }, `to ${hop.next.split('.').at(-1)}`),
            ],
            () => to([...walk, hop]),
          ),
        )
      }),
    ),
    html(
      'p',
      { class: 'row' },
      walk.length > 0 && button('Back', () => to(walk.slice(0, -1))),
      walk.length > 1 && button('Start again', () => to([])),
    ),
  ]
}
