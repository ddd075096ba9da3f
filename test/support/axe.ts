import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds, in a word for each. Scripts that the browser's driver runs are under no policy of the page. */
export async function findInaccessible(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
