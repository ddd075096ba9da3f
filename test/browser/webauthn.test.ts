import { setTimeout } from 'node:timers/promises'
import { createRequestListener } from '@remix-run/node-fetch-server'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPort, type OpenPort } from '../../docs/examples/demo/serve.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import Passkey from '../../src/providers/passkey.ts'
import WebAuthn from '../../src/providers/webauthn.ts'
import { launchBrowser } from '../support/browser.ts'
import { recordFlows } from '../support/journeys/browsers.ts'
import { watch } from '../support/demo/watch-page.ts'
import {
  type AuthenticatorOptions,
  openAuthenticators,
  plugIn,
  type VirtualAuthenticator,
} from '../support/virtual-authenticator.ts'

describe('passkeys in a browser', () => {
  let port: OpenPort
  let browser: Browser
  let store: ReturnType<typeof memoryAdapter>
  let errors: string[] = []
  let party: { origin?: string } = {}
  /** Holds the options for a suggested passkey back until the server has sent other options. */
  let holdsSuggestions = false
  let othersSent: () => void = () => undefined
  /** The authenticator that the user touches as soon as the page requests it, except for suggestions. */
  let toBeTouched: VirtualAuthenticator | undefined

  beforeAll(async () => {
    port = await openPort('localhost', 0)
    port.answer(createRequestListener(async (request) => answer(request)))
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await port?.close()
  })
  beforeEach(() => {
    store = memoryAdapter()
    errors = []
    party = {}
    holdsSuggestions = false
    toBeTouched = undefined
  })

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const response = await answerAtOnce(request, pathname)
    if (!holdsSuggestions || !pathname.includes('/webauthn-options/')) return response
    if (searchParams.get('action') === 'authenticate')
      await Promise.race([new Promise<void>((sent) => (othersSent = sent)), setTimeout(1000)])
    else othersSent()
    return response
  }

  async function answerAtOnce(request: Request, pathname: string): Promise<Response> {
    if (!pathname.startsWith('/auth/'))
      return new Response('<title>Home</title><h1>Home</h1>', { headers: { 'content-type': 'text/html' } })
    return createAuth({
      secret: 'a secret for the passkey tests that is long enough',
      trustHost: true,
      adapter: store,
      experimental: { enableWebAuthn: true },
      providers: [
        Passkey({ relayingParty: party }),
        WebAuthn({ enableConditionalUI: false, name: 'Key', relayingParty: party }),
      ],
      debug: true,
      logger: recordFlows({ error: ({ message }) => void errors.push(message), warn() {} }),
    }).handler(request)
  }

  /**
   * Opens a new user agent with an authenticator. The test fails on a request to another machine and on any console
   * error.
   */
  async function browse(
    options: AuthenticatorOptions,
    visit: (page: Page, authenticator: VirtualAuthenticator, session: CDPSession) => Promise<void>,
  ): Promise<void> {
    const opened = await browser.newContext()
    const seen = watch(opened)
    const page = await opened.newPage()
    page.setDefaultTimeout(10_000)
    await page.exposeFunction('touchAuthenticator', touchAuthenticator)
    await page.addInitScript(watchCeremonies)
    const session = await openAuthenticators(page)
    await visit(page, await plugIn(session, options), session)
    await opened.close()
    expect(seen.strangers()).toEqual([])
    expect(seen.complaints()).toEqual([])
  }

  async function touchAuthenticator(): Promise<void> {
    const touched = toBeTouched
    toBeTouched = undefined
    await touched?.answer(true)
  }

  const sessionOf = async (page: Page) =>
    (await (await page.request.get(`${port.origin}/auth/session`)).json()) as {
      user?: { name?: string }
    } | null
  const form = (page: Page, id = 'passkey') => page.locator(`#${id}-form`)

  /**
   * Fills in the form and presses its button. The user touches the authenticator only when the page requests it after
   * that. An earlier touch would also accept a suggestion that arrives late, and the page would navigate away before
   * the click.
   */
  async function submit(
    page: Page,
    device: VirtualAuthenticator,
    email: string,
    id = 'passkey',
    button = /^Sign in/,
  ): Promise<void> {
    await device.answer(false)
    if (new URL(page.url()).pathname !== '/auth/signin') await page.goto(`${port.origin}/auth/signin`)
    await form(page, id).getByLabel('Email').fill(email)
    toBeTouched = device
    await form(page, id).getByRole('button', { name: button }).click()
  }

  async function register(
    page: Page,
    device: VirtualAuthenticator,
    email: string,
    id?: string,
  ): Promise<void> {
    await submit(page, device, email, id, /^Register/)
    await page.waitForURL(`${port.origin}/`)
    expect(await sessionOf(page)).toMatchObject({ user: { name: email } })
  }

  async function forget(page: Page): Promise<void> {
    await page.context().clearCookies()
    expect(await sessionOf(page)).toBeNull()
  }

  it('DEC-30g DEC-30f WA-05 registers and signs in with the same form', () =>
    browse({}, async (page, device) => {
      await register(page, device, 'ada@example.com')
      const [made] = await device.credentials()
      expect(made?.userHandle).toBeDefined()
      await forget(page)
      await submit(page, device, 'ada@example.com')
      await page.waitForURL(`${port.origin}/`)
      expect(await sessionOf(page)).toMatchObject({ user: { name: 'ada@example.com' } })
      expect(errors).toEqual([])
    }))

  it('DEC-30g DEC-30f registers while an autofill request is still pending', () =>
    browse({}, async (page, device) => {
      holdsSuggestions = true
      await register(page, device, 'ada@example.com')
      expect(errors).toEqual([])
    }))

  it('DEC-30g offers a passkey in the autofill of the address field', () =>
    browse({}, async (page, device) => {
      await register(page, device, 'ada@example.com')
      await forget(page)
      await page.goto(`${port.origin}/auth/signin`)
      await page.waitForURL(`${port.origin}/`)
      expect(await sessionOf(page)).toMatchObject({ user: { name: 'ada@example.com' } })
      expect(errors).toEqual([])
    }))

  it('WA-11 DEC-30f adds a second device for a signed-in user, and signs in with either', () =>
    browse({}, async (page, first, session) => {
      await register(page, first, 'ada@example.com')
      await first.answer(false)
      await page.goto(`${port.origin}/auth/signin`)
      // A suggestion that arrives later would abort the test's own ceremony.
      await page.waitForFunction(() => 'suggestsPasskey' in globalThis)
      const second = await plugIn(session, { transport: 'usb' })
      await page.evaluate(addDevice)
      await page.waitForURL(`${port.origin}/`)
      const [made] = await first.credentials()
      const { userId = '' } = (await store.getAuthenticator(made?.credentialId ?? '')) ?? {}
      expect(await store.listAuthenticatorsByUserId(userId)).toHaveLength(2)
      expect([(await first.credentials()).length, (await second.credentials()).length]).toEqual([1, 1])
      await second.answer(false)
      for (const device of [second, first]) {
        await forget(page)
        await submit(page, device, 'ada@example.com')
        await page.waitForURL(`${port.origin}/`)
        expect(await sessionOf(page)).toMatchObject({ user: { name: 'ada@example.com' } })
        await device.answer(false)
      }
      expect(errors).toEqual([])
    }))

  it('WA-03 gives no session to a site that relays the ceremony', async () => {
    const relay = await openPort('localhost', 0)
    const asOurs = (text: string) => text.replaceAll(relay.origin, port.origin)
    const asTheirs = (text: string) => text.replaceAll(port.origin, relay.origin)
    relay.answer(
      createRequestListener(async (request) => {
        const body = request.method === 'POST' ? asOurs(decodeURIComponent(await request.text())) : undefined
        const sent = body === undefined ? undefined : new URLSearchParams(body)
        const headers = new Headers(request.headers)
        headers.delete('content-length')
        const passedOn = new Request(asOurs(request.url), { method: request.method, headers, body: sent })
        const { status, headers: given, body: content } = await answer(passedOn)
        const theirs = new Headers(
          [...given].map(([name, value]): [string, string] => [name, asTheirs(value)]),
        )
        return new Response(content && asTheirs(await new Response(content).text()), {
          status,
          headers: theirs,
        })
      }),
    )
    await browse({}, async (page, device) => {
      await register(page, device, 'ada@example.com')
      await forget(page)
      await device.answer(false)
      await page.goto(`${relay.origin}/auth/signin`)
      await submit(page, device, 'ada@example.com')
      await page.waitForURL(`${relay.origin}/auth/error?error=WebAuthnVerificationError`)
      expect(await sessionOf(page)).toBeNull()
      expect(errors).toEqual(['The response of the authenticator could not be verified'])
    })
    await relay.close()
  })

  it('WA-03 does not register a response for an origin other than the configured one', () =>
    browse({}, async (page, device) => {
      party = { origin: `${port.origin}0` }
      await submit(page, device, 'ada@example.com', 'passkey', /^Register/)
      await page.waitForURL(`${port.origin}/auth/error?error=WebAuthnVerificationError`)
      expect(await device.credentials()).toHaveLength(1)
    }))

  it('WA-05 rejects a cloned authenticator', () =>
    browse({}, async (page, device) => {
      await register(page, device, 'ada@example.com')
      const copies = await device.credentials()
      await forget(page)
      await submit(page, device, 'ada@example.com')
      await page.waitForURL(`${port.origin}/`)
      await forget(page)
      await device.clear()
      for (const copy of copies) await device.add(copy)
      await submit(page, device, 'ada@example.com')
      await page.waitForURL(`${port.origin}/auth/error?error=WebAuthnVerificationError`)
      expect(errors).toEqual(['The signature counter did not increase. The passkey may have been copied'])
      expect(await sessionOf(page)).toBeNull()
    }))

  it('WA-04 rejects a passkey without user verification, and the page says so', () =>
    browse({ isUserVerified: false }, async (page, device) => {
      await submit(page, device, 'ada@example.com', 'passkey', /^Register/)
      expect(await form(page).getByRole('alert').innerText()).toBe(
        'The passkey did not work. Try again, or use another way to sign in.',
      )
      expect(new URL(page.url()).pathname).toBe('/auth/signin')
      expect(await device.credentials()).toEqual([])
      await device.verify(true)
      await submit(page, device, 'ada@example.com', 'passkey', /^Register/)
      await page.waitForURL(`${port.origin}/`)
    }))

  it('WA-04 rejects an authenticator that skips user verification', () =>
    browse({ transport: 'usb', verifies: false }, async (page) => {
      await page.goto(`${port.origin}/auth/signin`)
      await page.evaluate(registerUnverified)
      await page.waitForURL(`${port.origin}/auth/error?error=WebAuthnVerificationError`)
      expect(await store.getUserByEmail('ada@example.com')).toBeNull()
      expect(errors).toEqual(['The registration could not be verified'])
    }))

  it('DEC-39a signs in with a discoverable credential on a security key, without an address', () =>
    browse({ transport: 'usb' }, async (page, device) => {
      await register(page, device, 'ada@example.com', 'webauthn')
      await forget(page)
      await submit(page, device, 'ada@example.com', 'webauthn')
      await page.waitForURL(`${port.origin}/`)
      expect(await sessionOf(page)).toMatchObject({ user: { name: 'ada@example.com' } })
    }))

  it('WIR-062 shows no passkey form to a browser without passkey support', async () => {
    const context = await browser.newContext()
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
    const page = await context.newPage()
    await page.goto(`${port.origin}/auth/signin`)
    await form(page).waitFor({ state: 'hidden' })
    expect(await form(page, 'webauthn').isHidden()).toBe(true)
    await context.close()
  })
})

/**
 * Runs in the browser before the page's own scripts. Touches the authenticator when the page requests it, and records
 * when the page suggests a passkey.
 */
function watchCeremonies(): void {
  const page = globalThis as unknown as { touchAuthenticator(): Promise<void>; suggestsPasskey?: true }
  const credentials = CredentialsContainer.prototype
  const { create, get } = credentials
  credentials.create = async function (options) {
    await page.touchAuthenticator()
    return create.call(this, options)
  }
  credentials.get = async function (options) {
    if (options?.mediation === 'conditional') page.suggestsPasskey = true
    else await page.touchAuthenticator()
    return get.call(this, options)
  }
}

interface Script {
  startRegistration(options: { optionsJSON: object }): Promise<object>
}

/** The script of an application's own page. Runs in the browser. */
async function addDevice(): Promise<void> {
  const { SimpleWebAuthnBrowser } = globalThis as unknown as { SimpleWebAuthnBrowser: Script }
  const form = document.querySelector<HTMLFormElement>('#passkey-form')
  const response = await fetch(`${form?.dataset.optionsUrl}?action=register`)
  const { action, options } = (await response.json()) as { action: string; options: object }
  const answer = await SimpleWebAuthnBrowser.startRegistration({ optionsJSON: options })
  for (const [name, value] of Object.entries({ action, data: JSON.stringify(answer) })) {
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name, value })
    form?.append(field)
  }
  if (form) HTMLFormElement.prototype.submit.call(form)
}

/** A page that requests less from the authenticator than the server required. Runs in the browser. */
async function registerUnverified(): Promise<void> {
  const { SimpleWebAuthnBrowser } = globalThis as unknown as { SimpleWebAuthnBrowser: Script }
  const form = document.querySelector<HTMLFormElement>('#passkey-form')
  const response = await fetch(`${form?.dataset.optionsUrl}?action=register&email=ada@example.com`)
  const { action, options } = (await response.json()) as { action: string; options: object }
  const authenticatorSelection = { residentKey: 'discouraged', userVerification: 'discouraged' }
  const optionsJSON = { ...options, authenticatorSelection }
  const answer = await SimpleWebAuthnBrowser.startRegistration({ optionsJSON })
  for (const [name, value] of Object.entries({ action, data: JSON.stringify(answer) })) {
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name, value })
    form?.append(field)
  }
  if (form) HTMLFormElement.prototype.submit.call(form)
}
