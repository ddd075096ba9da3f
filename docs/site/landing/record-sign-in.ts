import { startDemo } from '../../examples/demo/demo.ts'
import { byOpenId } from '../../examples/demo/sign-in-methods.ts'
import { createLogger, type Run } from '../../examples/demo/trail.ts'

/** The flows of a sign-in with OpenID Connect, in their order. */
export interface RecordedSignIn {
  readonly runs: readonly Run[]
  readonly session: unknown
}

/** Signs in at the demo, with real requests to its own identity provider, and returns what its flows did. */
export async function recordSignIn(): Promise<RecordedSignIn> {
  const runs: Run[] = []
  const demo = await startDemo({ port: 0, logger: createLogger((run) => runs.push(run)) })
  try {
    const guest = await byOpenId.arrive(demo)
    await guest.signIn()
    // The demo's provider is on a free port of the machine that builds the page.
    const text = JSON.stringify(await guest.readSession()).replaceAll(demo.issuer, 'https://id.example')
    const session: unknown = JSON.parse(text)
    await guest.leave()
    const first = byOpenId.flows.flatMap((flow) => runs.find((run) => run.flow === flow) ?? [])
    return { runs: first, session }
  } finally {
    await demo.close()
  }
}
