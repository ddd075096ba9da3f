import { readForms } from '../../fuzz/world/forms.ts'
import type { Agent } from './browser-agent.ts'

/** Opens a mailed link, and presses the button if a page asks to confirm the address first. */
export async function followLink(agent: Agent, link: string): Promise<Response> {
  return confirmLink(agent, await agent.send(link))
}

/** Presses the button of the page that a link opened. Returns any other response unchanged. */
export async function confirmLink(agent: Agent, opened: Response): Promise<Response> {
  const form = readForms(await opened.clone().text()).find(({ fields }) => 'token' in fields)
  return form ? agent.send(new URL(form.action).pathname, { form: form.fields }) : opened
}

/** Gives one browser the cookies of another, as its tabs share them. */
export function copyCookies(from: Agent, to: Agent): Agent {
  for (const [name, value] of Object.entries(from.cookies())) to.set(`${name}=${value}; Path=/; Secure`)
  return to
}
