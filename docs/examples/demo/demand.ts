/** @throws Error that says the problem, unless all is as it has to be */
export function demand(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Error(problem)
}

/** A member of what may be anything. */
export function read(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
