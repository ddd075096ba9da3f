import { adapterContract, type AdapterSubject } from '../../fuzz/adapter/index.ts'

/** Runs every rule of the contract in order, and rejects with the first violation. */
export async function judgeAll(subject: AdapterSubject): Promise<void> {
  for (const { id, name, run } of adapterContract(subject)) {
    try {
      await run()
    } catch (error) {
      throw new Error(`${id} ${name}`, { cause: error })
    }
  }
}
