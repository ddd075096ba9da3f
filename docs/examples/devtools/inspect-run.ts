import { createBrowserInspector } from '@statelyai/inspect'
import { replayRun, type ReplayableRun } from '../../../machines/index.ts'

/** Replays a run of this development server in Stately's inspector, which opens in its own window. */
export async function inspectRun(
  id: string,
  { inspect }: Pick<ReturnType<typeof createBrowserInspector>, 'inspect'> = createBrowserInspector(),
): Promise<void> {
  const run = (await (await fetch(`/devtools/runs/${id}.json`)).json()) as ReplayableRun
  replayRun(run, { inspect }).start()
}
