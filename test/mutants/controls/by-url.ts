import { setupsOf, type Property } from '../../../fuzz/properties/property.ts'
import { whyNot } from '../../../fuzz/run/why-not.ts'
import type { Driver } from '../../../fuzz/targets/target.ts'

/**
 * The features that can be tested by URL, of an application with one provider, no capability and sessions in tokens.
 */
const oneProvider: Driver = {
  name: 'an application with one provider',
  capabilities: new Set(),
  features: new Set(['description']),
  providers: new Set(['alpha']),
  strategy: 'jwt',
  open: () => Promise.reject(new Error('nothing is sent to this application')),
}

/** Lists the applications on which a property can be judged by URL, if the application signs in by one provider. */
export function listApplicationsByUrl(property: Property): string[] {
  return Object.entries(setupsOf(property)).flatMap(([name, setup]) =>
    whyNot(property, setup, oneProvider) ? [] : [name],
  )
}
