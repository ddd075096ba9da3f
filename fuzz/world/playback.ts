import { AsyncLocalStorage } from 'node:async_hooks'
import { type Frame, type Participant, readHop } from 'authmachine/instrumented'
import type { Reply } from './reply.ts'

/** The sender of a request, and its method and route: `POST signin/alpha`. */
interface Asked {
  readonly by?: string
  readonly text: string
}

/** The transitions and calls of a target in a case, request by request, for the flow explorer. */
export interface Playback {
  /** The transitions so far, as `flow: state -(event)-> next`. */
  readonly hops: readonly string[]
  readonly hop: (hop: string) => void
  /** Forgets everything so far. */
  readonly forget: () => void
  readonly call: (to: Participant, text: string) => void
  /**
   * Begins a chapter: an action, by its number, or the events before the first action. Returns a function that
   * completes it.
   */
  readonly chapter: (
    text: string,
    step?: number,
  ) => (told: { text?: string; after: readonly string[] }) => void
  /** Notes an event between requests. */
  readonly note: (text: string) => void
  /** Keeps the transitions and calls during some work out of the story. */
  readonly aside: <T>(work: () => Promise<T>) => Promise<T>
  /** Attributes the transitions and calls during some work to one request, even if others run at the same time. */
  readonly during: <T>(asked: Asked, work: () => Promise<T>, tell: (result: T) => string) => Promise<T>
  /**
   * Returns the frames of all requests, each with its own transitions: the last ones, if there are too many to follow.
   *
   * @param veil replaces secrets
   */
  readonly frames: (veil: (text: string) => string) => Frame[]
}

/** A request, or a note between requests. Transitions are parsed only when a story needs them. */
interface Scene {
  readonly frames: (Frame | string)[]
  isOver: boolean
}

const longest = { frames: 400, text: 120 }

export function openPlayback(): Playback {
  const running = new AsyncLocalStorage<Scene>()
  const hops: string[] = []
  const scenes: Scene[] = []
  const add = (frame: Frame | string) => {
    const scene = running.getStore() ?? scenes.at(-1)
    scene?.frames.push(frame)
  }
  return {
    hops,
    hop(hop) {
      hops.push(hop)
      add(hop)
    },
    forget() {
      hops.length = 0
      scenes.length = 0
    },
    call: (to, text) => add({ kind: 'call', to, text }),
    chapter(text, step) {
      const frame: Frame = { kind: 'chapter', text, ...(step !== undefined && { step }) }
      const scene: Scene = { frames: [frame], isOver: true }
      scenes.push(scene)
      return (told) => void scene.frames.splice(0, 1, { ...frame, ...told })
    },
    note: (text) => void scenes.push({ frames: [{ kind: 'note', text }], isOver: true }),
    aside: (work) => running.run({ frames: [], isOver: true }, work),
    async during({ by, text }, work, tell) {
      const isParallel = scenes.some(({ isOver }) => !isOver)
      const said = isParallel ? `${text}, at the same time` : text
      const scene: Scene = {
        frames: [{ kind: 'request', text: said, ...(by !== undefined && { by }) }],
        isOver: false,
      }
      scenes.push(scene)
      try {
        const result = await running.run(scene, work)
        scene.frames.push({ kind: 'reply', text: tell(result) })
        return result
      } finally {
        scene.isOver = true
      }
    },
    frames: (veil) => shorten(scenes).map((frame) => show(frame, veil)),
  }
}

/** Leaves out the first requests of a long story, but not its chapters. */
function shorten(scenes: readonly Scene[]): (Frame | string)[] {
  let count = 0
  const first = scenes.findLastIndex(({ frames }) => (count += frames.length) > longest.frames)
  const kept = scenes.slice(Math.min(first + 1, scenes.length - 1)).flatMap(({ frames }) => frames)
  if (first < 0) return kept
  const left = scenes.slice(0, first + 1).flatMap(({ frames }) => frames.slice(0, 1))
  const chapters = left.filter((frame) => typeof frame === 'object' && frame.kind === 'chapter')
  const steps = left.length - chapters.length
  return [...chapters, { kind: 'note', text: `The first ${steps} steps are left out` }, ...kept]
}

function show(frame: Frame | string, veil: (text: string) => string): Frame {
  if (typeof frame === 'string') {
    const hop = readHop(frame)
    return hop ? { kind: 'hop', ...hop } : { kind: 'note', text: frame }
  }
  if (frame.kind === 'hop' || frame.kind === 'check') return frame
  // A part of a secret would not be recognised, so the text is cut afterwards.
  const text = veil(frame.text)
  return { ...frame, text: text.length > longest.text ? `${text.slice(0, longest.text)}…` : text }
}

/** Names a request by its method and route: `GET callback/alpha`. */
export function nameRequest({ method, url }: Request, basePath: string): string {
  const { pathname } = new URL(url)
  return `${method} ${pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length + 1) : pathname}`
}

/** Names a response by its status, and by the page to which it redirects. */
export function nameReply({ status, location, failure }: Reply, origin: string): string {
  if (failure !== undefined) return `no response (${failure})`
  if (!location) return String(status)
  const error = location.searchParams.get('error')
  const place = location.origin === origin ? location.pathname : location.host + location.pathname
  return `${status} to ${place}${error === null ? '' : `?error=${error}`}`
}
