import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The violations that axe finds, by id. The page's policy does not apply to scripts that the browser's driver runs. */
export async function findInaccessible(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
