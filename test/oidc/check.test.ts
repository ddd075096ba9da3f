import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readOptions } from '../../docs/examples/demo/options.ts'
import { openPort } from '../../docs/examples/demo/serve.ts'

const main = fileURLToPath(new URL('../../docs/examples/demo/main.ts', import.meta.url))

/** Runs the demo as users do, until it exits. */
async function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, NODE_OPTIONS: '' },
  })
  const [output, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { output, complaint, code: code as number }
}

describe('npm start -- --check', { timeout: 120_000 }, () => {
  it('signs in and out, prints the session and the path of each flow, and exits', async () => {
    const { output, complaint, code } = await start('--check')
    expect(complaint.replaceAll(/^.*(?:ExperimentalWarning|--trace-warn).*\n/gm, '')).toBe('')
    expect(code).toBe(0)
    expect(output).toContain('"email": "ada@example.com"')
    expect(output).toContain('Signed out. The session:\nnull')
    const ends = [
      'sign-in -> sentToProvider',
      'callback -> signedIn',
      'session -> presented',
      'sign-out -> signedOut',
    ]
    for (const end of ends) expect(output).toContain(`\n${end}\n`)
    expect(output).toMatch(/exchangingCode +id-token\.received/)
  })

  it('exits with a message when something fails', async () => {
    const { origin, close } = await openPort('localhost', 0)
    const { code, complaint } = await start(`--port=${new URL(origin).port}`)
    await close()
    expect(code).toBe(1)
    expect(complaint).toMatch(/^Port \d+ is in use.*\n$/)
  })

  it('reads e-mail only from its own inbox, and signs in only at its own site', () => {
    expect(() => readOptions(['--check', '--smtp=smtp://127.0.0.1'], {})).toThrow(/leave --smtp out/)
    const other = ['--issuer=https://idp.example', '--client-id=me']
    expect(() => readOptions(['--check', ...other], {})).toThrow(/leave --issuer out/)
  })

  it.each([
    [[], { kind: 'memory' }],
    [['--store=sqlite'], { kind: 'sqlite' }],
    [['--store=sqlite:a:b.db'], { kind: 'sqlite', path: 'a:b.db' }],
    [['--store=postgresql://db/demo'], { kind: 'postgres', url: 'postgresql://db/demo' }],
  ])('accepts %j as a store', (args, store) => {
    expect(readOptions(args, {}).store).toEqual(store)
  })

  it.each([
    ['--issuer=https://idp.example', /--issuer needs --client-id/],
    ['--issuer=nowhere', /--issuer takes a URL/],
    ['--client-id=me', /need --issuer/],
    ['--port=http', /--port takes a number/],
    ['--store=mysql://db', /--store takes memory, sqlite/],
    ['--store=sqlite:', /--store takes memory, sqlite/],
    ['--smtp=mail.example', /--smtp takes a URL/],
    ['--nonsense', /--nonsense/],
  ])('rejects %s', (arg, why) => {
    expect(() => readOptions([arg], {})).toThrow(why)
  })
})
