/** A move of a run: the state it was in, the event that its step reported, and the state that this led to. */
export interface NamedHop {
  readonly flow: string
  readonly state: string
  readonly event: string
  readonly next: string
}

/** A hop as text: `sign-in: checkingCsrf -(csrf.verified)-> resolvingCallbackUrl`. */
export function nameHop({ flow, state, event, next }: NamedHop): string {
  return `${flow}: ${state} -(${event})-> ${next}`
}

/** The hop that a text names; undefined when it names none. */
export function readHop(text: string): NamedHop | undefined {
  const [, flow, state, event, next] = /^([^:]+): (.+) -\((.+)\)-> (.+)$/.exec(text) ?? []
  return flow && state && event && next ? { flow, state, event, next } : undefined
}
