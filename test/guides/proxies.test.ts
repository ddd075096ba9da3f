import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request as ask } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { configureNginx } from '../support/nginx.ts'
import { useGitHub } from './github.ts'

const examples = new URL('../../docs/examples/proxies/', import.meta.url)

/** The headers that a client sends to choose the host of your links and its own address. */
const forged = {
  host: 'example.com',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
  forwarded: 'host=evil.example;proto=https',
  'x-real-ip': '203.0.113.66',
  'x-forwarded-for': '203.0.113.66',
}

interface Proxy {
  readonly command: string
  readonly check: string
  /** Writes the configuration to a folder. @returns the arguments of the command */
  readonly configure: (folder: string, port: number, target: number) => Promise<readonly string[]>
}

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    command: 'nginx',
    check: '-v',
    configure: (folder, port, target) => configureNginx(folder, port, [target]),
  },
  Caddy: {
    command: 'caddy',
    check: 'version',
    async configure(folder, port, target) {
      const file = join(folder, 'Caddyfile')
      const site = (await readFile(new URL('site.caddyfile', examples), 'utf8'))
        .replace('127.0.0.1:3000', `127.0.0.1:${target}`)
        .replace('example.com', `http://example.com:${port}`)
      await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
      return ['run', '--adapter', 'caddyfile', '--config', file]
    },
  },
}

async function readJson(port: number, headers: Record<string, string>): Promise<unknown> {
  const request = ask({ host: '127.0.0.1', port, path: '/auth/providers', headers }).end()
  const [response] = await once(request, 'response')
  return JSON.parse(await text(response)) as unknown
}

const callbackAt = (origin: string) => ({ github: { callbackUrl: `${origin}/auth/callback/github` } })

describe('the program of the guide on proxies', () => {
  useGitHub()

  async function listen(): Promise<{ target: number; seen: Record<string, unknown>[]; close: () => void }> {
    vi.stubEnv('NODE_ENV', 'production')
    vi.stubEnv('AUTH_TRUST_HOST', 'true')
    const { server } = await import('../../docs/examples/proxies/server.ts')
    const seen: Record<string, unknown>[] = []
    server.on('request', ({ headers }) => seen.push(headers))
    const target = await findFreePort()
    server.listen(target, '127.0.0.1')
    await once(server, 'listening')
    return { target, seen, close: () => void server.close() }
  }

  it('takes host and protocol from the headers of the proxy', async () => {
    const { target, close } = await listen()
    try {
      const headers = { host: 'inner', 'x-forwarded-host': 'example.com', 'x-forwarded-proto': 'https' }
      expect(await readJson(target, headers)).toMatchObject(callbackAt('https://example.com'))
    } finally {
      close()
    }
  })

  describe.each(Object.entries(proxies))('behind %s', (_name, { command, check, configure }) => {
    const isMissing = !process.env['CI'] && spawnSync(command, [check]).status !== 0

    it.skipIf(isMissing)('ignores the headers that a client forges', async () => {
      const { target, seen, close } = await listen()
      const folder = await mkdtemp(join(tmpdir(), 'authmachine-proxy-'))
      const port = await findFreePort()
      const args = await configure(folder, port, target)
      const proxy = spawn(command, args, { stdio: 'ignore', env: { ...process.env, HOME: folder } })
      try {
        expect(await retry(() => readJson(port, forged))).toMatchObject(callbackAt('http://example.com'))
        expect(seen.at(-1)).toMatchObject({ 'x-real-ip': '127.0.0.1', 'x-forwarded-for': '127.0.0.1' })
        expect(seen.at(-1)).not.toHaveProperty('forwarded')
      } finally {
        await end(proxy)
        close()
        await rm(folder, { recursive: true })
      }
    })
  })
})

/** Repeats an action until the proxy listens. */
async function retry<T>(action: () => Promise<T>, attempts = 50): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (attempts === 0) throw error
    await wait(100)
    return retry(action, attempts - 1)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill()
  await once(child, 'exit')
}
