import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser as launch } from '../../docs/examples/demo/browser.ts'
import { tellContexts } from './journeys/browsers.ts'

export { findBrowser } from '../../docs/examples/demo/browser.ts'

/** Starts the browser of the demo's own check. What its contexts do is recorded. */
export async function launchBrowser(): Promise<Browser> {
  return tellContexts(await launch())
}

/** Opens a page of a desktop without animations, in a separate context. Collects the errors of its scripts. */
export async function openQuietPage(
  browser: Browser,
  url: string,
  { errors, ...options }: BrowserContextOptions & { readonly errors: string[] },
): Promise<Page> {
  const viewport = { width: 1440, height: 900 }
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  errors.length = 0
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(url)
  return page
}
