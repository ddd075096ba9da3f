import { vi } from 'vitest'
import { origin } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'

/** What a page sees of its browser. All tabs of a test are one process, so that they share it. */
export interface Page {
  readonly location: { href: string; readonly reload: () => void }
  readonly reloads: () => number
  /** Methods and paths of what was asked for. */
  readonly asked: string[]
  /** The user comes back to the tab. */
  readonly show: () => void
}

/** Puts the globals of a page around the client; each of its requests is the agent's. `vi.unstubAllGlobals` ends it. */
export function openPage(agent: Agent, path = '/members'): Page {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const asked: string[] = []
  let reloads = 0
  let at = new URL(path, origin)
  const location = {
    get href() {
      return at.href
    },
    set href(url) {
      at = new URL(url, at)
    },
    reload: () => void (reloads += 1),
  }
  vi.stubGlobal('document', document)
  vi.stubGlobal('location', location)
  vi.stubGlobal('fetch', (url: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    asked.push(`${method} ${url}`)
    return agent.send(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(body instanceof URLSearchParams && { form: body }),
      ...(typeof body === 'string' && { json: JSON.parse(body) as unknown }),
    })
  })
  return {
    location,
    reloads: () => reloads,
    asked,
    show: () => void document.dispatchEvent(new Event('visibilitychange')),
  }
}
