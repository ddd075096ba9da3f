import {
  claimFaults,
  discoveryFaults,
  type Fault,
  replayFault,
  responseFaults,
  signatureFaults,
  tokenFaults,
  userinfoFaults,
} from './faults.ts'

/** What each fault is a fault of. */
const places: readonly (readonly [where: string, names: readonly string[]])[] = [
  ['its id_tokens', [...Object.keys(claimFaults), replayFault]],
  ['the signature of its id_tokens', signatureFaults],
  ['its token responses', Object.keys(tokenFaults)],
  ['its userinfo responses', Object.keys(userinfoFaults)],
  ['its discovery document', Object.keys(discoveryFaults)],
  ['its redirect back to the application', Object.keys(responseFaults)],
]

/** Describes a fault of a provider: `its id_tokens have the fault expired-far`. */
export function describeFault(fault: Fault): string {
  const [endpoint, how] = fault.split(':')
  if (how !== undefined) return `its ${endpoint} endpoint has the fault ${how}`
  const [where = 'it'] = places.find(([, names]) => names.includes(fault)) ?? []
  return `${where} ${where.endsWith('s') ? 'have' : 'has'} the fault ${fault}`
}
