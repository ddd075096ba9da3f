/** Edges that no request can take from outside, each with the reason. */
export const unreachable: Readonly<Record<string, string>> = {}

/** Mutants that nothing observable tells from the library, each with the reason. */
export const equivalent: Readonly<Record<string, string>> = {}
