/**
 * The domain of placeholders for users without a verified address. Adapters require a string, and in many tables the
 * column is unique and not null. Nobody can own or receive mail at a name below `.invalid` (RFC 2606 2).
 */
const suffix = '@unproven.invalid'

/**
 * Returns a placeholder that no other user has.
 * @param id id of the user, or any random id
 */
export function makePlaceholder(id: string): string {
  return `${id}${suffix}`
}

/** Returns whether an address is a placeholder, even if a store has changed its case or added blanks around it. */
export function isPlaceholder(address: unknown): boolean {
  return typeof address === 'string' && address.trim().toLowerCase().endsWith(suffix)
}
