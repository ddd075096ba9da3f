import { escapeControls } from 'authmachine/instrumented'
import { showSetups } from '../report/parts.ts'
import { verdictOf } from '../run/assess.ts'
import type { Judgement } from '../run/verdict.ts'

/** Shows how far a campaign is. */
export interface Progress {
  readonly start: (total: number) => void
  readonly report: (judgement: Judgement, done: number) => void
  readonly stop: () => void
}

/** The stream that receives the progress, such as `process.stderr`. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly write: (text: string) => unknown
}

/** Milliseconds between two lines in a log. A failure is logged at once. */
const pause = 10_000

/** Shows progress: a bar on a terminal, otherwise a line every ten seconds and one for each failure or warning. */
export async function openProgress(
  target: string,
  stream: ProgressStream = process.stderr,
): Promise<Progress> {
  return stream.isTTY ? openBar(target) : logLines(target, stream)
}

async function openBar(target: string): Promise<Progress> {
  const { SingleBar } = await import('cli-progress')
  const bar = new SingleBar({
    format: `${escapeControls(target)} {bar} {value}/{total} tests, failures: {failed}, {duration_formatted}`,
    hideCursor: true,
    clearOnComplete: true,
  })
  let failed = 0
  return {
    start: (total) => bar.start(total, 0, { failed }),
    report(judgement, done) {
      if (verdictOf(judgement) === 'FAIL') failed += 1
      bar.update(done, { failed })
    },
    stop: () => bar.stop(),
  }
}

/** Writes plain lines, for a log or a pipe. */
function logLines(target: string, stream: ProgressStream): Progress {
  const started = performance.now()
  let [done, failed, total, last] = [0, 0, 0, started]
  const write = (text: string) => stream.write(`${escapeControls(`${target}: ${text}`)}\n`)
  const summarize = () => {
    last = performance.now()
    write(`${done} of ${total} tests, failures: ${failed}, ${Math.round((last - started) / 1000)} s`)
  }
  return {
    start(count) {
      total = count
      write(`${total} tests, each of one property on one application`)
    },
    report(judgement, count) {
      const { broken, setup, finding } = judgement
      const verdict = verdictOf(judgement)
      done = count
      if (verdict === 'FAIL') failed += 1
      if (verdict === 'FAIL' || verdict === 'WARN') {
        write(`${verdict} ${broken}: ${finding?.says ?? 'a case failed'}${showSetups(target, [setup])}`)
      }
      if (performance.now() - last >= pause) summarize()
    },
    stop() {
      if (done > 0) summarize()
    },
  }
}
