import { Agent, get } from 'node:http'
import * as app from './application.ts'

/** The response to a session request. `ms` counts from the time at which it was due, so it includes time in a queue. */
export interface Reply {
  /** Milliseconds since the load began at which it was due. */
  readonly due: number
  readonly ms: number
  readonly end: 'session' | 'failure' | 'signed out'
}

/** Sends session requests at a constant rate to the servers in turn. Each request has a different session. */
export async function sendSteadily(
  ports: readonly number[],
  { sessions, rate, seconds }: { readonly sessions: number; readonly rate: number; readonly seconds: number },
): Promise<readonly Reply[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 })
  const startedAt = performance.now()
  const replies: Promise<Reply>[] = []
  for (let sent = 0; sent < rate * seconds; sent++) {
    const due = (sent * 1000) / rate
    const wait = startedAt + due - performance.now()
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait))
    const user = (sent * 7919) % sessions
    const port = ports[sent % ports.length] ?? 0
    replies.push(
      ask(agent, port, user).then((end) => ({ due, ms: performance.now() - startedAt - due, end })),
    )
  }
  const all = await Promise.all(replies)
  agent.destroy()
  return all
}

async function ask(agent: Agent, port: number, user: number): Promise<Reply['end']> {
  const cookie = `${app.heldCookies}; ${app.cookies.session}=t${user}`
  return new Promise((resolve) => {
    const request = get(
      { agent, port, host: '127.0.0.1', path: '/auth/session', headers: { cookie } },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (body += chunk))
        response.once('error', () => resolve('failure'))
        response.once('end', () => {
          if (body.includes(`u${user}@example.com`)) resolve('session')
          else resolve(response.statusCode === 200 ? 'signed out' : 'failure')
        })
      },
    )
    request.setTimeout(30_000, () => request.destroy())
    request.once('error', () => resolve('failure'))
  })
}

/** Returns a percentile of times. */
export function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
