import { fileURLToPath } from 'node:url'
import type { App } from '../../integrations/apps.ts'
import { apps, findApp } from '../../integrations/apps.ts'
import { findFreeOrigin, serveApp } from '../../integrations/serve-app.ts'
import { findFreePort } from '../../support/free-port.ts'
import { startNginx } from '../../support/nginx.ts'
import { startRedis } from '../../support/redis.ts'

/** A site on one of our integrations, as its users run it. */
export interface DeployedSite {
  readonly name: string
  /** Starts it with the oracle's providers, whose ports begin at this one. */
  readonly start: (port: number) => Promise<RunningSite>
}

interface RunningSite {
  /** The target of the oracle, and its options for this target. */
  readonly words: readonly string[]
  readonly stop: () => Promise<void>
}

const secret = 'a secret for the conformance tests that is long enough'

/** The client of the oracle's first provider. */
const clientAt = (port: number) => ({
  AUTH_SECRET: secret,
  AUTH_DEMO_ISSUER: `http://127.0.0.1:${port}`,
  AUTH_DEMO_ID: 'client-at-alpha',
  AUTH_DEMO_SECRET: 'secret-at-alpha-0123456789',
})

/** The name of the library without a site. */
export const inProcess = 'in-process'

/** The behaviour of the handler on every site. */
const capabilities = [
  'canonical-url',
  'confirm-page',
  'header-limits',
  'narrow-session-user',
  'parallel-tabs',
  'token-limit',
]

/** The behaviour of the routers of some frameworks, before the handler gets a request. */
const routers: Readonly<Record<string, readonly string[]>> = {
  next: ['routed-methods'],
  'next-cache': ['routed-methods'],
  qwik: ['merged-slashes'],
  'qwik-alias': ['merged-slashes'],
  'solid-start': ['routed-methods'],
}

/** Each example of an integration, built for production, and two sites behind nginx; for comparison, the library in process. */
export const deployedSites: readonly DeployedSite[] = [
  { name: inProcess, start: async () => ({ words: ['ours'], stop: async () => {} }) },
  ...apps
    // By URL, the oracle cannot pass a gate.
    .filter(({ serve, gate }) => serve && gate === undefined)
    .map((app) => ({
      name: app.name,
      // SvelteKit assumes https, and refuses the forms of an http page, unless a proxy says otherwise.
      start: (port: number) => (app.proxy ? startBehindProxy : startExample)(app, port),
    })),
  { name: 'express-behind-nginx', start: (port) => startBehindProxy(findApp('express'), port) },
  { name: 'two-processes-with-redis', start: startTwoProcesses },
]

function nameSite(url: string, port: number, more: readonly string[] = []): readonly string[] {
  return [url, '--port', String(port), '--capabilities', [...capabilities, ...more].join(',')]
}

async function startExample(app: App, port: number): Promise<RunningSite> {
  const origin = await findFreeOrigin()
  const served = serveApp(app, origin, clientAt(port), true)
  await served.ready
  return { words: nameSite(`${origin}${app.basePath ?? '/auth'}`, port, routers[app.name]), stop: served.end }
}

async function startBehindProxy(app: App, port: number): Promise<RunningSite> {
  const inner = await findFreeOrigin()
  const proxy = await startNginx([Number(new URL(inner).port)])
  const origin = `http://127.0.0.1:${proxy.port}`
  const served = serveApp(app, inner, { ...clientAt(port), AUTH_URL: origin }, true)
  await served.ready
  const stop = async () => void (await Promise.all([served.end(), proxy.stop()]))
  return { words: nameSite(`${origin}${app.basePath ?? '/auth'}`, port), stop }
}

/** Sessions in Redis, and requests that alternate between two processes. */
async function startTwoProcesses(port: number): Promise<RunningSite> {
  const redis = await startRedis()
  const ports = [await findFreePort(), await findFreePort()]
  const proxy = await startNginx(ports)
  const origin = `http://127.0.0.1:${proxy.port}`
  const main = fileURLToPath(new URL('redis-site.ts', import.meta.url))
  const environment = {
    ...clientAt(port),
    AUTH_URL: origin,
    REDIS_URL: redis.url,
    SMTP_URL: `smtp://127.0.0.1:${port + 3}`,
  }
  const app = { name: 'redis', directory: 'test/conformance/deployed', serve: [main] }
  const served = ports.map((each) => serveApp(app, `http://127.0.0.1:${each}`, environment, true))
  await Promise.all(served.map(({ ready }) => ready))
  return {
    words: nameSite(`${origin}/auth`, port),
    async stop() {
      await Promise.all([...served.map(({ end }) => end()), proxy.stop()])
      await redis.stop()
    },
  }
}
