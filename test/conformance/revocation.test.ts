import { describe, expect, it } from 'vitest'
import { watchRevocations } from '../../fuzz/monitors/revocation.ts'
import type { Browser } from '../../fuzz/world/browser.ts'
import { readReply } from '../../fuzz/world/reply.ts'

const site = 'https://app.example/auth'
const browser = { name: 'ada' } as Browser

/** A monitor, fed with a request to a path with cookies, and with its response. */
function watch() {
  const monitor = watchRevocations({ basePath: '/auth', strategy: 'database', capabilities: new Set() })
  return async (path: string, cookie: string, answer: { sets?: string; json?: unknown; method?: string }) => {
    const request = new Request(`${site}/${path}`, { method: answer.method ?? 'GET', headers: { cookie } })
    monitor.sent?.(browser, request)
    const headers = new Headers(answer.sets === undefined ? [] : [['set-cookie', answer.sets]])
    const reply = await readReply(Response.json(answer.json ?? null, { headers }), request.url)
    monitor.answered?.({ browser, request, body: '', reply, at: 0 })
  }
}

const signedIn = { json: { user: { name: 'ada' } } }
const signOut = { method: 'POST', sets: 'authjs.session-token=; Max-Age=0' }

describe('the sign-out monitor', () => {
  it('detects a session that still works after its sign-out', async () => {
    const show = watch()
    await show('callback/alpha', '', { sets: 'authjs.session-token=one' })
    await show('session', 'authjs.session-token=one', signedIn)
    await show('signout', 'authjs.session-token=one', signOut)
    await expect(show('session', 'authjs.session-token=one', signedIn)).rejects.toThrow('after its sign-out')
  })

  it('ignores a cookie that the application never issued', async () => {
    const show = watch()
    await show('signout', 'authjs.session-token.0=stale', signOut)
    await show('callback/alpha', '', { sets: 'authjs.session-token=one' })
    await show('session', 'authjs.session-token=one; authjs.session-token.0=stale', signedIn)
  })
})
