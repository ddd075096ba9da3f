import type { AuthConfig } from '../../../src/types.ts'

/** One run of a flow: its states, each with the event that left it, and the final state. */
export interface Run {
  readonly flow: string
  readonly hops: readonly { readonly state: string; readonly event: string }[]
  readonly ended: string
}

/** Warnings that the demo causes on purpose. */
const intended: ReadonlySet<string> = new Set(['debug-enabled', 'experimental-webauthn'])

function warnOfOthers(code: string): void {
  if (!intended.has(code)) console.warn(`Warning: ${code}`)
}

/** A logger without the intended warnings and without debug output. */
export const calmLogger: NonNullable<AuthConfig['logger']> = { warn: warnOfOthers, debug() {} }

/** Creates a logger that reads the runs of flows from the library's debug output. */
export function createLogger(report: (run: Run) => void): NonNullable<AuthConfig['logger']> {
  return {
    error: (error) => console.error(`${error.name}: ${error.message}`),
    warn: warnOfOthers,
    debug(message, metadata) {
      const run = readRun(message, metadata)
      if (run) report(run)
    },
  }
}

/** Parses `flow sign-in` with `{ path: 'checkingCsrf -(csrf.accepted)-> … sentToProvider', ended: 'sentToProvider' }` */
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

/** Formats a run, with a state and its event on each line. */
export function describeRun({ flow, hops, ended }: Run): string {
  const width = Math.max(...hops.map(({ state }) => state.length), 0)
  const lines = hops.map(({ state, event }) => `  ${state.padEnd(width)}  ${event}`)
  return [`${flow} -> ${ended}`, ...lines].join('\n')
}
