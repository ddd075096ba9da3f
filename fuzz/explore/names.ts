/** Names the apps, passkeys and mails of a story by the order in which they appear: `passkey 2`. */
export type Names = (kind: string, id: string) => string

/** Rows contain the ids of passkeys in Base64, and responses in Base64url. */
export function namePasskey(names: Names, id: string): string {
  return names('passkey', Buffer.from(id, 'base64url').toString('base64url'))
}

export function openNames(): Names {
  const seen = new Map<string, string[]>()
  return (kind, id) => {
    const ids = seen.get(kind) ?? []
    seen.set(kind, ids)
    if (!ids.includes(id)) ids.push(id)
    return `${kind} ${ids.indexOf(id) + 1}`
  }
}
