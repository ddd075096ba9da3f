export { createDevtools, type Devtools, type DevtoolsOptions } from './create-devtools.ts'
export type { RecordedHop, RecordedRun } from './recorded-run.ts'
