import { settingsOf } from '../../config/derive-settings.ts'
import type { AuthConfig } from '../../types/config.ts'
import type { Recording } from '../explorer/data.ts'
import { readRecordings } from '../explorer/read-recordings.ts'
import { findRoutes, routes } from '../../flows/flows.ts'
import { storesTokens } from '../../handler/get-access-token.ts'
import { CommandError } from './arguments.ts'
import { loadConfig } from './doctor/load-config.ts'
import { listOptional } from '../../features/all.ts'
import { reasonOf } from './reason-of.ts'
import type { Terminal } from './terminal.ts'

interface ExploreOptions {
  /** The module of a configuration. */
  readonly config?: string | undefined
  /** A file with recordings. */
  readonly play?: string | undefined
  /** The file to write. @default authmachine-flows.html */
  readonly out?: string | undefined
  /** Whether to open the page in the browser. */
  readonly open?: boolean | undefined
}

/**
 * Writes the flow explorer, and opens it in the browser.
 *
 * @throws {CommandError} if a file cannot be read or written
 */
export async function explore(
  { config, play, out = 'authmachine-flows.html', open }: ExploreOptions,
  terminal: Terminal,
): Promise<void> {
  const used = config === undefined ? undefined : await listUsedFlows(await loadConfig(config, terminal))
  const recordings = play === undefined ? [] : await loadRecordings(play, terminal)
  // The page is large, and no other command needs it.
  const { writeExplorer } = await import('../explorer/write-explorer.ts')
  const [first] = recordings
  const page = writeExplorer({ recordings, ...(used && { used }), ...(first && { play: first.id }) })
  await terminal.writeFile(out, page)
  terminal.print(`Wrote ${out}.\n`)
  if (open !== true) return
  if (!(await terminal.openFile?.(out))) terminal.print('Open it in a browser.\n')
}

/** Returns the flows that can run with a configuration. */
async function listUsedFlows(config: AuthConfig): Promise<readonly string[]> {
  const quiet = { error() {}, warn() {}, debug() {} }
  const settings = settingsOf({ ...config, logger: quiet })
  const kinds = ['none' as const, ...[...settings.providers.values()].map(({ kind }) => kind)]
  const actions = new Set(routes.map(({ action }) => action))
  const found = [...actions].flatMap((action) => kinds.flatMap((kind) => findRoutes(action, kind)))
  const routed = found.flatMap(({ flow }) => flow ?? [])
  const own = [...listOptional(settings), ...settings.features].flatMap((feature) =>
    Object.values(feature.routes ?? {}),
  )
  const ofFeatures = (await Promise.all(own.map(async (route) => route.flow()))).map(({ id }) => id)
  const refreshes = kinds.includes('oauth') && storesTokens(settings)
  return [...new Set(routed), ...ofFeatures, ...(refreshes ? ['refresh'] : []), 'journey']
}

async function loadRecordings(path: string, terminal: Terminal): Promise<readonly Recording[]> {
  const text = await terminal.readFile(path).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${reasonOf(error)}`, 1)
  })
  try {
    return readRecordings(text)
  } catch (error) {
    const reason = reasonOf(error)
    throw new CommandError(
      `${path} contains no run: ${reason}.\nOpen a run in devtools, and save it as JSON.`,
      1,
    )
  }
}
