import { demand, read } from './demand.ts'
import { startDemo, type Demo } from './demo.ts'
import type { StorePlace } from './store.ts'
import { createLogger, describeRun, type Run } from './trail.ts'
import { byMailLink, byOpenId, byPassword, type Way } from './ways.ts'
import { byPasskey } from './way-passkey.ts'

/**
 * Signs in and out at a demo of its own, as people would, and prints what happened: by OpenID Connect, and where a
 * database is to be tried, by every other way too.
 * @throws Error that says what went wrong
 */
export async function check(store: StorePlace, print: (line: string) => void): Promise<void> {
  const started = performance.now()
  const runs: Run[] = []
  const ways = store.kind === 'memory' ? [byOpenId] : [byOpenId, byMailLink, byPassword, byPasskey]
  const demo = await startDemo({ port: 0, store, logger: createLogger((run) => runs.push(run)) })
  try {
    print(`The site is at ${demo.origin}, the provider at ${demo.issuer}`)
    for (const way of ways) {
      print(`\n# Sign-in by ${way.name}`)
      try {
        await signInAndOut(way, demo, print)
        printPaths(way, runs.splice(0), print)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        throw new Error(`Sign-in by ${way.name}: ${why}`, { cause: error })
      }
    }
  } finally {
    await demo.close()
  }
  print(`\nAll is well, after ${Math.round(performance.now() - started)} ms.`)
}

async function signInAndOut(way: Way, demo: Demo, print: (line: string) => void): Promise<void> {
  const { signIn, readSession, signOut, leave, email } = await way.arrive(demo)
  try {
    demand((await readSession()) === null, 'There is a session before anybody signed in')
    await signIn()
    const session = await readSession()
    print(`\nSigned in. The session:\n${JSON.stringify(session, null, 2)}`)
    const user = read(session, 'user')
    // A passkey proves no address: the typed one is the name of its user.
    const who = read(user, 'email') ?? read(user, 'name')
    demand(who === email, 'The session is not that of who signed in')
    await signOut()
    const after = await readSession()
    print(`\nSigned out. The session:\n${JSON.stringify(after)}`)
    demand(after === null, 'The session outlived the sign-out')
  } finally {
    await leave()
  }
}

function printPaths({ flows }: Way, runs: readonly Run[], print: (line: string) => void): void {
  print('\nThe path of states of each flow:')
  // A session is read for every page; the same path twice says nothing new.
  for (const path of new Set(runs.map(describeRun))) print(`\n${path}`)
  for (const flow of [...flows, 'session', 'sign-out'])
    demand(
      runs.some((run) => run.flow === flow),
      `No ${flow} flow ran`,
    )
}
