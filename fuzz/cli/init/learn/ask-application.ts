import { openHosted, type Hosted } from '../../../world/hosted.ts'
import { openWorld } from '../../../world/world.ts'
import { openRunning, sendTo } from '../../../targets/running.ts'
import { withoutPreset } from '../compose-description.ts'
import { findAuthJs, learnDescription, type Learned } from './learn-description.ts'
import { findPreset, tryPresets } from './recognise-preset.ts'

/** How to reach the application. */
export interface Asked {
  readonly url: string
  /** The first of the oracle's ports. */
  readonly port: number
  readonly keys?: string
}

/**
 * The base URL of the routes of Auth.js, or the findings about other routes; undefined if the application does not
 * respond.
 */
export type Asking = { readonly authJs: string } | Learned | undefined

/**
 * Asks a running application how to use it.
 *
 * @returns nothing if it does not respond
 * @throws {Error} if a port of the oracle is in use
 */
export async function askApplication({ url, port, keys }: Asked): Promise<Asking> {
  const place = new URL(url)
  const isThere = await fetch(place, { redirect: 'manual' }).then(
    () => true,
    () => false,
  )
  if (!isThere) return undefined
  // Nobody knows yet which links sign in, so it is the first one of a mail.
  const hosted = await openHosted(port, { keys, link: '/' })
  try {
    const world = await openWorld(driveUnknown(place, hosted), {}, 0)
    const authJs = await findAuthJs(world)
    if (authJs !== undefined) return { authJs }
    return await startFromPreset(await learnDescription(world), () => tryPresets(whereIs(place), hosted))
  } finally {
    await hosted.close()
  }
}

/** Writes the findings as differences from a preset, if the application matches one. */
async function startFromPreset(
  { answers, gaps }: Learned,
  tryAll: () => Promise<string | undefined>,
): Promise<Learned> {
  const isEmpty = Object.keys(answers).length === 0
  const preset = isEmpty ? await tryAll() : findPreset(answers)
  if (preset === undefined) return { answers, gaps }
  return { answers: { preset, ...withoutPreset(answers, preset) }, gaps: isEmpty ? [] : gaps }
}

function whereIs({ origin, pathname }: URL) {
  return { name: origin, origin, basePath: pathname.replace(/\/$/, ''), handle: sendTo(origin) }
}

function driveUnknown(place: URL, hosted: Hosted) {
  const { name, ...reached } = whereIs(place)
  const running = { ...reached, idOf: () => undefined }
  return {
    name,
    capabilities: new Set<string>(),
    features: new Set<never>(),
    providers: new Set<never>(),
    open: async () => openRunning(running, hosted),
  }
}
