import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { escapeControls } from 'authmachine/instrumented'
import { quoteWord } from '../report/parts.ts'
import { explain, writeText } from '../report/text.ts'
import { writeReports } from '../report/formats.ts'
import { readBaseline, writeBaseline } from '../run/baseline.ts'
import { checkConformance, replayCase } from '../run/check-conformance.ts'
import { readCorpus, renewCorpus, type Corpus } from '../run/corpus.ts'
import { exitCodeOf, mergeReports, schema, type ConformanceReport } from '../run/report.ts'
import { findPlaces, type DescribedPlace } from '../targets/described/find-places.ts'
import { loadDescription } from '../targets/described/load-description.ts'
import { findTarget, type Target } from '../targets/find-target.ts'
import { UsageError, type Options } from './options.ts'
import { findSource } from './find-source.ts'
import { openProgress } from './progress.ts'
import { waitFor } from './wait-for.ts'

/**
 * Runs the `authmachine-conformance` command.
 *
 * @returns the exit code
 * @throws {Error} with a message for the user
 */
export async function runConformance(options: Options): Promise<number> {
  const [word = '', ...rest] = options.words
  if (word === 'merge') return show([mergeReports(await Promise.all(rest.map(readReport)))], options)
  if (options.describe) return describe(word, options)
  if (options.replay !== undefined) return replay(word, options.replay, options)
  const reports: ConformanceReport[] = []
  for (const target of options.words) reports.push(await judgeTarget(target, options))
  return show(reports, options)
}

/** Tries a description. @returns 1 if a member does not fit */
async function describe(word: string, options: Options): Promise<number> {
  const target = await locate(word, options)
  if (target.kind !== 'url' || !target.description)
    throw new UsageError('--describe needs a URL, and a description of custom routes in --target')
  const [{ tryUrl }, { describeTrial }] = await Promise.all([
    import('../targets/url.ts'),
    import('../targets/described/try-description.ts'),
  ])
  const trials = await tryUrl(target, target.description)
  for (const trial of trials) process.stdout.write(`${escapeControls(describeTrial(trial))}\n`)
  return trials.some(({ result }) => result === 'does not fit') ? 1 : 0
}

/** Shows why a provider refused the application. */
function complain(line: string): void {
  process.stderr.write(`${escapeControls(line)}\n`)
}

async function locate(word: string, { application, target: file }: Options): Promise<Target> {
  const target = findTarget(word)
  if (target.kind === 'url') {
    return { ...target, ...application, complain, ...(file !== undefined && (await loadDescription(file))) }
  }
  if (Object.keys(application).length === 0 && file === undefined) return target
  throw new UsageError(
    `--port, --target, --keys, --capabilities and --i-own-this need a URL, got the library "${word}"`,
  )
}

/** Returns the command that names a target, with the options that only a running application has. */
function nameCommand(word: string, { application, target }: Options): string {
  const { port, capabilities = [], keys, isOwn } = application
  return [
    'npx authmachine-conformance',
    quoteWord(word),
    ...(target === undefined ? [] : [`--target ${quoteWord(target)}`]),
    ...(port === undefined ? [] : [`--port ${port}`]),
    ...(capabilities.length === 0 ? [] : [`--capabilities ${capabilities.join(',')}`]),
    ...(keys === undefined ? [] : [`--keys ${quoteWord(keys)}`]),
    ...(isOwn ? ['--i-own-this'] : []),
  ].join(' ')
}

async function replay(word: string, token: string, options: Options): Promise<number> {
  const target = await locate(word, options)
  const judgement = await replayCase(target, token)
  process.stdout.write(`${explain(judgement, target.name, nameCommand(word, options))}\n`)
  return judgement.verdict === 'PASS' ? 0 : judgement.verdict === 'FAIL' ? 1 : 2
}

async function judgeTarget(word: string, options: Options): Promise<ConformanceReport> {
  const target = await locate(word, options)
  const { profile, only, seed, seeds, corpus, shard, time, threads, baseline, updatesBaseline, wait } =
    options
  const known =
    baseline !== undefined && !updatesBaseline ? readBaseline(await readFile(baseline, 'utf8')) : []
  if (wait !== undefined) await waitForTarget(target, wait)
  const tried = corpus === undefined ? {} : await readCorpusFile(corpus)
  const earlier = tried[target.name] ?? []
  const progress = await openProgress(target.name)
  const report = await checkConformance(target, {
    profile,
    only,
    baseline: known,
    corpus: earlier,
    progress,
    ...(seed !== undefined && { seed }),
    ...(seeds !== undefined && { seeds }),
    ...(shard && { shard }),
    ...(time !== undefined && { time }),
    ...(threads !== undefined && { threads }),
  }).finally(() => progress.stop())
  if (updatesBaseline && baseline !== undefined) {
    const inAQuarter = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10)
    await writeFile(baseline, writeBaseline(report.judgements, report.target, inAQuarter))
  }
  if (corpus !== undefined) {
    const renewed = { ...tried, [report.target]: renewCorpus(earlier, report.judgements) }
    await mkdir(dirname(corpus), { recursive: true })
    await writeFile(corpus, `${JSON.stringify(renewed, null, 2)}\n`)
  }
  const source = findSource(target, options.target)
  const places = await readPlaces(target, options.target)
  return {
    ...report,
    command: nameCommand(word, options),
    ...(source !== undefined && { source }),
    ...(places && { places }),
  }
}

/** Finds the places in the file of a description. A module has none. */
async function readPlaces(target: Target, file: string | undefined): Promise<DescribedPlace[] | undefined> {
  if (target.kind !== 'url' || !target.description || !file?.endsWith('.json')) return undefined
  return findPlaces(await readFile(file, 'utf8'), target.description)
}

/** Reads a corpus; the first run has none. */
async function readCorpusFile(file: string): Promise<Corpus> {
  return existsSync(file) ? readCorpus(await readFile(file, 'utf8')) : {}
}

/** Waits until a running application responds. @throws {UsageError} for a library */
async function waitForTarget(target: Target, patience: number): Promise<void> {
  if (target.kind !== 'url') throw new UsageError(`--wait needs a URL, got the library "${target.name}"`)
  const { url, description } = target
  if (description) await waitFor(`${url}${description.session.url}`, patience, 'any')
  else await waitFor(`${url}/providers`, patience)
}

/** Prints reports, and writes the requested files. @returns the exit code of the worst */
async function show(
  reports: readonly ConformanceReport[],
  { reports: wanted, out, strict }: Options,
): Promise<number> {
  for (const report of reports) process.stdout.write(writeText(report))
  for (const format of wanted)
    for (const { name, content } of await writeReports(format, reports)) {
      await mkdir(out, { recursive: true })
      await writeFile(join(out, name), content)
      process.stdout.write(`${join(out, name)}\n`)
    }
  const codes = reports.map((report) => exitCodeOf(report, { strict }))
  return ([1, 2, 3] as const).find((code) => codes.includes(code)) ?? 0
}

async function readReport(file: string): Promise<ConformanceReport> {
  if (!existsSync(file))
    throw new UsageError(`Expected the JSON report of a shard, but the file ${file} does not exist`)
  const report = JSON.parse(await readFile(file, 'utf8')) as Partial<ConformanceReport> | null
  if (report?.schema === schema) return report as ConformanceReport
  throw new UsageError(`Expected the JSON report of a shard, but ${file} is not one`)
}
