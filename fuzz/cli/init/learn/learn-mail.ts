import type { World } from '../../../world/world.ts'
import { readActions, type Action } from './read-actions.ts'
import { act, open } from './visit.ts'

/** A form that mails a link, and how the path of the link begins. */
export interface MailForm {
  readonly action: Action
  readonly page: string
  /** The field with the address. */
  readonly field: string
  readonly link: string
}

const isAddress = /mail|address|^to$|identifier/i

/** Finds the form that mails a sign-in link. */
export async function learnMail(world: World, pages: readonly string[]): Promise<MailForm | undefined> {
  for (const page of new Set(pages)) {
    const { reply, url } = await open(world, world.browser(), `${world.basePath}${page}`)
    if (reply.status !== 200) continue
    for (const { method, fields, url: target } of readActions(reply.text, url)) {
      const field = Object.keys(fields).find((name) => isAddress.test(name))
      if (method !== 'POST' || field === undefined || 'password' in fields) continue
      const found = await requestMail(world, page, target, field)
      if (found) return { ...found, page, field }
    }
  }
  return undefined
}

async function requestMail(
  world: World,
  page: string,
  target: URL,
  field: string,
): Promise<Pick<MailForm, 'action' | 'link'> | undefined> {
  const links: URL[] = []
  let sent: Action | undefined
  for (const address of [world.people.ada.address.mail, world.people.bob.address.mail]) {
    const browser = world.browser()
    const { reply, url } = await open(world, browser, `${world.basePath}${page}`)
    const action = readActions(reply.text, url).find(
      (each) => each.method === 'POST' && each.url.href === target.href,
    )
    if (!action) return undefined
    const before = world.mailbox.mails.length
    await act(world, browser, { ...action, fields: { ...action.fields, [field]: address } })
    const mail = await world.mailbox.waitFor(address, before)
    if (!mail) return undefined
    links.push(mail.link)
    sent = action
  }
  const [first = '', second = ''] = links.map(({ pathname }) => pathname)
  return sent && { action: sent, link: commonPath(first, second).slice(world.basePath.length) || '/' }
}

/** Returns how two paths begin, up to a slash where they differ. */
function commonPath(first: string, second: string): string {
  if (first === second) return first
  const parts = first.split('/')
  const other = second.split('/')
  const at = parts.findIndex((part, index) => part !== other[index])
  return `${parts.slice(0, at).join('/')}/`
}
