import type { Recording } from '../data.ts'
import { button, type Content, html, replace } from './dom.ts'
import { find } from './find.ts'
import { type Explorer, openRecording, showFlow, showFrame, type State } from './state.ts'

/** The list of flows and recordings, with a search field above. */
export interface Sidebar {
  readonly element: HTMLElement
  readonly show: () => void
  readonly focus: () => void
}

export function createSidebar(explorer: Explorer): Sidebar {
  const field = html('input', {
    id: 'find',
    type: 'search',
    placeholder: 'State, event or TX-05',
    autocomplete: 'off',
    input: () => list(),
    keydown(event) {
      if (event instanceof KeyboardEvent && event.key === 'ArrowDown') {
        event.preventDefault()
        results.querySelector('button')?.focus()
      }
    },
  })
  const results = html('div', { class: 'lists' })
  const element = html(
    'nav',
    { class: 'sidebar', 'aria-label': 'Flows and recordings' },
    explorer.setup.back &&
      html('a', { class: 'back', href: explorer.setup.back.href }, explorer.setup.back.text),
    html('label', { class: 'find', for: 'find' }, html('span', {}, 'Search'), field),
    results,
  )
  let shown = ''

  function list(): void {
    shown = ''
    show()
  }

  function show(): void {
    const { flow, recording } = explorer.state
    const now = JSON.stringify([flow, recording?.id, field.value])
    if (now === shown) return
    shown = now
    replace(results, field.value.trim() === '' ? listAll(explorer) : listFound(explorer, field.value))
    if (recording) scrollTo(element, results.querySelector<HTMLElement>('[aria-current]'))
  }

  return { element, show, focus: () => field.focus() }
}

/** Scrolls the sidebar alone, because `scrollIntoView` would also scroll the page. */
function scrollTo(sidebar: HTMLElement, item: HTMLElement | null): void {
  if (!item) return
  const [outer, inner] = [sidebar.getBoundingClientRect(), item.getBoundingClientRect()]
  const isVisible = inner.top >= outer.top && inner.bottom <= outer.bottom
  if (!isVisible) sidebar.scrollTop += inner.top - outer.top - outer.height / 3
}

function listAll(explorer: Explorer): Content {
  const { state, setup, recordings } = explorer
  const groups = [...new Set(recordings.map(({ group }) => group))]
  return [
    html('h2', {}, 'Flows'),
    html(
      'ul',
      {},
      setup.graphs.map(({ id, description }) => {
        const isUsed = setup.used?.includes(id) ?? true
        return html(
          'li',
          {},
          button(
            [id, !isUsed && html('span', { class: 'quiet-note' }, 'not configured')],
            () => explorer.go(showFlow(explorer, id)),
            {
              title: description,
              class: isUsed ? '' : 'unused',
              'aria-current': state.flow === id && !state.recording && 'page',
            },
          ),
        )
      }),
    ),
    groups.map((group) => {
      const these = recordings.filter((each) => each.group === group)
      return html(
        'details',
        { open: these.length <= 8 || these.some(({ id }) => id === state.recording?.id) },
        html('summary', {}, html('span', { class: 'heading' }, group), ` ${these.length}`),
        html(
          'ul',
          {},
          these.map((each) =>
            html(
              'li',
              {},
              button(each.title, () => explorer.go(choose(explorer, each)), {
                'aria-current': state.recording?.id === each.id && 'page',
              }),
            ),
          ),
        ),
      )
    }),
  ]
}

/** A recording with a summary opens there; others play. */
function choose(explorer: Explorer, recording: Recording): Partial<State> {
  if (recording.breaks) return openRecording(explorer, recording)
  return { ...showFrame(explorer, recording, 0), isPlaying: true }
}

function listFound(explorer: Explorer, text: string): Content {
  const found = find(explorer, text)
  return [
    html('h2', { role: 'status' }, `${found.length === 40 ? 'The first 40' : found.length} results`),
    html(
      'ul',
      {},
      found.map(({ title, where, change }) =>
        html(
          'li',
          {},
          button([title, html('span', { class: 'quiet-note' }, where)], () => explorer.go(change())),
        ),
      ),
    ),
  ]
}
