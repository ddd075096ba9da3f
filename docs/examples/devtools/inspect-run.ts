import { createBrowserInspector } from '@statelyai/inspect'
import { replayRun, type ReplayableRun } from '../../../machines/index.ts'

/** Takes a run of this development server through Stately's inspector, which opens in a window of its own. */
export async function inspectRun(
  id: string,
  { inspect }: Pick<ReturnType<typeof createBrowserInspector>, 'inspect'> = createBrowserInspector(),
): Promise<void> {
  const run = (await (await fetch(`/devtools/runs/${id}.json`)).json()) as ReplayableRun
  replayRun(run, { inspect }).start()
}
