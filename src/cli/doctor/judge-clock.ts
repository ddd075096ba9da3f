import { good, problem, type Finding } from './finding.ts'

/** By how much another clock is ahead of this machine's. */
export interface Skew {
  readonly whose: string
  /** Seconds; behind when negative. */
  readonly seconds: number
}

/** Seconds by which an id_token's times may differ. */
const tolerance = 30

/** The clock of who answered, by the Date of the answer; undefined when it has none. Times in milliseconds. */
export function readSkew(
  whose: string,
  headers: Headers,
  askedAt: number,
  answeredAt: number,
): Skew | undefined {
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date)) return undefined
  // A cache passes the Date on that it got, and says for how long it has had it (RFC 9111 5.1).
  const age = Number(headers.get('age') ?? 0) * 1000 || 0
  const here = (askedAt + answeredAt) / 2
  return { whose, seconds: Math.round((date + age - here) / 1000) }
}

/** Does this machine's clock agree with the others'? */
export function judgeClocks(skews: readonly Skew[]): readonly Finding[] {
  const worst = skews.toSorted((a, b) => Math.abs(b.seconds) - Math.abs(a.seconds))[0]
  if (!worst) return []
  const { whose, seconds } = worst
  const by = Math.abs(seconds)
  if (by <= tolerance) return [good(`This machine's clock and that of ${whose} are ${by} s apart.`)]
  return [
    problem(
      `This machine's clock is ${by} s ${seconds > 0 ? 'behind' : 'ahead of'} that of ${whose}: tokens look as if they were not valid yet, or not any more.`,
      'Let both take their time from the network (NTP).',
    ),
  ]
}
