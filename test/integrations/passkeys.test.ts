import { randomBytes, randomUUID } from 'node:crypto'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createRequestListener } from '@remix-run/node-fetch-server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { build, type Rolldown } from 'vite'
import { openPort, type OpenPort } from '../../docs/examples/demo/serve.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import Passkey from '../../src/providers/passkey.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { SimpleWebAuthn } from '../../src/types/simple-webauthn.ts'
import { launchBrowser } from '../support/browser.ts'
import { openAuthenticators, plugIn } from '../support/virtual-authenticator.ts'

/** The client of `next-auth/webauthn`, as fuzz/peers/next-auth/passkeys.js exposes it. */
declare const signInWithPasskey: (
  provider: string,
  options: object,
) => Promise<{ error?: string } | undefined>

const root = fileURLToPath(new URL('../../fuzz/peers/next-auth/', import.meta.url))
const importPeer = (path: string): Promise<unknown> =>
  import(pathToFileURL(`${root}node_modules/${path}`).href)

/** Bundles the page with one version of `@simplewebauthn/browser`. */
async function bundlePage(client: string): Promise<string> {
  const variables = ['NEXTAUTH_URL', 'NEXTAUTH_URL_INTERNAL', 'VERCEL_URL']
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: { '@simplewebauthn/browser': client } },
    define: Object.fromEntries(variables.map((name) => [`process.env.${name}`, 'undefined'])),
    build: { write: false, rolldownOptions: { input: `${root}passkeys.js` } },
  })) as Rolldown.RolldownOutput
  return output[0].code
}

const clients = { 9: '@simplewebauthn/browser', 14: 'simplewebauthn-browser-14' } as const
type Version = keyof typeof clients

type Handle = (request: Request) => Promise<Response>

describe('the passkey client of next-auth', () => {
  const scripts = new Map<string, string>()
  let site: OpenPort
  let browser: Browser
  let config: Omit<AuthConfig, 'providers'>
  /** Messages that either library logged as errors. */
  let errors: string[] = []
  let handle: Handle
  let ours: (simpleWebAuthn?: SimpleWebAuthn) => Handle
  let theirs: Handle
  let server9: SimpleWebAuthn

  beforeAll(async () => {
    for (const [version, client] of Object.entries(clients))
      scripts.set(`/client-${version}.js`, await bundlePage(client))
    site = await openPort('localhost', 0)
    site.answer(
      createRequestListener((request) => {
        const { pathname } = new URL(request.url)
        const script = scripts.get(pathname)
        if (script !== undefined)
          return new Response(script, { headers: { 'content-type': 'text/javascript' } })
        if (pathname.startsWith('/api/auth/')) return handle(request)
        const page = `<script type="module" src="/client${pathname.replace('/', '-')}.js"></script>`
        return new Response(page, { headers: { 'content-type': 'text/html' } })
      }),
    )
    server9 = (await importPeer('@simplewebauthn/server/esm/index.js')) as SimpleWebAuthn
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  beforeEach(async () => {
    errors = []
    const store = memoryAdapter()
    config = {
      basePath: '/api/auth',
      secret: randomBytes(32).toString('base64url'),
      trustHost: true,
      adapter: {
        ...store,
        // @auth/core leaves the id of a user with a passkey to the store.
        createUser: (user) => store.createUser({ ...user, id: randomUUID() }),
      },
      session: { strategy: 'jwt' },
      experimental: { enableWebAuthn: true },
      logger: {
        error: ({ name, message, cause }) =>
          void errors.push(`${name}: ${message} ${String((cause as { err?: unknown } | undefined)?.err)}`),
        warn: () => undefined,
      },
    }
    ours = (simpleWebAuthn) => {
      const auth = createAuth({ ...config, providers: [Passkey(simpleWebAuthn && { simpleWebAuthn })] })
      return async (request) => auth.handler(request)
    }
    const core = (await importPeer('@auth/core/index.js')) as {
      Auth: (request: Request, config: object) => Promise<Response>
    }
    const { default: theirPasskey } = (await importPeer('@auth/core/providers/passkey.js')) as {
      default: (options: object) => object
    }
    theirs = (request) => core.Auth(request, { ...config, providers: [theirPasskey({})] })
  })

  /** Opens a page with an authenticator. */
  async function openPage() {
    const page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(20_000)
    const session = await openAuthenticators(page)
    let authenticator = await plugIn(session)
    async function plugInAnother(): Promise<void> {
      await authenticator.unplug()
      authenticator = await plugIn(session)
    }
    return { page, plugInAnother }
  }

  /** Calls the client on a page with this version of it. Rejects if the client does. */
  async function perform(page: Page, version: Version, options: object): Promise<void> {
    await page.goto(`${site.origin}/${version}`)
    await page.waitForFunction('globalThis.signInWithPasskey')
    const answer = await page.evaluate(
      (given) => signInWithPasskey('passkey', { ...given, redirect: false }),
      options,
    )
    expect([answer?.error ?? null, errors]).toEqual([null, []])
  }

  /** A passkey proves no address here: the typed one becomes the user's name. */
  const userAt = (page: Page): Promise<unknown> =>
    page.evaluate(async () => {
      const session = (await (await fetch('/api/auth/session')).json()) as {
        user?: { name?: string; email?: string }
      } | null
      return session?.user?.email ?? session?.user?.name ?? null
    })

  async function register(page: Page, version: Version, email: string): Promise<void> {
    await perform(page, version, { action: 'register', email })
    expect(await userAt(page)).toBe(email)
  }

  async function signIn(page: Page, version: Version, email: string): Promise<void> {
    await page.context().clearCookies()
    await perform(page, version, {})
    expect(await userAt(page)).toBe(email)
  }

  it.each([
    [9, 9, 9],
    [9, 14, 9],
    [14, 9, 9],
    [9, 9, 14],
    [9, 14, 14],
    [14, 9, 14],
    [14, 14, 14],
  ] as const)(
    'DEC-30h DEC-30a @simplewebauthn/browser %i registers two passkeys that sign in with %i, on @simplewebauthn/server %i',
    async (registering, signingIn, server) => {
      handle = ours(server === 9 ? server9 : undefined)
      const { page, plugInAnother } = await openPage()
      await register(page, registering, 'ada@example.com')
      await signIn(page, signingIn, 'ada@example.com')
      // A signed-in user adds another passkey.
      await plugInAnother()
      await perform(page, registering, { action: 'register' })
      await signIn(page, signingIn, 'ada@example.com')
      await page.context().close()
    },
  )

  it.each([9, 14] as const)(
    'ECO-003 signs in with @simplewebauthn/browser %i and passkeys registered with @auth/core, and vice versa',
    async (version) => {
      const { page, plugInAnother } = await openPage()
      handle = theirs
      await register(page, 9, 'ada@example.com')
      handle = ours()
      await signIn(page, version, 'ada@example.com')
      await plugInAnother()
      await perform(page, version, { action: 'register' })
      await signIn(page, version, 'ada@example.com')
      handle = theirs
      await signIn(page, 9, 'ada@example.com')
      await page.context().close()
    },
  )
})
