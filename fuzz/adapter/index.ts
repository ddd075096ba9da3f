/**
 * The contract of an adapter, for adapter authors, with any test runner.
 *
 * @example
 * import { it } from 'vitest'
 * import { declareContract } from 'authmachine-conformance/adapter'
 * declareContract({ name: 'my adapter', open: () => openMyStore() }, it)
 */
export {
  adapterContract,
  type AdapterSubject,
  type ContractTest,
  declareContract,
  type OpenStore,
} from './contract.ts'
export { ContractBreach } from './expect.ts'
