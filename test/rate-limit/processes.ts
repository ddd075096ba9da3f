import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('process.ts', import.meta.url))

/** Starts processes that count on one server at the same time. @returns how many attempts each was allowed */
export async function countInProcesses(count: number, url: string, attempts: number): Promise<number[]> {
  const children = Array.from({ length: count }, () => fork(program, [url, String(attempts)]))
  await Promise.all(children.map((child) => once(child, 'message')))
  const results = children.map(async (child) => {
    const [allowed] = (await once(child, 'message')) as [number]
    return allowed
  })
  for (const child of children) child.send('go')
  return Promise.all(results)
}
