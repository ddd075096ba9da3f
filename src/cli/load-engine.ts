import type { LayoutEngine } from '../drawing/lay-out.ts'
import { CommandError } from './command-error.ts'

/**
 * elkjs, loaded when a drawing is asked for: an optional peer, which nothing but drawing needs.
 *
 * @throws {CommandError} when it is not installed
 */
export async function loadEngine(): Promise<LayoutEngine> {
  const elkjs = await import('elkjs/lib/elk.bundled.js').catch(() => undefined)
  if (!elkjs) {
    throw new CommandError(
      'svg and html need elkjs, which lays drawings out, and it is not installed: npm install --save-dev elkjs',
      1,
    )
  }
  const elk = new elkjs.default.default()
  return (graph) => elk.layout(graph)
}
