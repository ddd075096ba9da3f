import { button, html, isCalm } from './dom.ts'
import { sayFrame } from './sequence.ts'
import { type Explorer, showFrame } from './state.ts'

/** The controls of a recording. */
export interface Player {
  readonly element: HTMLElement
  readonly show: () => void
}

/** Milliseconds for each frame. */
const pace = 750

export function createPlayer(explorer: Explorer): Player {
  let timer: ReturnType<typeof setTimeout> | undefined
  const play = button('Play', () => toggle(), { class: 'primary' })
  const range = html('input', {
    type: 'range',
    min: 0,
    'aria-label': 'Position in the recording',
    input: () => seek(Number(range.value)),
  })
  const back = button('‹', () => seek(explorer.state.at - 1), { 'aria-label': 'Previous moment' })
  const next = button('›', () => seek(explorer.state.at + 1), { 'aria-label': 'Next moment' })
  const words = html('p', { class: 'says', role: 'status' })
  const close = button('Close', () => explorer.go({ recording: undefined, isPlaying: false, tab: 'details' }))
  const element = html(
    'section',
    { class: 'player', 'aria-label': 'Player' },
    html('div', { class: 'controls' }, back, play, next, range, close),
    words,
  )

  const last = () => (explorer.state.recording?.frames.length ?? 1) - 1

  function seek(at: number, isPlaying = false): void {
    const { recording } = explorer.state
    if (recording)
      explorer.go({ ...showFrame(explorer, recording, Math.max(0, Math.min(last(), at))), isPlaying })
  }

  function toggle(): void {
    const { isPlaying, at } = explorer.state
    if (isPlaying) return explorer.go({ isPlaying: false })
    seek(at >= last() ? 0 : at, true)
  }

  function show(): void {
    const { recording, at, isPlaying } = explorer.state
    clearTimeout(timer)
    element.hidden = !recording
    if (!recording) return
    play.textContent = isPlaying ? 'Pause' : 'Play'
    range.max = String(last())
    range.value = String(at)
    range.setAttribute('aria-valuetext', `${at + 1} of ${last() + 1}`)
    back.disabled = at === 0
    next.disabled = at >= last()
    const text = sayFrame(recording, at)
    if (words.textContent !== text) words.textContent = text
    if (!isPlaying) return
    timer = setTimeout(
      () => (at < last() ? seek(at + 1, true) : explorer.go({ isPlaying: false })),
      isCalm() ? pace * 2 : pace,
    )
  }

  return { element, show }
}
