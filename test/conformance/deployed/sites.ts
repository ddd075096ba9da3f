import { fileURLToPath } from 'node:url'
import type { App } from '../integrations/apps.ts'
import { apps } from '../integrations/apps.ts'
import { findFreeOrigin, serveApp } from '../integrations/serve-app.ts'
import { findFreePort } from '../support/free-port.ts'
import { startNginx } from '../support/nginx.ts'
import { startRedis } from '../support/redis.ts'

/** A site on one of our integrations, as its users run it. */
export interface DeployedSite {
  readonly name: string
  /** Starts it with the oracle's providers, whose ports begin at this one. */
  readonly start: (port: number) => Promise<RunningSite>
}

interface RunningSite {
  /** Where its routes are. */
  readonly url: string
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

/** Each example of an integration, built for production, and two sites behind nginx. */
export const deployedSites: readonly DeployedSite[] = [
  ...apps
    .filter(({ serve }) => serve)
    .map((app) => ({ name: app.name, start: (port: number) => startExample(app, port) })),
  { name: 'express-behind-nginx', start: startBehindProxy },
  { name: 'two-processes-with-redis', start: startTwoProcesses },
]

async function startExample({ proxy: _proxy, ...app }: App, port: number): Promise<RunningSite> {
  const origin = await findFreeOrigin()
  const served = serveApp(app, origin, clientAt(port), true)
  await served.ready
  return { url: `${origin}${app.basePath ?? '/auth'}`, stop: served.end }
}

async function startBehindProxy(port: number): Promise<RunningSite> {
  const app = apps.find(({ name }) => name === 'express')
  if (!app) throw new Error('there is no example of Express')
  const inner = await findFreeOrigin()
  const proxy = await startNginx([Number(new URL(inner).port)])
  const origin = `http://127.0.0.1:${proxy.port}`
  const served = serveApp(app, inner, { ...clientAt(port), AUTH_URL: origin }, true)
  await served.ready
  return { url: `${origin}/auth`, stop: async () => void (await Promise.all([served.end(), proxy.stop()])) }
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
  const app = { name: 'redis', directory: 'test/conformance', serve: [main] }
  const served = ports.map((each) => serveApp(app, `http://127.0.0.1:${each}`, environment, true))
  await Promise.all(served.map(({ ready }) => ready))
  return {
    url: `${origin}/auth`,
    async stop() {
      await Promise.all([...served.map(({ end }) => end()), proxy.stop()])
      await redis.stop()
    },
  }
}
