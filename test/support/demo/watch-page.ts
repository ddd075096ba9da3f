import type { BrowserContext } from 'playwright-core'

/** Requests and console errors of all pages of a context. */
export interface Watch {
  /** Requested host names other than this machine's. */
  readonly strangers: () => readonly string[]
  /** Console errors: scripts, refused resources, violations of a policy. */
  readonly complaints: () => readonly string[]
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1'])

/** Watches a context from now on. Ignores the browser's message about a document with an error status. */
export function watch(context: BrowserContext): Watch {
  const hosts = new Set<string>()
  const complaints: string[] = []
  context.on('request', (request) => hosts.add(new URL(request.url()).hostname))
  context.on('console', (message) => {
    const isOwnStatus =
      message.text().includes('status of') && message.location().url === message.page()?.url()
    if (message.type() === 'error' && !isOwnStatus) complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
  return {
    strangers: () => [...hosts].filter((host) => !loopback.has(host)),
    complaints: () => [...complaints],
  }
}
