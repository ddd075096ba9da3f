import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { journeyEventsOf } from '../../machines/journey-run.ts'
import { keepRun } from '../support/journeys/browsers.ts'
import type { RecordedRun } from '../support/journeys/check.ts'

const main = fileURLToPath(new URL('../../docs/examples/demo/main.ts', import.meta.url))

/** The chapters of the check, each with the flows that complete them. */
const ways = {
  'Sign-in with OpenID Connect': ['sign-in -> sentToProvider', 'callback -> signedIn'],
  'Sign-in with a mail link': ['email-request -> linkMailed', 'email-verification -> signedIn'],
  'Sign-in with a mail code': ['mail-code-request -> codeMailed', 'mail-code-guess -> signedIn'],
  'Sign-in with a password': [
    'password-request -> linkMailed',
    'password-reset -> signedIn',
    'credentials -> signedIn',
  ],
  'Sign-in with a passkey': ['webauthn-options -> answered', 'webauthn -> signedIn', 'account -> changed'],
  'Sign-in with a second factor': [
    'factor-enrolment -> enrolled',
    'email-verification -> held',
    'factor -> passed',
    'email-verification -> signedIn',
  ],
  'The account page': [
    'account -> shown',
    'account -> changed',
    'factor-enrolment -> enrolled',
    'account -> codesShown',
    'account -> deleted',
  ],
}

describe('npm start -- --check --store sqlite', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-check-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** Starts the check with its own directory for temporary files. */
  const start = () => {
    const child = spawn(process.execPath, [main, '--check', '--store', 'sqlite'], {
      env: { PATH: process.env.PATH, NODE_OPTIONS: '', TMPDIR: folder },
    })
    return { child, output: text(child.stdout), complaint: text(child.stderr), exit: once(child, 'exit') }
  }

  it('ATN-001 signs in and out in every way, uses the second factor and the account page, and leaves nothing behind', async () => {
    const { output, complaint, exit } = start()
    const [code] = (await exit) as [number | null]
    const problems = (await complaint)
      .split('\n')
      .filter((line) => !/ExperimentalWarning|--trace-warn/.test(line))
    expect(problems.join('\n')).toBe('')
    expect(code).toBe(0)
    const [, ...chapters] = (await output).split('\n# ')
    expect(chapters.map((chapter) => chapter.split('\n')[0])).toEqual(Object.keys(ways))
    Object.entries(ways).forEach(([title, ends], n) => {
      const chapter = chapters[n] ?? ''
      expect(chapter).toMatch(
        /Signed in\. The session:\n\{\n {2}"user": \{[^}]*"(?:email|name)": "[^"]+@example\.com"/,
      )
      expect(chapter).toContain('Signed out. The session:\nnull\n')
      // The account page ends the session of a second browser, whose requests are among the others.
      if (title !== 'The account page') keepRun(readRun(chapter))
      for (const end of [...ends, 'session -> presented', 'sign-out -> signedOut'])
        expect(chapter).toContain(`\n${end}\n`)
    })
    expect(chapters[4]).toMatch(/verifyingRegistration +registration\.verified/)
    expect(chapters[4]).toMatch(/verifyingAuthentication +authentication\.verified/)
    expect(await readdir(folder)).toEqual([])
    expect(await findProcesses(folder)).toEqual([])
  })

  it('leaves nothing behind when it is stopped while the browser runs', async () => {
    const { child, output, complaint, exit } = start()
    while (
      !(await readdir(folder)).some((name) => name.startsWith('authmachine-browser-')) &&
      child.exitCode === null
    )
      await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^authmachine-demo-/))
    child.kill('SIGTERM')
    expect(await exit).toEqual([143, null])
    await Promise.all([output, complaint])
    await expect.poll(() => readdir(folder)).toEqual([])
    await expect.poll(() => findProcesses(folder)).toEqual([])
  })
})

/** The runs of the browser of a chapter. The check prints the end of each run. */
function readRun(chapter: string): RecordedRun {
  const ends = [...chapter.matchAll(/^(\S+) -> (\w+)(?:, as above)?$/gm)].map(([, flow = '', next = '']) => ({
    flow,
    state: '',
    event: '',
    next,
  }))
  const steps = ends.map((end, index) => ({
    request: `run ${index + 1} of the check, ${end.flow}`,
    // The request that passes the gate also continues the sign-in.
    events: journeyEventsOf(ends.slice(index, end.next === 'passed' ? index + 2 : index + 1)),
    from: 2 * index,
    to: 2 * index + 1,
  }))
  const continued = ends.flatMap(({ next }, index) => (next === 'passed' ? [index + 1] : []))
  return {
    browser: `the check of ${chapter.split('\n')[0]}`,
    held: [],
    steps: steps.filter((_, index) => !continued.includes(index)),
  }
}

/** Processes that were started with this directory for temporary files; none where there is no /proc. */
async function findProcesses(folder: string): Promise<readonly string[]> {
  const ids = await readdir('/proc').catch(() => [])
  const found = ids
    .filter((id) => /^\d+$/.test(id))
    .map(async (id) => {
      const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '')
      return environment.split('\0').includes(`TMPDIR=${folder}`) ? [id] : []
    })
  return (await Promise.all(found)).flat()
}
