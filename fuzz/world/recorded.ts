/** The log of the application, and the events and callbacks that it called. */
export interface Recorded {
  readonly errors: Error[]
  readonly warnings: string[]
  readonly debugs: (readonly unknown[])[]
  readonly events: { readonly event: string; readonly message: Readonly<Record<string, unknown>> }[]
  /** The calls of callbacks. */
  readonly callbacks: { readonly name: string; readonly params: Readonly<Record<string, unknown>> }[]
}

export function createRecorded(): Recorded {
  return { errors: [], warnings: [], debugs: [], events: [], callbacks: [] }
}
