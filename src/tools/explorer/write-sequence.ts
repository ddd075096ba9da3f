import type { Frame, Participant, Recording } from './data.ts'

/** The participants in the order of their lifelines. */
export const participants: readonly Participant[] = ['browser', 'application', 'provider', 'store', 'mail']

/** Returns the participants that a recording needs. */
export function participantsOf({ frames }: Pick<Recording, 'frames'>): readonly Participant[] {
  const called = new Set(frames.flatMap((frame) => (frame.kind === 'call' ? [frame.to] : [])))
  return participants.filter((each) => each === 'browser' || each === 'application' || called.has(each))
}

/** Writes a recording as a Mermaid sequence diagram. */
export function writeSequence(recording: Recording): string {
  return [
    'sequenceDiagram',
    `accTitle: ${escape(recording.title)}`,
    ...participantsOf(recording).map((each) => `participant ${each}`),
    ...recording.frames.map(writeFrame),
  ].join('\n  ')
}

function writeFrame(frame: Frame): string {
  switch (frame.kind) {
    case 'request':
      return `browser->>application: ${escape(frame.by === undefined ? frame.text : `${frame.by}: ${frame.text}`)}`
    case 'reply':
      return `application-->>browser: ${escape(frame.text)}`
    case 'call':
      return `application->>${frame.to}: ${escape(frame.text)}`
    case 'hop':
      return `Note over application: ${escape(`${frame.state} - ${frame.event}`)}`
    case 'note':
      return `Note over browser,application: ${escape(frame.text)}`
    case 'check':
      return `Note over browser,application: ${escape(`${frame.id} ${frame.holds ? 'holds' : 'fails'}`)}`
  }
}

/** Escapes characters that end a message or have a meaning in one, as character codes. */
function escape(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,'’?!()/-]/gu, (sign) => `#${sign.codePointAt(0)};`)
}
