/** What the application told its developer. */
export interface Told {
  readonly errors: Error[]
  readonly warnings: string[]
  readonly debugs: (readonly unknown[])[]
  readonly events: { readonly event: string; readonly message: Readonly<Record<string, unknown>> }[]
  /** The callbacks that were asked. */
  readonly callbacks: { readonly name: string; readonly params: Readonly<Record<string, unknown>> }[]
}

export function openTold(): Told {
  return { errors: [], warnings: [], debugs: [], events: [], callbacks: [] }
}
