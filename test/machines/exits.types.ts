/**
 * Compiles only if the compiler rejects charts and pieces that leave an exit of a nested piece open. This code does not
 * run.
 */
import { chart, does, piece } from '../../machines/chart.ts'

const about = { description: 'about', meta: { spec: ['MD-01'] } } as const
const done = { ...about, type: 'final', meta: { spec: ['MD-01'], ending: 'success' } } as const
const asking = { asking: { ...about, invoke: does('ask'), on: {} } } as const

const question = piece({ ...about, exits: ['yes.said', 'no.said'], initial: 'asking', states: asking })
const whole = { ...about, id: 'whole', initial: 'deciding' } as const

/** The host handles both exits. */
export const closed = chart({
  ...whole,
  states: { deciding: { ...question, on: { 'yes.said': 'done', 'no.said': 'done' } }, done },
})

/** The state around the host handles the other exit. */
export const above = chart({
  ...whole,
  on: { 'no.said': '.done' },
  states: { deciding: { ...question, on: { 'yes.said': 'done' } }, done },
})

// @ts-expect-error nobody handles no.said
export const open = chart({
  ...whole,
  states: { deciding: { ...question, on: { 'yes.said': 'done' } }, done },
})

const more = { ...question, on: { 'yes.said': 'done', 'no.said': 'done', 'maybe.said': 'done' } } as const
// @ts-expect-error maybe.said is not an exit
export const superfluous = chart({ ...whole, states: { deciding: more, done } })

/** The exits of the inner piece are those of the outer one. */
export const nested = piece({
  ...about,
  exits: ['yes.said', 'no.said'],
  initial: 'deciding',
  states: { deciding: question },
})

// @ts-expect-error the outer piece does not declare no.said
export const lost = piece({
  ...about,
  exits: ['yes.said'],
  initial: 'deciding',
  states: { deciding: question },
})
