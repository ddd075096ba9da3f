import type { Frame, Recording, Stop } from './data.ts'
import type { Hop } from './walk.ts'

/** The request that a recording has reached. */
export interface ReachedRun {
  /** The flow of its transitions. Until there is one, the next flow of the recording. */
  readonly flow?: string
  readonly request?: Extract<Frame, { kind: 'request' }>
  /** Whether a flow handles the request. */
  readonly isHandled: boolean
  readonly hops: readonly Hop[]
  /** The states that it has left, or avoided, although they should have stopped it. */
  readonly stops: readonly Stop[]
}

/** Returns the hops of the request that a recording has reached. A failed check shows the request that should have been stopped. */
export function runAt({ frames, stops = [] }: Recording, at: number): ReachedRun {
  const [stop] = stops
  const end = stop && isFailure(frames[at]) ? endOfRun(frames, stop) : at
  let flow: string | undefined
  let request: ReachedRun['request']
  let hops: Hop[] = []
  let begin = 0
  for (const [index, frame] of frames.slice(0, end + 1).entries()) {
    const isOtherFlow = frame.kind === 'hop' && frame.flow !== flow
    if (frame.kind === 'request' || frame.kind === 'chapter' || isOtherFlow) {
      hops = []
      begin = index
    }
    if (frame.kind === 'chapter') request = undefined
    if (frame.kind === 'request') request = frame
    if (frame.kind !== 'hop') continue
    flow = frame.flow
    hops.push(frame)
  }
  const coming = frames.slice(end + 1).filter(({ kind }) => kind === 'hop' || kind === 'request')
  const next = coming.find((frame) => frame.kind === 'hop')
  const shown = hops.length > 0 ? flow : (next?.flow ?? flow)
  return {
    ...(shown !== undefined && { flow: shown }),
    ...(request && { request }),
    isHandled: hops.length > 0 || coming[0]?.kind === 'hop',
    hops,
    stops: stops.filter((each) => each.at >= begin && each.at <= end),
  }
}

/** Returns whether a frame is a check that failed. */
export function isFailure(frame: Frame | undefined): boolean {
  return frame?.kind === 'check' && !frame.holds
}

/** Returns the index of the last frame before the next request, or the next flow. */
function endOfRun(frames: readonly Frame[], { at, flow }: Stop): number {
  const next = frames.findIndex(
    (frame, index) =>
      index > at && (frame.kind === 'request' || (frame.kind === 'hop' && frame.flow !== flow)),
  )
  return (next < 0 ? frames.length : next) - 1
}
