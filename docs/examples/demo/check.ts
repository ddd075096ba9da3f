import { startDemo, type Demo } from './demo.ts'
import { createLogger, describeRun, type Run } from './trail.ts'
import { createVisitor } from './visitor.ts'

const deadline = 9_000
const flows = ['sign-in', 'callback', 'session', 'sign-out']

/**
 * Signs in and out once at a demo of its own, as a browser would, and prints what happened.
 * @throws Error that says what went wrong
 */
export async function check(print: (line: string) => void): Promise<void> {
  const started = performance.now()
  const runs: Run[] = []
  const demo = await startDemo({ port: 0, logger: createLogger((run) => runs.push(run)) })
  try {
    await signInAndOut(demo, print)
  } finally {
    await demo.close()
  }
  print('\nThe path of states of each flow:')
  // A session is read for every page; the same path twice says nothing new.
  for (const path of new Set(runs.map(describeRun))) print(`\n${path}`)
  for (const flow of flows)
    demand(
      runs.some((run) => run.flow === flow),
      `No ${flow} flow ran`,
    )
  print(`\nAll is well, after ${Math.round(performance.now() - started)} ms.`)
}

async function signInAndOut({ origin, issuer }: Demo, print: (line: string) => void): Promise<void> {
  const auth = `${origin}/auth`
  const visitor = createVisitor(AbortSignal.timeout(deadline))
  const readCsrf = async () => String(read(await visitor.readJson(`${auth}/csrf`), 'csrfToken'))
  print(`The site is at ${origin}, the provider at ${issuer}`)
  demand((await visitor.readJson(`${auth}/session`)) === null, 'There is a session before anybody signed in')

  const asked = await visitor.post(`${auth}/signin/demo`, {
    csrfToken: await readCsrf(),
    callbackUrl: `${origin}/profile`,
  })
  demand(
    asked.url.startsWith(`${issuer}/interaction/`),
    `The sign-in ended at ${asked.url}, not at the provider`,
  )
  const arrived = await visitor.post(asked.url, { user: 'ada' })
  demand(
    arrived.url === `${origin}/profile`,
    `The provider's answer led to ${arrived.url}, not to the profile`,
  )

  const session = await visitor.readJson(`${auth}/session`)
  print(`\nSigned in. The session:\n${JSON.stringify(session, null, 2)}`)
  demand(
    read(read(session, 'user'), 'email') === 'ada@example.com',
    'The session is not that of who signed in',
  )

  await visitor.post(`${auth}/signout`, { csrfToken: await readCsrf(), callbackUrl: origin })
  const after = await visitor.readJson(`${auth}/session`)
  print(`\nSigned out. The session:\n${JSON.stringify(after)}`)
  demand(after === null, 'The session outlived the sign-out')
}

function read(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function demand(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}
