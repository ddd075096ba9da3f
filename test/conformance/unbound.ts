/** A target that is a module of its own, as the command line takes it. */
export { unbound as default } from './broken-targets.ts'
