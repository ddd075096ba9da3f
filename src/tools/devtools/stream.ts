import type { Change, Recorder } from './recorder.ts'
import { summarise, summariseGroup } from './summary.ts'

/** Maximum number of connected pages. */
const mostFollowers = 20

/**
 * Maximum number of messages that wait for a page that does not read them. After that, the stream ends, and the page
 * reconnects and receives all runs again.
 */
const mostWaiting = 1000

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'private, no-store',
  // Otherwise the proxies of development servers buffer the response.
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}

/** Sends server-sent events to pages: the state of the configuration, all recorded runs, and then each change. */
export function createStream(recorder: Recorder, path: string): (request: Request) => Response {
  let followers = 0
  const encoder = new TextEncoder()

  function writeData(change: Change): string {
    if (change.type !== 'run') return '{}'
    const { run } = change
    const group = recorder.list().filter((each) => each.group === run.group)
    return JSON.stringify({ ...summarise(run, path), group: summariseGroup(group.toReversed()) })
  }

  return (request) => {
    // The abort event will not fire again.
    if (request.signal.aborted) return new Response(null, { status: 204 })
    if (followers >= mostFollowers) return new Response('Too many pages are connected.', { status: 503 })
    followers += 1
    let stopListening = () => {}
    let isOpen = true
    const leave = () => {
      if (isOpen) followers -= 1
      isOpen = false
      stopListening()
    }
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const end = () => {
        if (isOpen) controller.close()
        leave()
      }
      const tell = (change: Change) => {
        if ((controller.desiredSize ?? 0) <= 0) return end()
        controller.enqueue(encoder.encode(`event: ${change.type}\ndata: ${writeData(change)}\n\n`))
      }
      request.signal.addEventListener('abort', end, { once: true })
      controller.enqueue(encoder.encode('retry: 1000\n\n'))
      // A page that was open while the server restarted may show an old fault.
      tell({ type: recorder.fault().length > 0 ? 'fault' : 'valid' })
      for (const run of recorder.list().toReversed()) tell({ type: 'run', run })
      stopListening = recorder.listen(tell)
    }
    const body = new ReadableStream({ start, cancel: leave }, { highWaterMark: mostWaiting })
    return new Response(body, { headers: { ...headers } })
  }
}
