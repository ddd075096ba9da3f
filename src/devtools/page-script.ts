/** A run as the stream sends it. */
interface Told {
  readonly id: string
  readonly url: string
  readonly flow: string
  readonly at: string
  readonly look: string
  readonly verdict: string
  readonly [slot: string]: string
}

/**
 * Runs on the pages of devtools only. The build embeds its text, so it must not use anything outside itself. It reads
 * the stream while the page is visible, adds each run to the list, and reloads the page of a run when it has ended.
 */
export function runDevtools(): void {
  /** A reload shows the same runs, so older rows are dropped. */
  const mostRows = 300
  const status = document.querySelector<HTMLElement>('[data-live]')
  const list = document.querySelector<HTMLOListElement>('[data-runs]')
  const template = document.querySelector<HTMLTemplateElement>('template[data-row]')
  const awaited = document.querySelector<HTMLElement>('[data-awaits]')?.dataset.awaits
  let stream: EventSource | undefined

  for (const time of document.querySelectorAll<HTMLTimeElement>('time')) localise(time)
  showFailure()
  document.addEventListener('visibilitychange', follow)
  // A page in the back/forward cache must not keep a connection.
  addEventListener('pagehide', stop)
  addEventListener('pageshow', follow)
  follow()

  /** Browsers allow few connections for each host, so a hidden page closes its own. */
  function follow(): void {
    if (document.visibilityState === 'hidden') return stop()
    if (stream || !status?.dataset.live) return
    stream = new EventSource(status.dataset.live)
    stream.addEventListener('open', () => say('Live', 'on'))
    stream.addEventListener('error', () => say('Connecting …', 'off'))
    stream.addEventListener('run', (event) => take(JSON.parse(event.data) as Told))
  }

  function stop(): void {
    stream?.close()
    stream = undefined
  }

  function say(text: string, look: string): void {
    if (!status || status.textContent === text) return
    status.textContent = text
    status.dataset.look = look
  }

  function take(run: Told): void {
    if (run.id === awaited && run.look !== 'running') return location.reload()
    if (!list || !template) return
    const known = [...list.children].find((row) => row instanceof HTMLElement && row.dataset.run === run.id)
    const row = known ?? template.content.firstElementChild?.cloneNode(true)
    if (!(row instanceof HTMLElement)) return
    fill(row, run)
    if (known) return
    const next = [...list.children].find(
      (each) =>
        each instanceof HTMLElement && Number.parseInt(each.dataset.run ?? '') < Number.parseInt(run.id),
    )
    list.insertBefore(row, next ?? null)
    while (list.children.length > mostRows) list.lastElementChild?.remove()
  }

  function fill(row: HTMLElement, run: Told): void {
    row.className = `run ${run.look}`
    row.dataset.run = run.id
    row.dataset.flow = run.flow
    row.querySelector('a')?.setAttribute('href', run.url)
    for (const slot of row.querySelectorAll<HTMLElement>('[data-slot]')) {
      slot.textContent = run[slot.dataset.slot ?? ''] ?? ''
      if (!(slot instanceof HTMLTimeElement)) continue
      slot.dateTime = run.at
      localise(slot)
    }
  }

  function localise(time: HTMLTimeElement): void {
    const at = new Date(time.dateTime)
    if (!Number.isNaN(at.getTime())) time.textContent = at.toLocaleTimeString()
  }

  /** A diagram may be larger than the window, so scroll to the state in which the run failed or is. */
  function showFailure(): void {
    const figure = document.querySelector('.drawing')
    const lit = figure?.querySelector('.state.failing, .state.current, .state.final.lit')
    if (!figure || !lit) return
    const [whole, part] = [figure.getBoundingClientRect(), lit.getBoundingClientRect()]
    figure.scrollTo({
      left: part.left - whole.left + (part.width - whole.width) / 2,
      top: part.top - whole.top + (part.height - whole.height) / 2,
    })
  }
}
