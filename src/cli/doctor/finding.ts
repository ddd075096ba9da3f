/** Something that was looked at. */
export interface Finding {
  readonly level: 'good' | 'note' | 'warning' | 'problem'
  /** What was found, in sentences; of values only those that are no secrets. */
  readonly says: string
  /** What to do about it. */
  readonly todo?: string
}

/** Findings that belong together. */
export interface Section {
  readonly title: string
  readonly findings: readonly Finding[]
}

export function good(says: string): Finding {
  return { level: 'good', says }
}

export function note(says: string): Finding {
  return { level: 'note', says }
}

/** Works, but should not stay so. */
export function warning(says: string, todo?: string): Finding {
  return { level: 'warning', says, ...(todo !== undefined && { todo }) }
}

/** Does not work, or lets somebody in who should stay outside. */
export function problem(says: string, todo: string): Finding {
  return { level: 'problem', says, todo }
}

/** `1 problem`, `2 problems`. */
export function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`
}
