import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, it, vi } from 'vitest'
import { runWorld } from '../../fuzz/cli/world/run-world.ts'
import { checkConformance } from '../../fuzz/run/check-conformance.ts'
import type { Description } from '../../fuzz/targets/described/description.ts'
import { describeCareless, serveCarelessApp } from './described/careless-app.ts'
import { description as small, serveSmallApp } from './described/small-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'authmachine-script-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the oracle on an application. @returns the script of the failure of a requirement */
async function findScript(url: string, port: number, description: Description, id: string): Promise<string> {
  const { judgements } = await checkConformance(
    { kind: 'url', name: url, url, port, description },
    { only: [id], seed: 1 },
  )
  const failure = judgements.find(({ broken }) => broken === id)
  expect(failure?.verdict).toBe('FAIL')
  return failure?.finding?.commands.join('\n') ?? ''
}

/** Pastes a script into a shell, next to the command `world`. @returns what the shell shows */
async function paste(script: string, port: number): Promise<string> {
  const ending = new AbortController()
  const out: string[] = []
  const print = (line: string) => void out.push(line)
  const running = runWorld(['--port', String(port)], { print, complain: print, signal: ending.signal })
  try {
    await vi.waitFor(() => expect(out.join('')).toContain('Requests and mails'), { timeout: 15_000 })
    const shell = spawn('sh', ['-i'], { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, PS1: '' } })
    const shown = Promise.all([text(shell.stdout), text(shell.stderr)])
    shell.stdin.end(`${script}\n`)
    const [output, errors] = await shown
    expect(errors.replaceAll(/^.*(?:job control|can't access tty|\$ |> ).*\n?/gm, '').trim()).toBe('')
    return output
  } finally {
    ending.abort()
    await running
  }
}

/** Returns the part of the output from the last title on that contains this text. */
const after = (output: string, title: string) => output.slice(output.lastIndexOf(`# ${title}`))

it('a pasted script reproduces a session fixation, with a new transaction and new cookies', async () => {
  const port = 24_810
  const log = join(folder, 'fixation.log')
  const app = await serveCarelessApp(port, log, 'keeps the session id')
  try {
    const description = { ...describeCareless(log), providers: { alpha: 'alpha' } }
    const script = await findScript(app.url, port, description, 'SE-01')
    expect(script).not.toContain(':?Set')
    const output = await paste(script, port)
    expect(after(output, 'eve asks who is signed in')).toMatch(/\{"mail":"ada@(?:alpha|mail)\.example",/)
    expect(output).toContain('# The failure: eve')
  } finally {
    app.close()
  }
})

it('a pasted script opens a mailed link twice', async () => {
  const port = 24_820
  const log = join(folder, 'link.log')
  const app = await serveCarelessApp(port, log, 'keeps links')
  try {
    const script = await findScript(app.url, port, describeCareless(log), 'SU-01')
    expect(script).not.toContain(':?Set')
    const output = await paste(script, port)
    expect(output).toMatch(/# \S+@\S+ receives a mail\nHTTP\/1.1 302/)
    expect(output.match(/opens the link in the mail\nHTTP\/1.1 302/g)?.length).toBeGreaterThan(1)
  } finally {
    app.close()
  }
})

it('a pasted script makes the provider misbehave, and the application signs in', async () => {
  const port = 24_840
  const app = await serveSmallApp(port)
  try {
    const script = await findScript(app.url, port, small, 'OI-14')
    expect(script).not.toContain(':?Set')
    expect(script).toContain(`"do":"misbehave","with":["error-beside-tokens"]}'`)
    const output = await paste(script, port)
    expect(after(output, 'ada asks who is signed in')).toContain('ada@alpha.example')
  } finally {
    app.close()
  }
})

it('a pasted script inserts the state of another sign-in', async () => {
  const port = 24_830
  const app = await serveSmallApp(port, 'no state')
  try {
    const script = await findScript(app.url, port, small, 'TX-02')
    expect(script).not.toContain(':?Set')
    const output = await paste(script, port)
    expect(after(output, 'ada asks who is signed in')).toContain('alpha.example')
  } finally {
    app.close()
  }
})
