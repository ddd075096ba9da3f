export { createDevtools, type Devtools, type DevtoolsOptions } from './tools/devtools/create-devtools.ts'
export type { RecordedHop, RecordedRun } from './tools/devtools/recorded-run.ts'
