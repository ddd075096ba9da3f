import { encodeHex } from '../crypto/bytes.ts'
import { once } from '../async/once.ts'

/** The methods that the adapter uses of a client, pool or cluster of the package `redis`. */
export interface NodeRedisClient {
  /** Runs a script that the server has stored. */
  evalSha(sha1: string, options: ScriptOptions): Promise<unknown>
  /** Runs a script, and stores it. */
  eval(script: string, options: ScriptOptions): Promise<unknown>
}

/** The keys and arguments of a script, as the package `redis` takes them. */
export interface ScriptOptions {
  /** The keys, which determine the node of a cluster. */
  keys: string[]
  /** The other arguments. */
  arguments: string[]
}

/** The methods that the adapter uses of a client or cluster of the package `ioredis`. */
export interface IoRedisClient {
  /** Runs a script that the server has stored. */
  evalsha(sha1: string, keys: number, ...args: string[]): Promise<unknown>
  /** Runs a script, and stores it. */
  eval(script: string, keys: number, ...args: string[]): Promise<unknown>
}

/** A client of the package `redis` or `ioredis`. */
export type RedisClient = NodeRedisClient | IoRedisClient

/** Runs a script. */
export type RunScript = (key: string, args: readonly string[]) => Promise<unknown>

/** Returns the start of all keys. Its braces put them into one slot of a cluster, and its number is the version of the layout. */
export function rootOf(prefix: string): string {
  if (/^[^{}]+$/.test(prefix)) return `{${prefix}}:1:`
  throw new TypeError(`\`prefix\` must be text without braces, got ${JSON.stringify(prefix)}`)
}

/** Sends the hash of the script instead of its text, and the text only to a server that does not have it yet. */
export function openScript(client: RedisClient, script: string): RunScript {
  const [runHash, runText] = openCalls(client)
  const hash = once(() => sha1Hex(script))
  return async (key, args) => {
    try {
      return asText(await runHash(await hash(), key, args))
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return asText(await runText(script, key, args))
    }
  }
}

/** A client of the package `redis` returns bytes instead of text if it has such a type mapping. */
function asText(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.map(asText)
  return reply instanceof Uint8Array ? new TextDecoder().decode(reply) : reply
}

type Call = (script: string, key: string, args: readonly string[]) => Promise<unknown>

function openCalls(client: RedisClient): readonly [runHash: Call, runText: Call] {
  if ('evalSha' in client)
    return [
      (hash, key, args) => client.evalSha(hash, { keys: [key], arguments: [...args] }),
      (text, key, args) => client.eval(text, { keys: [key], arguments: [...args] }),
    ]
  return [
    (hash, key, args) => client.evalsha(hash, 1, key, ...args),
    (text, key, args) => client.eval(text, 1, key, ...args),
  ]
}

/** Redis names scripts by their SHA-1. */
async function sha1Hex(text: string): Promise<string> {
  return encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))))
}
