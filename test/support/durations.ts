import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../../.cache/durations.json', import.meta.url)

/** Seconds of the last run of each command in which everything passed, and when it ended. */
type Durations = Readonly<Record<string, { readonly seconds: number; readonly date: string }>>

function readDurations(): Durations {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Durations
  } catch {
    return {}
  }
}

/** How long commands take on two cores with no other work. */
const first: Readonly<Record<string, string>> = {
  'npm test': 'On 2026-11-28, it took 463 s on two cores with no other work.',
}

/** Says how long a command will take: as long as the last time on this machine. */
export function forecast(command: string): string {
  const last = readDurations()[command]
  if (!last) return `\`${command}\` has not passed on this machine yet. ${first[command] ?? ''}`
  const time = new Date(Date.now() + last.seconds * 1000).toTimeString().slice(0, 5)
  return `\`${command}\` took ${Math.round(last.seconds)} s on ${last.date}; this run will end at about ${time}.`
}

/** Records how long a command took. */
export function recordDuration(command: string, seconds: number): void {
  const date = new Date().toISOString().slice(0, 10)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, JSON.stringify({ ...readDurations(), [command]: { seconds, date } }, null, 2))
}
