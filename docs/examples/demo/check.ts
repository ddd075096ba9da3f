import { assert, read } from './assert.ts'
import { startDemo, type Demo } from './demo.ts'
import type { StorePlace } from './store.ts'
import { createLogger, describeRun, type Run } from './trail.ts'
import { bySecondFactor, onAccountPage } from './manage-account.ts'
import { byMailCode, byMailLink, byOpenId, byPassword, type Chapter } from './sign-in-methods.ts'
import { byPasskey } from './sign-in-passkey.ts'

const chapters = [byOpenId, byMailLink, byMailCode, byPassword, byPasskey, bySecondFactor, onAccountPage]

/**
 * Starts a demo, signs in and out by every method as a user would, uses the second factor and the account page, and prints
 * what happened.
 * @throws {Error} if anything fails
 */
export async function check(store: StorePlace, print: (line: string) => void): Promise<void> {
  const started = performance.now()
  const runs: Run[] = []
  const demo = await startDemo({ port: 0, store, logger: createLogger((run) => runs.push(run)) })
  try {
    print(`The site is at ${demo.origin}, the provider at ${demo.issuer}`)
    for (const chapter of chapters) {
      print(`\n# ${chapter.title}`)
      try {
        await signInAndOut(chapter, demo, print)
        printPaths(chapter, runs.splice(0), print)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        throw new Error(`${chapter.title}: ${why}`, { cause: error })
      }
    }
  } finally {
    await demo.close()
  }
  print(`\nEverything works. The check took ${Math.round(performance.now() - started)} ms.`)
}

async function signInAndOut(chapter: Chapter, demo: Demo, print: (line: string) => void): Promise<void> {
  const { signIn, readSession, signOut, leave, email } = await chapter.arrive(demo)
  try {
    assert((await readSession()) === null, 'There is a session before the sign-in')
    await signIn()
    const session = await readSession()
    print(`\nSigned in. The session:\n${JSON.stringify(session, null, 2)}`)
    const user = read(session, 'user')
    // A passkey proves no address, so the typed one is only the user's name.
    const who = read(user, 'email') ?? read(user, 'name')
    assert(who === email, 'The session belongs to another user')
    await signOut()
    const after = await readSession()
    print(`\nSigned out. The session:\n${JSON.stringify(after)}`)
    assert(after === null, 'The session still exists after the sign-out')
  } finally {
    await leave()
  }
}

function printPaths({ flows }: Chapter, runs: readonly Run[], print: (line: string) => void): void {
  print('\nThe states of each flow:')
  const printed = new Set<string>()
  for (const run of runs) {
    const path = describeRun(run)
    // Every page reads the session, so print each path only once.
    print(`\n${printed.has(path) ? `${run.flow} -> ${run.ended}, as above` : path}`)
    printed.add(path)
  }
  for (const flow of [...flows, 'session', 'sign-out'])
    assert(
      runs.some((run) => run.flow === flow),
      `No ${flow} flow ran`,
    )
}
