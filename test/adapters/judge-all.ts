import { adapterContract, type AdapterSubject } from '../../fuzz/adapter/index.ts'

/** Runs every rule of the contract, one after the other, and rejects at the first that is broken. */
export async function judgeAll(subject: AdapterSubject): Promise<void> {
  for (const { id, name, run } of adapterContract(subject)) {
    try {
      await run()
    } catch (error) {
      throw new Error(`${id} ${name}`, { cause: error })
    }
  }
}
