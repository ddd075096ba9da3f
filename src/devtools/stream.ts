import type { RecordedRun } from './recorded-run.ts'
import type { Recorder } from './recorder.ts'
import { summarise } from './summary.ts'

/** How many pages may follow at once. */
const mostFollowers = 20

/** Messages that may wait for a page that does not read; it connects again, and is told all anew. */
const mostWaiting = 1000

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'private, no-store',
  // Proxies of development servers hold answers back otherwise.
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}

/** Tells pages of runs by server-sent events: of those that are kept at first, then of each as it goes on. */
export function createStream(recorder: Recorder, path: string): (request: Request) => Response {
  let followers = 0
  const encoder = new TextEncoder()

  return (request) => {
    // Its event does not come again.
    if (request.signal.aborted) return new Response(null, { status: 204 })
    if (followers >= mostFollowers) return new Response('Too many pages follow.', { status: 503 })
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
      const tell = (run: RecordedRun) => {
        if ((controller.desiredSize ?? 0) <= 0) return end()
        controller.enqueue(encoder.encode(`event: run\ndata: ${JSON.stringify(summarise(run, path))}\n\n`))
      }
      request.signal.addEventListener('abort', end, { once: true })
      controller.enqueue(encoder.encode('retry: 1000\n\n'))
      for (const run of recorder.list().toReversed()) tell(run)
      stopListening = recorder.listen(tell)
    }
    const body = new ReadableStream({ start, cancel: leave }, { highWaterMark: mostWaiting })
    return new Response(body, { headers })
  }
}
