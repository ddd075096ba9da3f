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

/** Where a sign-in leads in the end, judged before it begins. */
export function resolvingCallbackUrl<const T extends string>(target: T) {
  return {
    description: 'Where shall the browser go in the end?',
    meta: { spec: ['RD-01', 'RD-06'] },
    invoke: does('resolveCallbackUrl'),
    on: { 'callback-url.resolved': target },
  } as const
}
