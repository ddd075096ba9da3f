/** The benchmarks, in the order of docs/performance.md. */
export const benchmarks = [
  'requests',
  'sessions',
  'profile',
  'http',
  'cold',
  'size',
  'memory',
  'scale',
  'load',
  'million',
  'hostile',
] as const
export type Benchmark = (typeof benchmarks)[number]

/** Whether `npm run bench -- <name>` exists. */
export function isBenchmark(name: string): name is Benchmark | 'report' {
  return name === 'report' || benchmarks.some((each) => each === name)
}

/** The file of a benchmark in this folder. */
export function programOf(name: Benchmark | 'report'): string {
  return name === 'requests' ? 'run.ts' : `${name}.ts`
}
