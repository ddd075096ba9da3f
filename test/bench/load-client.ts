/** The client of `load.ts`: sends requests with the cookies of many users, and prints the result of autocannon as JSON. */
import * as app from './application.ts'
import { loadPeer } from './load-peer.ts'

interface Request {
  readonly headers: Readonly<Record<string, string>>
}

interface Options {
  readonly url: string
  readonly connections: number
  readonly duration: number
  readonly verifyBody: (body: string) => boolean
  readonly requests: readonly { readonly setupRequest: (request: Request) => Request }[]
}

const [, , url = '', cookies = '{}', connections, seconds] = process.argv
const { tokens = [], pattern = 0 } = JSON.parse(cookies) as {
  readonly tokens?: readonly string[]
  /** The number of sessions whose tokens are `t0`, `t1` and so on. */
  readonly pattern?: number
}

let sent = 0
function nextToken(): string {
  sent++
  return pattern > 0 ? `t${(sent * 7919) % pattern}` : (tokens[sent % tokens.length] ?? '')
}

const { load } = await loadPeer<{ load: (options: Options) => Promise<object> }>('autocannon')
const result = await load({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  verifyBody: (body) => body.includes('"user"'),
  requests: [
    {
      setupRequest: (request) => ({
        ...request,
        headers: {
          ...request.headers,
          cookie: `${app.heldCookies}; ${app.cookies.session}=${nextToken()}`,
        },
      }),
    },
  ],
})
console.log(JSON.stringify(result))
