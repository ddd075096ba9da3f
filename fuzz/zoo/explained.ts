/** Mutants that no property notices, each with the reason why that is right. One that is noticed has to leave. */
export const explained: Readonly<Record<string, string>> = {}
