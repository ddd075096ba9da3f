import type { LayoutEngine } from '../drawing/lay-out.ts'
import { findEngine } from '../drawing/find-engine.ts'
import { CommandError } from './command-error.ts'

/**
 * What lays drawings out.
 *
 * @throws {CommandError} when elkjs is not installed
 */
export async function loadEngine(): Promise<LayoutEngine> {
  const engine = await findEngine()
  if (engine) return engine
  throw new CommandError(
    'svg and html need elkjs, which lays drawings out, and it is not installed: npm install --save-dev elkjs',
    1,
  )
}
