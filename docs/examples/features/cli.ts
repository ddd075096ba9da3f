interface Codes {
  readonly device_code: string
  readonly verification_uri_complete: string
  readonly user_code: string
  /** Seconds. */
  readonly interval: number
}

export interface CliTools {
  readonly send: (request: Request) => Promise<Response>
  readonly say: (text: string) => void
  readonly wait: (seconds: number) => Promise<void>
}

/**
 * Signs in a command line.
 *
 * @param base the URL of the routes, such as `https://example.com/auth`
 * @returns the cookies of the session, to send with each request. Keep them like a password
 */
export async function signIn(base: string, { send, say, wait }: CliTools): Promise<string> {
  const jar = new Map<string, string>()
  const cookies = () => Array.from(jar, (pair) => pair.join('=')).join('; ')
  const ask = async (action: string, body?: URLSearchParams): Promise<Record<string, unknown>> => {
    const method = body ? 'POST' : 'GET'
    const headers = { cookie: cookies() }
    const response = await send(new Request(`${base}/${action}`, { method, headers, body: body ?? null }))
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    return (await response.json()) as Record<string, unknown>
  }
  const post = async (action: string, fields: Readonly<Record<string, string>>) => {
    const { csrfToken } = await ask('csrf')
    return ask(action, new URLSearchParams({ ...fields, csrfToken: String(csrfToken) }))
  }

  const started = await post('device-start', { client_id: 'cli' })
  const { device_code, user_code, verification_uri_complete, interval } = started as unknown as Codes
  say(`Open ${verification_uri_complete} and check that it shows the code ${user_code}`)
  for (let seconds = interval; ;) {
    await wait(seconds)
    const { error } = await post('device-poll', { device_code })
    if (error === undefined) return cookies()
    if (error === 'slow_down') seconds += 5
    else if (error !== 'authorization_pending') throw new Error(`The sign-in failed: ${String(error)}`)
  }
}
