import type { JudgeOptions } from './judge.ts'

/** A property to test on one of its applications. */
export interface Job extends JudgeOptions {
  readonly property: string
  readonly setup: string
}
