/**
 * What a row holds in place of an address that nobody has proven. Adapters demand a string, and many tables one that is
 * unique and not null; nobody can own or receive mail at a name below `.invalid` (RFC 2606 2).
 */
const suffix = '@unproven.invalid'

/** Returns a placeholder that no other user has. @param id of the user, or any random id */
export function makePlaceholder(id: string): string {
  return `${id}${suffix}`
}

/** Is this the placeholder of an address, and not an address? */
export function isPlaceholder(address: unknown): boolean {
  return typeof address === 'string' && address.endsWith(suffix)
}
