import * as list from './charts.ts'

/** The members of a module by their ids instead of the names of its exports. */
export type ById<L extends Readonly<Record<string, { readonly id: string }>>> = {
  readonly [Name in keyof L as L[Name]['id']]: L[Name]
}

/** Returns the members of a module by their ids. */
export function byId<const L extends Readonly<Record<string, { readonly id: string }>>>(module: L): ById<L> {
  // The type of Object.fromEntries does not keep which member has which id.
  return Object.fromEntries(Object.values(module).map((member) => [member.id, member])) as ById<L>
}

/** All charts that drive a handler without features, by id. */
export const charts: ById<typeof list> = byId(list)
