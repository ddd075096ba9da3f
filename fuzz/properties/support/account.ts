import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import { type Form, readForms } from '../../world/forms.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/** An application with the account page, where only accounts of providers sign in. */
export const withAccountPage = {
  database: { strategy: 'database', providers: ['alpha', 'beta'], with: { 'account-page': true } },
} as const satisfies Record<string, Setup>

/** Opens the account page, and returns its forms by the change that they request. */
export async function formsFor(world: World, browser: Browser, change: string): Promise<readonly Form[]> {
  const { text } = await browser.send(`${world.basePath}/account`, { says: 'opens the account page' })
  return readForms(text).filter(({ fields }) => fields.change === change)
}

/** Sends a form of the account page, with some fields changed. */
export async function sendForm(
  world: World,
  browser: Browser,
  { fields }: Form,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const says = `asks for ${fields.change}`
  return browser.send(`${world.basePath}/account`, { form: { ...fields, ...more }, says })
}
