import { defineFeature, userRecord } from 'authmachine/extend'

/** What is stored of a key. The key itself is shown once, when it is issued. */
type StoredKey = {
  readonly id: string
  readonly name: string
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Milliseconds since 1970, or null for a key that does not expire. */
  readonly expiresAt: number | null
}

/** A key without its hash, as a page of your application may list it. */
type ListedKey = Omit<StoredKey, 'hash'>

/** The keys of a user. */
const keysOf = userRecord<readonly StoredKey[]>('keys')

export interface KeysOptions {
  /** How many keys a user may have. @default 20 */
  readonly limit?: number
}

/** API keys, with which programs act as a user: `Authorization: Bearer key_…`. */
export const apiKeys = (options: KeysOptions = {}) =>
  defineFeature({
    name: 'keys',
    title: 'API keys',
    options,
    needs: ['getUser', 'getRecord', 'setRecord', 'deleteRecord'],
    methods: {
      /** Issues a key. `maxAge` is in seconds. Without it, the key does not expire. */
      async issue(tools, userId: string, { name, maxAge }: { name: string; maxAge?: number }) {
        const { limit = 20 } = tools.options
        const [id, secret] = [tools.randomBytes(8), tools.randomBytes(32)].map(encode) as [string, string]
        const createdAt = tools.now()
        const expiresAt = maxAge === undefined ? null : createdAt + maxAge * 1000
        const stored = { id, name, hash: await hash(secret), createdAt, expiresAt }
        await keysOf.update(
          userId,
          (keys = []) => {
            const live = keys.filter((key) => isLive(key, createdAt))
            if (live.length >= limit)
              throw new Error(`A user may have ${limit} keys. Revoke one of them first`)
            return [...live, stored]
          },
          tools,
        )
        // The id of the user finds the record, so keys need no table.
        return { id, key: `key_${userId}.${id}.${secret}` }
      },

      /** Lists the live keys of a user. */
      async list(tools, userId: string): Promise<readonly ListedKey[]> {
        const keys = (await keysOf.read(userId, tools))?.value ?? []
        return keys.filter((key) => isLive(key, tools.now())).map(({ hash: _hash, ...listed }) => listed)
      },

      /** Revokes a key of a user. Does nothing if the user has no such key. */
      async revoke(tools, userId: string, id: string) {
        await keysOf.update(userId, (keys = []) => nonEmpty(keys.filter((key) => key.id !== id)), tools)
      },

      /** Returns the user of the key in a request, or undefined if there is none, or if it is unknown or expired. */
      async find(tools, request: Request) {
        const sent = request.headers.get('authorization') ?? ''
        const [, userId, id, secret] = /^Bearer key_(\S{1,200})\.([\w-]{11})\.([\w-]{43})$/i.exec(sent) ?? []
        if (!userId || !secret) return undefined
        const keys = (await keysOf.read(userId, tools))?.value ?? []
        const key = keys.find((each) => each.id === id && isLive(each, tools.now()))
        // The hash of a random secret tells nothing about it, so the comparison need not take constant time.
        if (!key || key.hash !== (await hash(secret))) return undefined
        const found = await tools.store.getUser(userId)
        return found ? { user: found, key: { id: key.id, name: key.name } } : undefined
      },
    },
    ends: {
      // An attacker may have issued a key before the owner of the address proved it.
      async credential(userId, tools) {
        await keysOf.update(userId, () => undefined, tools)
      },
    },
  })

function isLive({ expiresAt }: StoredKey, now: number): boolean {
  return expiresAt === null || expiresAt > now
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined
}

async function hash(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  return encode(new Uint8Array(digest))
}

function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
