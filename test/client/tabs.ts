import { vi } from 'vitest'
import { origin } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'

/** The page's view of its browser. All tabs of a test run in one process, which they share as tabs share a browser. */
export interface Page {
  readonly location: { href: string; readonly reload: () => void }
  readonly reloads: () => number
  /** Methods and paths of the requests. */
  readonly asked: string[]
  /** Simulates that the user returns to the tab. */
  readonly show: () => void
}

/** Stubs the globals of a page. Its requests go through the agent. `vi.unstubAllGlobals` reverts it. */
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
