import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SingleBar } from 'cli-progress'
import { explain, writeText } from '../report/text.ts'
import { writerOf } from '../report/formats.ts'
import { readBaseline, writeBaseline } from '../run/baseline.ts'
import { checkConformance, replayCase } from '../run/check-conformance.ts'
import { exitCodeOf, mergeReports, type ConformanceReport } from '../run/report.ts'
import { help, readOptions, UsageError, type Options } from './options.ts'

/** Runs what was typed behind `authmachine conformance`. @returns the exit code */
export async function runConformance(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args)
    if (options.help || (options.words.length === 0 && !options.mutants)) {
      process.stdout.write(help)
      return options.help ? 0 : 2
    }
    return await dispatch(options)
  } catch (error) {
    const isOurs = !(error instanceof UsageError)
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    if (isOurs && process.env.DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`)
    return 2
  }
}

async function dispatch(options: Options): Promise<number> {
  const [target = '', ...rest] = options.words
  if (target === 'merge') return show(mergeReports(await Promise.all(rest.map(readReport))), options)
  if (rest.length > 0) throw new UsageError(`Expected one target, got ${options.words.join(' and ')}`)
  if (options.replay !== undefined) {
    const judgement = await replayCase(target, options.replay)
    process.stdout.write(`${explain(judgement)}\n`)
    return judgement.verdict === 'PASS' ? 0 : judgement.verdict === 'FAIL' ? 1 : 2
  }
  const { profile, only, seed, shard, time, threads, baseline } = options
  const known =
    baseline !== undefined && !options.updatesBaseline ? readBaseline(await readFile(baseline, 'utf8')) : []
  const progress = openProgress()
  const report = await checkConformance(target, {
    profile,
    only,
    baseline: known,
    progress,
    ...(seed !== undefined && { seed }),
    ...(shard && { shard }),
    ...(time !== undefined && { time }),
    ...(threads !== undefined && { threads }),
  }).finally(() => progress.stop())
  if (options.updatesBaseline && baseline !== undefined) {
    const inAQuarter = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10)
    await writeFile(baseline, writeBaseline(report.judgements, report.target, inAQuarter))
  }
  return show(report, options)
}

/** Prints a report, and writes the files that were asked for. */
async function show(report: ConformanceReport, { reports, out }: Options): Promise<number> {
  process.stdout.write(writeText(report))
  if (reports.length > 0) await mkdir(out, { recursive: true })
  for (const format of reports) {
    const { file, write } = await writerOf(format)
    await writeFile(join(out, file), write(report))
    process.stdout.write(`${join(out, file)}\n`)
  }
  return exitCodeOf(report)
}

async function readReport(file: string): Promise<ConformanceReport> {
  if (!existsSync(file))
    throw new UsageError(`Expected the JSON report of a shard, and there is no file ${file}`)
  return JSON.parse(await readFile(file, 'utf8')) as ConformanceReport
}

function openProgress() {
  const bar = new SingleBar({
    format: '{bar} {value}/{total} properties, {failed} failed, {duration_formatted}',
    hideCursor: true,
    clearOnComplete: true,
    noTTYOutput: false,
  })
  let failed = 0
  return {
    start: (total: number) => bar.start(total, 0, { failed }),
    tell({ verdict }: { readonly verdict: string }) {
      if (verdict === 'FAIL') failed += 1
      bar.increment(1, { failed })
    },
    stop: () => bar.stop(),
  }
}
