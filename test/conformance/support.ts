import type { RequirementId } from '../../spec/index.ts'
import type { Observed } from '../../fuzz/observations.ts'
import type { Property } from '../../fuzz/properties/property.ts'
import { judge, type JudgeOptions } from '../../fuzz/run/judge.ts'
import type { Judgement, Verdict } from '../../fuzz/run/verdict.ts'
import { driveLibrary } from '../../fuzz/targets/library.ts'
import type { Driver, LibraryTarget } from '../../fuzz/targets/target.ts'

/** A judgement of an invented property. */
export function judgement(
  verdict: Verdict,
  proves: readonly RequirementId[],
  more: Partial<Judgement> = {},
): Judgement {
  return {
    property: `of ${proves[0]}`,
    setup: 'database',
    proves,
    verdict,
    runs: 1,
    spread: {},
    took: 1,
    ...more,
  }
}

/** A failure with its own story. */
export function failure(broken: RequirementId, more: Partial<Judgement> = {}): Judgement {
  const finding = {
    says: 'it broke',
    trace: ['a step'],
    commands: ['curl -i x'],
    input: '1',
    fingerprint: `${broken} ${more.property ?? ''} ${more.setup ?? ''}`,
    replay: 'token',
  }
  return judgement('FAIL', [broken], { broken, finding, ...more })
}

/** A failure whose case saw this, or the session of another user. */
export function seen(
  broken: RequirementId,
  more: Partial<Judgement> = {},
  observed: Observed = 'another user',
): Judgement {
  const { finding, ...rest } = failure(broken, more)
  return { ...rest, ...(finding && { finding: { ...finding, meaning: { observed } } }) }
}

/** A library that responds the same to every request. */
export function answering(answer: () => Response, capabilities: readonly string[] = []): LibraryTarget {
  return { name: 'a library with one response', capabilities, open: () => async () => answer() }
}

/**
 * Judges a library in this thread, and restores clock and randomness afterwards.
 *
 * @param changes what its driver says instead
 */
export async function judgeHere(
  property: Property,
  target: LibraryTarget,
  options: Partial<JudgeOptions> = {},
  changes: Partial<Driver> = {},
): Promise<Judgement> {
  const clock = { now: () => Date.now(), advance: () => {}, reset() {}, goTo() {} }
  const ground = { clock, reseed: () => {}, route: () => {}, setVariables: () => {} }
  const driver = { ...driveLibrary(target, ground), ...changes }
  const [setup = 'database'] = Object.keys(property.setups ?? {})
  return judge(property, setup, driver, { seed: 1, share: 1, limit: 20_000, ...options })
}
