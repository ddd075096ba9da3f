import type { MaybePromise } from '../crypto/maybe-promise.ts'
import type { Awaitable } from '../types/records.ts'

/** What a user's callback answered, as a promise of our own if it is anything like one. */
export function settle<T>(answer: Awaitable<T>): MaybePromise<T> {
  return isPromiseLike(answer) ? Promise.resolve(answer) : answer
}

function isPromiseLike<T>(answer: Awaitable<T>): answer is PromiseLike<T> {
  return (
    typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function'
  )
}
