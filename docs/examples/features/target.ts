import { withFeatures } from 'authmachine-conformance/features'
import { terms } from './terms.ts'

export default withFeatures({
  name: 'terms',
  features: [terms({ version: '2026-11', url: '/terms' })],
  gates: { terms: () => ({ accept: 'yes' }) },
})
