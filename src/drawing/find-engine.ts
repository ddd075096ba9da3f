import type { LayoutEngine } from './lay-out.ts'

/** Loads elkjs, which only drawings need. @returns undefined if it is not installed */
export async function findEngine(): Promise<LayoutEngine | undefined> {
  const elkjs = await import('elkjs/lib/elk.bundled.js').catch(() => undefined)
  if (!elkjs) return undefined
  const elk = new elkjs.default.default()
  return (graph) => elk.layout(graph)
}
