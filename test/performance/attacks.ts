import * as app from '../bench/application.ts'
import { cookiesOf, post, signInByOAuth } from '../bench/browser.ts'
import type { Opened } from '../bench/check-floors.ts'

/** Requests that the library refuses because it promises to, by name. */
export const attacks: Readonly<Record<string, (opened: Opened) => Promise<Response>>> = {
  'a body without end': async ({ handles }) => {
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(`x=${'x'.repeat(60_000)}&`)),
    })
    const { url, headers } = post('callback/credentials', {})
    return handles['credentials sign-in'](stream(url, headers, body))
  },
  'a body in many pieces': async ({ handles }) => {
    const { url, headers, body } = post('callback/credentials', { password: 'password' })
    const pieces = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        for (let n = 0; n < 300; n++) controller.enqueue(Uint8Array.of(0x26))
      },
    })
    const piped = body?.pipeThrough(pieces)
    return handles['credentials sign-in'](stream(url, headers, piped))
  },
  'a large body': ({ handles }) => attempt(handles, { body: (text) => `${text}&x=${'x'.repeat(110_000)}` }),
  'many fields': ({ handles }) => attempt(handles, { body: (text) => text + '&x=1'.repeat(600) }),
  'a field that is not UTF-8': ({ handles }) => attempt(handles, { body: (text) => `${text}&x=%ff` }),
  'many cookies': ({ handles }) => attempt(handles, { cookie: (text) => text + '; a=b'.repeat(600) }),
  'a long cookie header': ({ handles }) =>
    attempt(handles, { cookie: (text) => `${text}; a=${'b'.repeat(66_000)}` }),
  'a wrong CSRF token': ({ handles }) =>
    attempt(handles, { body: (text) => text.replace(/c{64}/, 'd'.repeat(64)) }),
  'a forged CSRF cookie': ({ handles }) =>
    attempt(handles, { cookie: (text) => text.replace(/c{64}/, 'd'.repeat(64)) }),
  'a wrong password': ({ handles }) =>
    attempt(handles, { body: (text) => text.replace('password=password', 'password=x') }),
  ...Object.fromEntries(
    ['code=another', 'state=another', 'iss=https://evil.test', 'error=access_denied'].map((more) => [
      `a response of the provider with ${more}`,
      (opened: Opened) => respond(opened, (url) => `${url}&${more}`),
    ]),
  ),
  'a long URL': (opened) => respond(opened, (url) => `${url}&x=${'x'.repeat(20_000)}`),
  'many parameters': (opened) => respond(opened, (url) => url + '&x=1'.repeat(600)),
  'a redirect of the provider': (opened) =>
    withProvider(opened, ({ redirect }) =>
      // Without `manual`, fetch would follow the redirect and return this token.
      redirect === 'manual' ? Response.redirect('https://evil.test') : Response.json(granted),
    ),
  'a large response of the provider': (opened) =>
    withProvider(opened, () => Response.json({ ...granted, more: 'x'.repeat(300_000) })),
  'a deep response of the provider': (opened) =>
    withProvider(
      opened,
      () =>
        new Response(
          `{"access_token":"a","token_type":"bearer","more":${'['.repeat(70)}${']'.repeat(70)}}`,
          asJson,
        ),
    ),
  'a response of the provider that is not JSON': (opened) =>
    withProvider(opened, () => new Response(JSON.stringify(granted))),
  'a response without an access token': (opened) =>
    withProvider(opened, () => Response.json({ token_type: 'bearer' })),
}

const granted = { access_token: 'an access token', token_type: 'bearer' }
const asJson = { headers: { 'content-type': 'application/json' } }

interface Change {
  readonly body?: (text: string) => string
  readonly cookie?: (text: string) => string
}

/** Sends a changed sign-in with credentials. */
async function attempt(
  handles: Opened['handles'],
  { body = same, cookie = same }: Change,
): Promise<Response> {
  const request = post('callback/credentials', { password: 'password' })
  const headers = new Headers(request.headers)
  headers.set('cookie', cookie(headers.get('cookie') ?? ''))
  const changed = new Request(request.url, { method: 'POST', headers, body: body(await request.text()) })
  return handles['credentials sign-in'](changed)
}

function same(text: string): string {
  return text
}

/** Changes the response of the provider to the browser. */
function respond({ handles }: Opened, change: (url: string) => string): Promise<Response> {
  return signInByOAuth((request) =>
    handles['OAuth sign-in'](
      request.method === 'GET' ? new Request(change(request.url), { headers: request.headers }) : request,
    ),
  )
}

/** Replaces the provider's token response. */
async function withProvider({ handles }: Opened, grant: (request: Request) => Response): Promise<Response> {
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    return request.url === app.provider.token ? grant(request) : fetch(input)
  }
  try {
    return await signInByOAuth(handles['OAuth sign-in'])
  } finally {
    globalThis.fetch = fetch
  }
}

/** Whether a response signs a user in. */
export function admits(response: Response): boolean {
  return new RegExp(`${app.cookies.session}=ey`).test(cookiesOf(response))
}

/** Posts a body whose end is not known. */
function stream(url: string, headers: Headers, body: ReadableStream | undefined): Request {
  const init = { method: 'POST', headers, body: body ?? null, duplex: 'half' }
  return new Request(url, init)
}
