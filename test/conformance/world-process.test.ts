import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it, vi } from 'vitest'

const top = fileURLToPath(new URL('../../', import.meta.url))
const port = 24_770
const page = `http://127.0.0.1:${port + 4}/`
const world = `node fuzz/cli/main.ts world --port ${port}`
const started: ChildProcess[] = []

/** Starts a command in its own process group, and waits for the page of `world`. */
async function start(command: string, args: readonly string[], npm?: string): Promise<ChildProcess> {
  const { npm_lifecycle_event: _, ...others } = process.env
  const env = { ...others, PATH: `${top}node_modules/.bin:${others.PATH}` }
  const child = spawn(command, args, {
    cwd: top,
    env: npm === undefined ? env : { ...env, npm_lifecycle_event: npm },
    stdio: 'ignore',
    detached: true,
  })
  started.push(child)
  await vi.waitFor(() => fetch(page), { timeout: 20_000, interval: 100 })
  return child
}

const isServed = () =>
  fetch(page).then(
    () => true,
    () => false,
  )

afterEach(async () => {
  for (const { pid } of started.splice(0))
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // The group has ended.
    }
  await expect.poll(isServed).toBe(false)
})

it.each(['SIGTERM', 'SIGINT'] as const)(
  'ends with code 0 on %s, also with an open connection',
  async (signal) => {
    const [command = '', ...args] = world.split(' ')
    const child = await start(command, args)
    const mail = connect(port + 3, '127.0.0.1')
    mail.on('error', () => {})
    await once(mail, 'data')
    child.kill(signal)
    const ended = performance.now()
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(performance.now() - ended).toBeLessThan(20_000)
    mail.destroy()
  },
)

it('ends when npm ends, whose shell passes no signal on', async () => {
  const npm = await start('npm', ['run', 'conformance', '--', 'world', '--port', String(port)])
  npm.kill('SIGTERM')
  await once(npm, 'exit')
  await expect.poll(isServed).toBe(false)
})

it('ends when its shell is killed, if npm started it', async () => {
  const shell = await start('sh', ['-c', `${world}; true`], 'conformance')
  shell.kill('SIGKILL')
  await expect.poll(isServed).toBe(false)
})

it('outlives its shell without npm, as with nohup', async () => {
  const shell = await start('sh', ['-c', `${world}; true`])
  shell.kill('SIGKILL')
  await once(shell, 'exit')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(await isServed()).toBe(true)
})
