import { does } from './chart.ts'

/**
 * Ends the access that a change ends, before the change is stored. If the store fails afterwards, no stored change
 * leaves this access open. All demands of the change are met at this point.
 */
export function endingFirst<const S extends string, const T extends string>(step: S, target: T) {
  return {
    description: 'End what the change ends, before it is stored',
    meta: { spec: ['POL-03', 'STM-02'] },
    invoke: does(step),
    on: { 'sessions.ended': target },
  } as const
}

/** Runs the same step after the change, for sign-ins that ran at the same time. */
export function endingAgain<const S extends string, const T extends string>(step: S, target: T) {
  return {
    description: 'End it again, for sign-ins that ran at the same time',
    meta: { spec: ['POL-03', 'STM-01'] },
    invoke: does(step),
    on: { 'sessions.ended': target },
  } as const
}
