/** A step of the recorded run; see `landing/draw-run.ts`. */
interface Step {
  readonly state: string
  readonly event?: string
  readonly says: string
  readonly requirements: readonly string[]
}

/** A moment of the recording: what the browser shows, and the state that the machine is in. */
interface Frame {
  readonly scene: string
  readonly method: string
  readonly url: string
  readonly says: string
  readonly ids: readonly string[]
  readonly flow?: string
  /** The states up to this one are lit. */
  readonly index?: number
  readonly milliseconds: number
}

const pause = 1800
const stepTime = 750

/**
 * Plays the recorded sign-in once it is visible. If the reader prefers less motion, it shows the end, with all states that
 * ran. Without a script, the page shows the first flow.
 *
 * @returns a function that stops the player
 */
export function createPlayer(run: HTMLElement): () => void {
  const frames = listFrames(run)
  const button = run.querySelector('.run-play')
  let at = frames.length
  let timer: ReturnType<typeof setTimeout> | undefined

  const isPlaying = () => timer !== undefined
  const label = () => {
    if (button) button.textContent = isPlaying() ? 'Pause' : at >= frames.length ? 'Play again' : 'Play'
  }
  const halt = () => {
    clearTimeout(timer)
    timer = undefined
    label()
  }
  const advance = () => {
    const frame = frames[at]
    if (!frame) return halt()
    show(run, frame)
    at += 1
    timer = setTimeout(advance, frame.milliseconds)
    label()
  }
  const play = () => {
    if (at >= frames.length) at = 0
    advance()
  }
  const toggle = () => (isPlaying() ? halt() : play())
  button?.addEventListener('click', toggle)
  for (const item of run.querySelectorAll<HTMLElement>('.run-scenes button'))
    item.addEventListener('click', () => {
      at = Math.max(
        0,
        frames.findIndex(({ scene }) => scene === item.dataset['scene']),
      )
      halt()
      advance()
    })

  const visible = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return
    visible.disconnect()
    const last = frames.at(-1)
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) play()
    else if (last) show(run, last)
  })
  visible.observe(run)
  return () => {
    visible.disconnect()
    clearTimeout(timer)
  }
}

function listFrames(run: HTMLElement): readonly Frame[] {
  const flowFrames = (flow: string, scene: string, method: string, url: string): readonly Frame[] =>
    readSteps(run, flow).map(({ state, event, says, requirements }, index) => ({
      scene,
      method,
      url,
      says: `${state}: ${says}${event === undefined ? '' : ` (${event})`}`,
      ids: requirements,
      flow,
      index,
      milliseconds: event === undefined ? pause : stepTime,
    }))
  const page = { method: 'GET', ids: [] }
  return [
    {
      ...page,
      scene: 'sign-in',
      url: 'app.example/auth/signin',
      says: 'The user chooses a provider.',
      milliseconds: pause,
    },
    ...flowFrames('sign-in', 'redirect', 'POST', 'app.example/auth/signin/demo'),
    {
      ...page,
      scene: 'provider',
      url: 'id.example/authorize?client_id=…',
      says: 'The user signs in at the provider, which redirects back.',
      milliseconds: pause,
    },
    ...flowFrames('callback', 'callback', 'GET', 'app.example/auth/callback/demo?code=…'),
    {
      ...page,
      scene: 'session',
      url: 'app.example/auth/session',
      says: 'Signed in. The highlighted states ran.',
      flow: 'callback',
      index: Infinity,
      milliseconds: pause,
    },
  ]
}

function readSteps(run: HTMLElement, flow: string): readonly Step[] {
  const steps = run.querySelector<HTMLElement>(`[data-flow="${flow}"]`)?.dataset['steps']
  return steps === undefined ? [] : (JSON.parse(steps) as readonly Step[])
}

function show(run: HTMLElement, { scene, method, url, says, ids, flow, index = 0 }: Frame): void {
  const set = (selector: string, text: string) => {
    const element = run.querySelector(selector)
    if (element) element.textContent = text
  }
  set('.run-method', method)
  set('.run-url', url)
  set('.run-says', says)
  set('.run-ids', ids.join(' · '))
  run.querySelector<HTMLElement>('.run-browser')?.setAttribute('data-scene', scene)
  for (const item of run.querySelectorAll<HTMLElement>('.run-scenes button'))
    item.setAttribute('aria-current', item.dataset['scene'] === scene ? 'step' : 'false')
  for (const each of run.querySelectorAll<HTMLElement>('.run-flow')) {
    const isShown = each.dataset['flow'] === (flow ?? (scene === 'sign-in' ? 'sign-in' : 'callback'))
    each.hidden = !isShown
    if (isShown) light(run, each, flow === undefined ? -1 : index)
  }
}

/** Lights the path up to a step, and moves its state into view. */
function light(run: HTMLElement, diagram: HTMLElement, index: number): void {
  const steps = readSteps(run, diagram.dataset['flow'] ?? '')
  const seen = steps.slice(0, index + 1)
  const states = new Set(seen.flatMap(({ state }) => withParents(state)))
  const passed = seen.slice(0, -1)
  const isLast = (state: string | undefined) => index < steps.length && state === seen.at(-1)?.state
  for (const state of diagram.querySelectorAll<SVGGElement>('.state')) {
    state.classList.toggle('lit', states.has(state.dataset['state'] ?? ''))
    state.classList.toggle('now', isLast(state.dataset['state']))
  }
  for (const arrow of diagram.querySelectorAll<SVGGElement>('.arrow')) {
    const { source, target = '' } = arrow.dataset
    const isTaken =
      states.has(target) &&
      passed.some(({ state }) => source !== undefined && withParents(state).includes(source))
    const events = new Set(passed.map(({ event }) => event))
    const texts = [...arrow.querySelectorAll<SVGTextElement>('[data-event]')]
    for (const text of texts) text.classList.toggle('lit', isTaken && events.has(text.dataset['event']))
    const before = arrow.dataset['lit'] ?? String(arrow.classList.contains('lit'))
    arrow.dataset['lit'] = before
    arrow.classList.toggle('lit', before === 'true' && isTaken)
  }
  const current = diagram.querySelector(`[data-state="${seen.at(-1)?.state ?? steps[0]?.state ?? ''}"] .box`)
  if (current) centre(run, diagram, current)
}

/** Centres a state in the view, as far as the diagram fills the view. The page does not move. */
function centre(run: HTMLElement, diagram: HTMLElement, box: Element): void {
  const view = run.querySelector('.run-view')
  const svg = diagram.querySelector('svg')
  if (!view || !svg) return
  const [outer, whole, inner] = [view, svg, box].map((each) => each.getBoundingClientRect())
  if (!outer || !whole || !inner) return
  const x = shift(outer.width, whole.width, inner.left + inner.width / 2 - whole.left)
  const y = shift(outer.height, whole.height, inner.top + inner.height / 2 - whole.top)
  svg.style.transform = `translate(${x}px, ${y}px)`
}

/** By how much a point of the diagram has to move to the middle of the view, without a gap at an edge of the diagram. */
function shift(view: number, diagram: number, point: number): number {
  if (diagram <= view) return (view - diagram) / 2
  return Math.min(0, Math.max(view - diagram, view / 2 - point))
}

/** `a.b.c` is inside `a` and `a.b`. */
function withParents(state: string): readonly string[] {
  return state.split('.').map((_, index, names) => names.slice(0, index + 1).join('.'))
}
