import { does } from './chart.ts'

/** The first thing that a POST has to show; by `csrf.mismatched` it ends in the host's `refused`. */
export function checkingCsrf<const T extends string>(target: T) {
  return {
    description: 'Does the request come from a page of ours?',
    meta: { spec: ['TX-17', 'TX-18'] },
    invoke: does('checkCsrf'),
    on: { 'csrf.verified': target, 'csrf.unneeded': target, 'csrf.mismatched': 'refused' },
  } as const
}

/** An attempt that costs something may be one too many; then it ends in the host's `denied`. */
export function askingRateLimit<const T extends string>(target: T) {
  return {
    description: 'Does the rateLimit callback let this attempt go on?',
    meta: { spec: ['OPT-003'] },
    invoke: does('askRateLimit'),
    on: { 'attempt.allowed': target, 'attempt.excessive': 'denied' },
  } as const
}

/** With `supersedeLinks`, links of one browser to one address end each other. */
export function endingOlderLinks<const T extends string>(target: T) {
  return {
    description: 'End the older links that this browser requested for the address',
    meta: { spec: ['OPT-011', 'SU-07'] },
    invoke: does('endOlderLinks'),
    on: { 'older-links.ended': target },
  } as const
}

/** Where a sign-in leads in the end, judged before it begins. */
export function resolvingCallbackUrl<const T extends string>(target: T) {
  return {
    description: 'Where shall the browser go in the end?',
    meta: { spec: ['RD-01', 'RD-06'] },
    invoke: does('resolveCallbackUrl'),
    on: { 'callback-url.resolved': target },
  } as const
}
