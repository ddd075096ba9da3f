/** Works on all items with this many workers. The workers are numbered from 0, and each takes the next free item. */
export async function inParallel<T>(
  items: readonly T[],
  workers: number,
  work: (item: T, worker: number) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const takeAll = async (worker: number) => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item, worker)
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => takeAll(worker)))
}
