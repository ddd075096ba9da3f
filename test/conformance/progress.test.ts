import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openProgress } from '../../fuzz/cli/progress.ts'
import { waitFor } from '../../fuzz/cli/wait-for.ts'
import { failure, judgement } from './support.ts'

afterEach(() => void vi.useRealTimers())

describe('the progress of a run in a log', () => {
  it('is a line for each failure, one every ten seconds, and one at the end', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const lines: string[] = []
    const progress = await openProgress('a\u001b', { write: (line: string) => lines.push(line) })
    progress.start(40)
    progress.report(judgement('PASS', ['TX-01']), 1)
    progress.report(failure('TX-02', { property: 'is bound' }), 2)
    vi.advanceTimersByTime(11_000)
    progress.report(judgement('PASS', ['TX-03']), 3)
    progress.report(judgement('PASS', ['TX-04']), 4)
    vi.advanceTimersByTime(1000)
    progress.stop()
    expect(lines).toEqual([
      String.raw`a\u{1b}: 40 tests, each of one property on one application` + '\n',
      String.raw`a\u{1b}: FAIL TX-02: it broke [database]` + '\n',
      String.raw`a\u{1b}: 3 of 40 tests, failures: 1, 11 s` + '\n',
      String.raw`a\u{1b}: 4 of 40 tests, failures: 1, 12 s` + '\n',
    ])
  })
})

describe('waiting for an application', () => {
  let server: Server | undefined
  afterEach(() => void server?.close())
  const listen = async (statuses: number[]) => {
    server = createServer((_request, response) => {
      response.statusCode = statuses.shift() ?? 200
      response.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth/providers`
  }

  it('ends when it responds with status 200', async () => {
    const left = [503, 404]
    await waitFor(await listen(left), 20_000)
    expect(left).toEqual([])
  })

  it('fails after its time, and says what the application returned', async () => {
    const url = await listen(Array.from({ length: 99 }, () => 503))
    await expect(waitFor(url, 700)).rejects.toThrow(
      `Expected ${url} to respond with status 200 within 0.7 s, got 503`,
    )
    server?.close()
    await expect(waitFor('http://127.0.0.1:1/', 100)).rejects.toThrow(/within 0\.1 s, got \S/)
  })
})
