import type { Browser } from 'playwright-core'
import { launchBrowser as launch } from '../../docs/examples/demo/browser.ts'
import { tellContexts } from './journeys/browsers.ts'

export { findBrowser } from '../../docs/examples/demo/browser.ts'

/** Starts the browser of the demo's own check. What its contexts do is recorded. */
export async function launchBrowser(): Promise<Browser> {
  return tellContexts(await launch())
}
