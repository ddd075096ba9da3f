import { constantGate } from './gate.ts'
import { withFeatures } from './with-features.ts'

/** This library, with a gate in every application. */
export default withFeatures({
  name: 'ours-gated',
  features: [constantGate],
  gates: { gate: () => ({ answer: 'yes' }) },
})
