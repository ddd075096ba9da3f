import type { LayoutEngine } from './lay-out.ts'

/** elkjs, an optional peer that nothing but drawing needs, loaded when it is asked for; undefined where it is not installed. */
export async function findEngine(): Promise<LayoutEngine | undefined> {
  const elkjs = await import('elkjs/lib/elk.bundled.js').catch(() => undefined)
  if (!elkjs) return undefined
  const elk = new elkjs.default.default()
  return (graph) => elk.layout(graph)
}
