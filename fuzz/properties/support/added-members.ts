/** Names of what an application may know about its users, and that decides what they may do. */
export const privilegeNames: readonly string[] = [
  'role roles admin is_admin isAdmin superuser is_superuser staff is_staff group groups permission',
  'permissions scope scopes authorities plan tier tenant org organization level rank type account_type',
  'status verified is_verified email_verified',
].flatMap((line) => line.split(' '))

/** Values that give a user more rights under these names. */
export const privileges = ['admin', 'true', '1'] as const

/** Returns the members of a value that are not objects, by their paths. */
export function flatten(value: unknown, path = ''): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value]])
  return new Map(
    Object.entries(value).flatMap(([name, each]: [string, unknown]) => [
      ...flatten(each, path === '' ? name : `${path}.${name}`),
    ]),
  )
}

/**
 * Returns the path of a right that has this value in one session, and is missing or different in another one. Other members,
 * such as a number of visits, may have the value by chance.
 */
export function findAdded(value: string, changed: unknown, usual: unknown): string | undefined {
  const before = flatten(usual)
  const isRight = (path: string) => path.split('.').some((name) => privilegeNames.includes(name))
  return [...flatten(changed)].find(
    ([path, each]) => isRight(path) && String(each) === value && String(before.get(path)) !== value,
  )?.[0]
}
