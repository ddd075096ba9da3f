import { chaptersOf, contains } from '../outline.ts'
import { button, html, isCalm } from './dom.ts'
import { sayFrame } from './frames.ts'
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
  const earlier = button('«', () => jump(-1), { 'aria-label': 'Previous chapter' })
  const later = button('»', () => jump(1), { 'aria-label': 'Next chapter' })
  const chapter = html('p', { class: 'chapter' })
  const words = html('p', { class: 'says', role: 'status' })
  const close = button('Close', () => explorer.go({ recording: undefined, isPlaying: false, tab: 'details' }))
  const element = html(
    'section',
    { class: 'player', 'aria-label': 'Player' },
    html('div', { class: 'controls' }, earlier, back, play, next, later, range, close),
    chapter,
    words,
  )

  const last = () => (explorer.state.recording?.frames.length ?? 1) - 1

  function seek(at: number, isPlaying = false): void {
    const { recording } = explorer.state
    if (recording)
      explorer.go({ ...showFrame(explorer, recording, Math.max(0, Math.min(last(), at))), isPlaying })
  }

  /** Goes to another chapter, or to the end after the last one. */
  function jump(step: 1 | -1): void {
    const { recording, at } = explorer.state
    const starts = [...chaptersOf(recording?.frames ?? []).map((each) => each.at), last()]
    const to = step > 0 ? starts.find((start) => start > at) : starts.findLast((start) => start < at)
    if (to !== undefined) seek(to)
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
    const chapters = chaptersOf(recording.frames)
    earlier.hidden = later.hidden = chapters.length === 0
    earlier.disabled = at === 0
    later.disabled = at >= last()
    // The words below name the chapter at its beginning.
    chapter.textContent = chapters.find((each) => each.at !== at && contains(each, at))?.title ?? ''
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
