import type { ExplorerData, ExplorerSetup } from '../data.ts'
import { ALL, viewKeys, viewOf } from '../fold.ts'
import { tellAdvisories } from '../tell-advisories.ts'
import { runAt } from '../run-at.ts'
import { beginsAt } from '../walk.ts'
import { listPaths } from './all-paths.ts'
import { writeAsText } from './as-text.ts'
import { createCanvas } from './canvas.ts'
import { describe } from './details.ts'
import { type Diagram, drawDiagram } from './diagram.ts'
import { button, html, replace } from './dom.ts'
import { listExports } from './exports.ts'
import { moveBetweenStates } from './keyboard.ts'
import { light, type Lit } from './light.ts'
import { readAddress, writeAddress } from './address.ts'
import { createPlayer } from './player.ts'
import { showSequence } from './sequence.ts'
import { createSidebar } from './sidebar.ts'
import { type Explorer, graphOf, pathsOf, showFrame, showPlace, type State, type Tab } from './state.ts'
import { stepThrough } from './step-through.ts'
import { writeTitle } from './title.ts'

const tabs: readonly (readonly [Tab, string])[] = [
  ['details', 'Details'],
  ['step', 'Step through'],
  ['paths', 'Paths'],
  ['play', 'Sequence'],
]

/** Builds the page and keeps it up to date. */
export function createExplorer(
  place: HTMLElement,
  data: ExplorerData,
  setup: ExplorerSetup,
  begin: Pick<State, 'flow' | 'key'>,
): void {
  const explorer: Explorer = {
    data,
    setup,
    recordings: [...(setup.recordings ?? []), ...data.stories, ...tellAdvisories(data)],
    state: { ...begin, tab: 'details', walk: [], at: 0, isPlaying: false, isText: false },
    go(change) {
      explorer.state = { ...explorer.state, ...change }
      show()
    },
  }
  let diagram: Diagram | undefined
  let lastFrame = ''
  let lastPanel = ''

  const canvas = createCanvas('Diagram')
  const sidebar = createSidebar(explorer)
  const player = createPlayer(explorer)
  const panel = html('div', { class: 'panel-body', role: 'tabpanel', id: 'panel', tabindex: 0 })
  const text = html('div', {
    class: 'as-text',
    tabindex: 0,
    role: 'region',
    'aria-label': 'Diagram in words',
  })
  const title = html('p', { class: 'title' })
  const unfold = button('Open all', () => toggleAll(), { class: 'unfold' })
  const asText = button('Text', () => explorer.go({ isText: !explorer.state.isText }), {
    'aria-pressed': 'false',
  })
  const tabList = html(
    'div',
    { class: 'tabs', role: 'tablist', 'aria-label': 'About the diagram', keydown: moveTab },
    tabs.map(([tab, name]) =>
      button(name, () => explorer.go({ tab }), { role: 'tab', id: `tab-${tab}`, 'aria-controls': 'panel' }),
    ),
  )
  const exports = html(
    'details',
    { class: 'menu' },
    html('summary', {}, 'Save as'),
    html(
      'div',
      { class: 'menu-items' },
      listExports(() => {
        exports.open = false
        if (!diagram) throw new Error('There is no diagram')
        return diagram
      }),
    ),
  )

  replace(
    place,
    sidebar.element,
    html(
      'section',
      { class: 'stage', 'aria-label': 'Diagram' },
      html('div', { class: 'bar' }, title, html('div', { class: 'tools' }, unfold, asText, exports)),
      html(
        'div',
        { class: 'surface' },
        canvas.element,
        text,
        html(
          'div',
          { class: 'zoom', role: 'group', 'aria-label': 'Zoom' },
          button('+', () => canvas.zoom(1.35), { 'aria-label': 'Zoom in' }),
          button('−', () => canvas.zoom(1 / 1.35), { 'aria-label': 'Zoom out' }),
          button('Fit', () => canvas.fit()),
        ),
      ),
      player.element,
    ),
    html('aside', { class: 'panel', 'aria-label': 'About the diagram' }, tabList, panel),
  )

  canvas.element.addEventListener('click', () => explorer.go({ selected: undefined }))
  canvas.element.addEventListener('keydown', (event) => {
    if (diagram) moveBetweenStates(event, diagram, { ...handlers, zoom: canvas.zoom, fit: canvas.fit })
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
    if (event.key !== '/' || isTyping) return
    event.preventDefault()
    sidebar.focus()
  })
  addEventListener('hashchange', () => explorer.go(readAddress(explorer) ?? {}))

  const handlers = {
    select: (id: string) => explorer.go(showPlace(explorer, explorer.state.flow, id)),
    fold: (id: string) => fold(id),
  }

  function fold(id: string): void {
    const graph = graphOf(explorer, explorer.state.flow)
    const { key } = explorer.state
    const wasOpen = key === ALL || key === id || key.startsWith(`${id}.`)
    explorer.go({ key: wasOpen ? viewOf(graph, id) : id })
    focusState(id)
  }

  function focusState(id: string): void {
    diagram?.states.get(id)?.element.focus()
  }

  function toggleAll(): void {
    const keys = viewKeys(graphOf(explorer, explorer.state.flow))
    explorer.go({ key: explorer.state.key === '' ? (keys.at(-1) ?? '') : '' })
  }

  function moveTab(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const index = tabs.findIndex(([tab]) => tab === explorer.state.tab)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (next) explorer.go({ tab: next[0] })
    tabList.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
  }

  function show(): void {
    const { state } = explorer
    const graph = graphOf(explorer, state.flow)
    if (diagram?.graph !== graph || diagram.key !== state.key) {
      const view = data.layouts[graph.id]?.[state.key]
      if (!view) throw new Error(`${graph.id} has no diagram "${state.key}"`)
      const hadFocus = canvas.element.contains(document.activeElement)
      diagram = drawDiagram(graph, state.key, view, handlers)
      canvas.show(diagram.root, view.size)
      if (hadFocus && state.selected !== undefined) focusState(state.selected)
    }
    replace(title, writeTitle(explorer, graph))
    const frame = JSON.stringify([state.recording?.id, state.at, state.walk.length])
    const lit = choose(explorer)
    light(diagram, { ...lit, isMoving: frame !== lastFrame && lit.current !== undefined })
    const focus = lit.stops?.[0]?.state ?? lit.current ?? state.selected
    const drawn = focus === undefined ? undefined : diagram.states.get(focus)
    canvas.reveal(drawn?.box)
    lastFrame = frame
    const keys = viewKeys(graph)
    unfold.hidden = keys.length < 2
    unfold.textContent = state.key === '' ? 'Open all' : 'Fold'
    asText.setAttribute('aria-pressed', String(state.isText))
    canvas.element.toggleAttribute('hidden', state.isText)
    text.hidden = !state.isText
    if (state.isText) replace(text, writeAsText(explorer))
    place.classList.toggle('story', state.tab === 'play' && state.recording?.breaks !== undefined)
    showPanel()
    sidebar.show()
    player.show()
    writeAddress(explorer)
  }

  function showPanel(): void {
    const { tab } = explorer.state
    for (const [name] of tabs) {
      const each = tabList.querySelector(`#tab-${name}`)
      each?.setAttribute('aria-selected', String(name === tab))
      each?.setAttribute('tabindex', name === tab ? '0' : '-1')
    }
    panel.setAttribute('aria-labelledby', `tab-${tab}`)
    const write = { details: describe, step: stepThrough, paths: listPaths, play: showSequence }[tab]
    const focusAgain = keepFocus(panel)
    replace(panel, write(explorer))
    focusAgain()
    const shown = `${tab} ${explorer.state.recording?.id}`
    const isSummary = shown !== lastPanel && explorer.state.recording?.breaks !== undefined
    lastPanel = shown
    if (tab !== 'play' || isSummary) panel.scrollTop = 0
    else panel.querySelector('[aria-current=step]')?.scrollIntoView({ block: 'nearest' })
  }

  const { play } = setup
  const opened = explorer.recordings.find(({ id }) => id === play)
  explorer.go(readAddress(explorer) ?? (opened ? showFrame(explorer, opened, opened.frames.length - 1) : {}))
}

/** Chooses the highlighted part: the recording, the walk, or the paths to an outcome. */
function choose(explorer: Explorer): Lit {
  const { state } = explorer
  const { tab, recording, at, walk, selected, path } = state
  const graph = graphOf(explorer, state.flow)
  if (recording && tab === 'play') {
    const { flow, hops, stops } = runAt(recording, at)
    if (flow !== graph.id) return { hops: [] }
    return { hops, stops, current: hops.at(-1)?.next ?? beginsAt(graph) }
  }
  if (tab === 'step') return { hops: walk, current: walk.at(-1)?.next ?? beginsAt(graph) }
  if (tab === 'paths' && state.goal !== undefined) {
    const { paths } = pathsOf(explorer)
    return { hops: path === undefined ? paths.flat() : (paths[path] ?? []), selected: state.goal }
  }
  return { hops: [], selected }
}

function focusables(panel: HTMLElement): HTMLElement[] {
  return [...panel.querySelectorAll<HTMLElement>('button, select, a, summary')]
}

/** The panel is written again after each change, so the focus returns to the same moment, or to the element in its place. */
function keepFocus(panel: HTMLElement): () => void {
  const { activeElement } = document
  const index = focusables(panel).findIndex((each) => each === activeElement)
  const at = activeElement?.getAttribute('data-at')
  return () => {
    const same = panel.querySelector<HTMLElement>(`[data-at="${at ?? ''}"]`)
    ;(same ?? focusables(panel)[index])?.focus()
  }
}
