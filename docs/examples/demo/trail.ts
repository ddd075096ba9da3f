import type { AuthConfig } from '../../../src/types.ts'

/** One run of a flow: the states it went through, each with what happened there, and the state it ended in. */
export interface Run {
  readonly flow: string
  readonly hops: readonly { readonly state: string; readonly event: string }[]
  readonly ended: string
}

/** What the demo does on purpose. */
const intended: ReadonlySet<string> = new Set(['debug-enabled', 'experimental-webauthn'])

function warnOfOthers(code: string): void {
  if (!intended.has(code)) console.warn(`Warning: ${code}`)
}

/** The library's own logger, without warnings of what the demo does on purpose, and without paths. */
export const calmLogger: NonNullable<AuthConfig['logger']> = { warn: warnOfOthers, debug() {} }

/** A logger that picks out of what the library tells with `debug` on how its flows went. */
export function createLogger(tell: (run: Run) => void): NonNullable<AuthConfig['logger']> {
  return {
    error: (error) => console.error(`${error.name}: ${error.message}`),
    warn: warnOfOthers,
    debug(message, metadata) {
      const run = readRun(message, metadata)
      if (run) tell(run)
    },
  }
}

/** `flow sign-in` with `{ path: 'checkingCsrf -(csrf.verified)-> … sentToProvider', ended: 'sentToProvider' }` */
function readRun(message: string, metadata: unknown): Run | undefined {
  const flow = /^flow (.+)$/.exec(message)?.[1]
  if (flow === undefined || typeof metadata !== 'object' || metadata === null) return undefined
  if (!('path' in metadata) || !('ended' in metadata)) return undefined
  const hops = [...String(metadata.path).matchAll(/(\S+) -\((.+?)\)->/g)]
  return {
    flow,
    hops: hops.map(([, state = '', event = '']) => ({ state, event })),
    ended: String(metadata.ended),
  }
}

/** A run as lines: a state and what happened there on each. */
export function describeRun({ flow, hops, ended }: Run): string {
  const width = Math.max(...hops.map(({ state }) => state.length), 0)
  const lines = hops.map(({ state, event }) => `  ${state.padEnd(width)}  ${event}`)
  return [`${flow} -> ${ended}`, ...lines].join('\n')
}
