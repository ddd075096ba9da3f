import { replayRun, type ReplayableRun } from '../../../machines/index.ts'

/** Prints each event of a run and the state that follows. */
export function printRun(run: ReplayableRun): void {
  const actor = replayRun(run, {
    inspect(seen) {
      if (seen.type !== '@xstate.snapshot' || seen.actorRef !== actor) return
      console.log(seen.event.type, 'value' in seen.snapshot ? seen.snapshot.value : '')
    },
  })
  actor.start()
}
