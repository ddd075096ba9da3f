/** A thread that explores one configuration. */
import { parentPort, workerData } from 'node:worker_threads'
import { prepareDrivers } from '../run/open-driver.ts'
import type { LibraryPlace } from '../targets/find-target.ts'
import { recordTerms } from './terms.ts'
import type { Limits } from './search.ts'

export interface ThreadData {
  readonly target: LibraryPlace
  readonly configuration: string
  readonly limits: Limits
  /** The only sequence to try. */
  readonly path?: readonly number[] | undefined
}

// A message port has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
const { target, configuration: name, limits, path } = workerData as ThreadData
const terms = recordTerms()
const driver = await prepareDrivers(target, terms.drawn).renew()
const [{ configurations }, { explore, replay, whyNot }] = await Promise.all([
  import('./configurations.ts'),
  import('./explore.ts'),
])
const configuration = configurations.find((each) => each.name === name)
if (!configuration) throw new Error(`there is no configuration ${name}`)
const reason = whyNot(configuration, driver)
if (reason !== undefined) parentPort?.postMessage({ configuration: name, reason })
else if (path) parentPort?.postMessage(await replay(driver, configuration, path))
else parentPort?.postMessage(await explore(driver, terms, configuration, limits))
