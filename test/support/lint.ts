/** `npm run lint`: oxlint with types, and prettier. With `--fix`, both fix what they can. */
import { runStages } from './run-parts.ts'

const isFix = process.argv.includes('--fix')
/** Prettier skips files whose content has not changed since it last accepted them. */
const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', '.cache/prettier']

const oxlint = ['--type-aware', '--deny-warnings', ...(isFix ? ['--fix'] : [])]
const prettier = [isFix ? '--write' : '--check', '--log-level', 'warn', ...cache, '.']
const parts = [
  { name: 'oxlint', command: 'oxlint', args: oxlint },
  { name: 'prettier', command: 'prettier', args: prettier },
]
// Both write with `--fix`.
process.exitCode = await runStages([isFix ? [parts] : parts.map((part) => [part])])
