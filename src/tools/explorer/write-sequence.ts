import { nameChapter } from './outline.ts'
import type { Frame, Participant, Recording } from './data.ts'

/** The name of a lane, if nobody is named who sends a request. */
const anonymous = 'browser'
const application = 'application'

/** The lanes of the services that the application calls, in order. */
const called: Readonly<Record<Participant, string>> = {
  provider: 'provider',
  store: 'store',
  mail: 'mailbox',
}

/** Returns the lanes of a recording: each browser, the application, and the services that it calls. */
export function lanesOf({ frames }: Pick<Recording, 'frames'>): readonly string[] {
  const senders = frames.flatMap((frame) => (frame.kind === 'request' ? [frame.by ?? anonymous] : []))
  const receivers = new Set(frames.flatMap((frame) => (frame.kind === 'call' ? [called[frame.to]] : [])))
  return [
    ...new Set(senders.filter((name) => name !== application)),
    application,
    ...Object.values(called).filter((name) => receivers.has(name)),
  ]
}

/** Returns the lanes between which a message goes; the application twice for other frames. */
export function endsOf(frames: readonly Frame[], at: number): readonly [from: string, to: string] {
  const frame = frames[at]
  if (frame?.kind === 'request') return [frame.by ?? anonymous, application]
  if (frame?.kind === 'call') return [application, called[frame.to]]
  if (frame?.kind !== 'reply') return [application, application]
  const request = frames.slice(0, at).findLast(({ kind }) => kind === 'request')
  return [application, (request?.kind === 'request' && request.by) || anonymous]
}

/** Writes a recording as a Mermaid sequence diagram. */
export function writeSequence(recording: Recording): string {
  const { title, frames } = recording
  const lanes = lanesOf(recording)
  // Only a word can name a participant. Other names are shown in its place.
  const idOf = (name: string) => (/^\w+$/.test(name) ? name : `lane${lanes.indexOf(name) + 1}`)
  const everything = `${idOf(lanes[0] ?? application)},${idOf(lanes.at(-1) ?? application)}`
  const write = (frame: Frame, at: number) => {
    const [from, to] = endsOf(frames, at).map(idOf)
    const text = escape(tell(frame))
    switch (frame.kind) {
      case 'request':
      case 'call':
        return `${from}->>${to}: ${text}`
      case 'reply':
        return `${from}-->>${to}: ${text}`
      case 'hop':
        return `Note over ${application}: ${text}`
      default:
        return `Note over ${everything}: ${text}`
    }
  }
  return [
    'sequenceDiagram',
    `accTitle: ${escape(title)}`,
    ...lanes.map((name) => `participant ${idOf(name)}${idOf(name) === name ? '' : ` as ${escape(name)}`}`),
    ...frames.map(write),
  ].join('\n  ')
}

function tell(frame: Frame): string {
  switch (frame.kind) {
    case 'hop':
      return `${frame.state} - ${frame.event}`
    case 'check':
      return `${frame.id} ${frame.holds ? 'holds' : 'fails'}`
    case 'chapter':
      return nameChapter(frame)
    default:
      return frame.text
  }
}

/** Escapes characters that end a message or have a meaning in one, as character codes. */
function escape(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,'’?!()/-]/gu, (sign) => `#${sign.codePointAt(0)};`)
}
