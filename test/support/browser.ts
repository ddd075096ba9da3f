import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser as launch } from '../../docs/examples/demo/browser.ts'
import { tellContexts } from './journeys/browsers.ts'

export { findBrowser } from '../../docs/examples/demo/browser.ts'

/** Launches the browser that the demo's own check uses, and records what its contexts do. */
export async function launchBrowser(): Promise<Browser> {
  return tellContexts(await launch())
}

/**
 * Opens a page in its own context, with a desktop viewport and reduced motion. Collects its script errors in
 * `errors`, which is emptied first.
 */
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
