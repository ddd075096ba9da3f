/** A run as the stream sends it. */
interface Told {
  readonly id: string
  readonly url: string
  readonly flow: string
  readonly look: string
  readonly group: ToldGroup
}

interface ToldGroup {
  readonly id: string
  readonly look: string
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
  const newRow = document.querySelector<HTMLTemplateElement>('template[data-row]')
  const newGroup = document.querySelector<HTMLTemplateElement>('template[data-new-group]')
  const none = document.querySelector<HTMLElement>('[data-none]')
  const find = document.querySelector<HTMLInputElement>('#find')
  const awaited = document.querySelector<HTMLElement>('[data-awaits]')?.dataset.awaits
  let stream: EventSource | undefined

  for (const time of document.querySelectorAll<HTMLTimeElement>('time')) localise(time)
  showFailure()
  startTools()
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
    stream.addEventListener('clear', clear)
    stream.addEventListener('fault', () => {
      if (list && !document.querySelector('[data-fault]')) location.reload()
    })
    stream.addEventListener('valid', hideFault)
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
    if (!list) return
    const group = place(list, newGroup, run.group.id, (each) => each.dataset.group, true)
    const rows = group?.querySelector('ol')
    const row = rows && place(rows, newRow, run.id, (each) => each.dataset.run, false)
    if (!group || !row) return
    group.className = `group ${run.group.look}`
    group.dataset.group = run.group.id
    for (const slot of group.querySelectorAll<HTMLElement>('.story [data-slot]')) fillSlot(slot, run.group)
    row.className = `run ${run.look}`
    row.dataset.run = run.id
    row.dataset.flow = run.flow
    row.querySelector('a')?.setAttribute('href', run.url)
    for (const slot of row.querySelectorAll<HTMLElement>('[data-slot]')) fillSlot(slot, run)
    while (list.querySelectorAll('.run').length > mostRows) list.lastElementChild?.remove()
    filter()
  }

  /** Returns the item with this id, or inserts a new one, ordered by the number with which the id starts. */
  function place(
    items: HTMLElement,
    template: HTMLTemplateElement | null,
    id: string,
    idOf: (item: HTMLElement) => string | undefined,
    newestFirst: boolean,
  ): HTMLElement | undefined {
    const known = [...items.children].filter((item) => item instanceof HTMLElement)
    const found = known.find((item) => idOf(item) === id)
    const made = found ?? template?.content.firstElementChild?.cloneNode(true)
    if (!(made instanceof HTMLElement)) return undefined
    const orderOf = (text = '') => Number.parseInt(text) * (newestFirst ? -1 : 1)
    if (!found) items.insertBefore(made, known.find((item) => orderOf(idOf(item)) > orderOf(id)) ?? null)
    return made
  }

  function fillSlot(slot: HTMLElement, told: Told | ToldGroup): void {
    const text: unknown = Reflect.get(told, slot.dataset.slot ?? '')
    slot.textContent = typeof text === 'string' ? text : ''
    if (!(slot instanceof HTMLTimeElement)) return
    slot.dateTime = slot.textContent
    localise(slot)
  }

  /** Shows the tools that need this script. */
  function startTools(): void {
    for (const tool of document.querySelectorAll<HTMLElement>('[data-scripted]')) tool.hidden = false
    document.querySelector('.tools')?.addEventListener('input', filter)
    const button = document.querySelector<HTMLElement>('[data-clear]')
    button?.addEventListener('click', () => {
      fetch(button.dataset.clear ?? '', { method: 'DELETE' }).then(
        ({ ok }) => ok && clear(),
        () => say('Connecting …', 'off'),
      )
    })
    // The browser may have restored the text of the filter.
    filter()
  }

  function clear(): void {
    list?.replaceChildren()
    hideFault()
    filter()
  }

  function hideFault(): void {
    document.querySelector('[data-fault]')?.remove()
  }

  /** Hides groups that do not contain each word. The style sheet applies the check boxes. */
  function filter(): void {
    if (!list || !none) return
    const words = (find?.value ?? '').toLowerCase().split(/\s+/)
    const groups = [...list.children].filter((group) => group instanceof HTMLElement)
    for (const group of groups) {
      const text = group.textContent.toLowerCase()
      group.hidden = !words.every((word) => text.includes(word))
    }
    none.hidden = groups.length === 0 || groups.some((group) => group.getClientRects().length > 0)
  }

  function localise(time: HTMLTimeElement): void {
    const at = new Date(time.dateTime)
    if (!Number.isNaN(at.getTime())) time.textContent = at.toLocaleTimeString()
  }

  /**
   * A diagram may be larger than the window, so scroll to the state in which the run failed, or to its current state.
   */
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
