/** A target in its own module, as the command line loads it. */
export { unbound as default } from './broken-targets.ts'
