/** A hop of a run: the state, the event of its step, and the next state. */
export interface NamedHop {
  readonly flow: string
  readonly state: string
  readonly event: string
  readonly next: string
}

/** Formats a hop as text: `sign-in: checkingCsrf -(csrf.accepted)-> resolvingCallbackUrl`. */
export function nameHop({ flow, state, event, next }: NamedHop): string {
  return `${flow}: ${state} -(${event})-> ${next}`
}

/** Parses the text of a hop, or returns undefined. */
export function readHop(text: string): NamedHop | undefined {
  const [, flow, state, event, next] = /^([^:]+): (\S+) -\((\S+)\)-> (\S+)$/.exec(text) ?? []
  return flow && state && event && next ? { flow, state, event, next } : undefined
}
