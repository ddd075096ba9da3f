import type { Awaitable } from '../types/records.ts'

/** An answer that is there at once where the runtime can, and promised where it can't. */
export type MaybePromise<T> = T | Promise<T>

/** All the answers: at once, when each is there at once. */
export function allReady<T>(values: readonly MaybePromise<T>[]): MaybePromise<T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[])
}

/**
 * Goes on with a value now, or when it is there. Not called `then`: a module that exports that is taken for a promise
 * by `import()`, which calls it and fails.
 */
export function whenReady<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** What some work answers, or, when it throws or rejects, what `fail` makes of that. */
export function orElse<T>(
  work: () => MaybePromise<T>,
  fail: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const answer = work()
    return answer instanceof Promise ? answer.catch(fail) : answer
  } catch (error) {
    return fail(error)
  }
}

/** Turns a thenable that a user's code returned into a promise; some database drivers return thenables. */
export function settle<T>(answer: Awaitable<T>): MaybePromise<T> {
  return isPromiseLike(answer) ? Promise.resolve(answer) : answer
}

function isPromiseLike<T>(answer: Awaitable<T>): answer is PromiseLike<T> {
  return (
    typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function'
  )
}
