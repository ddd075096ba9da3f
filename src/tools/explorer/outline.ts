import type { Frame } from './data.ts'

/** Frames of a recording: from `at` up to, but not including, `end`. */
export interface Span {
  readonly at: number
  readonly end: number
}

/** A request with its effects, or one moment outside of requests. */
export interface Part extends Span {
  /** The response of the application. */
  readonly outcome?: string
  /** The flow that handles the request. */
  readonly flow?: string
}

/** An action, with its requests. */
export interface Chapter extends Span {
  readonly title: string
  readonly parts: readonly Part[]
}

/** Returns the chapters of a recording; none if it is not divided into chapters. Checks are outside of them. */
export function chaptersOf(frames: readonly Frame[]): readonly Chapter[] {
  return frames.flatMap((frame, at) => {
    if (frame.kind !== 'chapter') return []
    const end = findFrom(frames, at + 1, ({ kind }) => kind === 'chapter' || kind === 'check')
    return [{ at, end, title: nameChapter(frame), parts: partsOf(frames, { at: at + 1, end }) }]
  })
}

/** Names a chapter: `2. Ada signs out`. */
export function nameChapter({ text, step }: Extract<Frame, { kind: 'chapter' }>): string {
  return step === undefined ? text : `${step}. ${text}`
}

/** Returns whether a span contains a frame. */
export function contains({ at, end }: Span, frame: number): boolean {
  return at <= frame && frame < end
}

function partsOf(frames: readonly Frame[], { at, end }: Span): readonly Part[] {
  const parts: Part[] = []
  for (let next = at; next < end; next = parts.at(-1)?.end ?? end) parts.push(partAt(frames, next, end))
  return parts
}

/** A request ends with its response. */
function partAt(frames: readonly Frame[], at: number, limit: number): Part {
  if (frames[at]?.kind !== 'request') return { at, end: at + 1 }
  const last = findFrom(frames, at + 1, ({ kind }) => kind === 'reply' || kind === 'request')
  const reply = frames[last]
  const end = Math.min(limit, reply?.kind === 'reply' ? last + 1 : last)
  const hop = frames.slice(at, end).find((frame) => frame.kind === 'hop')
  return {
    at,
    end,
    ...(reply?.kind === 'reply' && last < limit && { outcome: reply.text }),
    ...(hop?.kind === 'hop' && { flow: hop.flow }),
  }
}

function findFrom(frames: readonly Frame[], from: number, is: (frame: Frame) => boolean): number {
  const found = frames.findIndex((frame, index) => index >= from && is(frame))
  return found < 0 ? frames.length : found
}
