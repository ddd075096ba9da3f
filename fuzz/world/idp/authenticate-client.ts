import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import type { IdpClient } from './contract.ts'

/** The context of a client assertion: its accepted audiences, the current time, and the assertions used before. */
interface Place {
  readonly audiences: readonly string[]
  readonly now: number
  readonly usedAssertions: Set<string>
}

/**
 * Returns the client of a token request if it authenticates with its registered method, otherwise undefined. If no client
 * is registered, accepts any.
 */
export async function authenticateClient(
  clients: readonly IdpClient[] | undefined,
  headers: Headers,
  body: URLSearchParams,
  place: Place,
): Promise<IdpClient | undefined> {
  const shown = readCredentials(headers, body)
  if (!clients) return shown.id === '' ? undefined : { id: shown.id }
  const client = clients.find(({ id }) => id === shown.id)
  if (!client || shown.method !== (client.method ?? 'client_secret_basic')) return undefined
  switch (shown.method) {
    case 'none':
      return client
    case 'client_secret_basic':
    case 'client_secret_post':
      return shown.proof === client.secret ? client : undefined
    case 'client_secret_jwt':
    case 'private_key_jwt':
      return (await isAssertionGood(client, shown.proof, place)) ? client : undefined
  }
}

interface Credentials {
  readonly id: string
  readonly method: NonNullable<IdpClient['method']>
  readonly proof: string
}

function readCredentials(headers: Headers, body: URLSearchParams): Credentials {
  const basic = /^Basic (.+)$/.exec(headers.get('authorization') ?? '')?.[1]
  const id = body.get('client_id') ?? ''
  const assertion = body.get('client_assertion')
  const secret = body.get('client_secret')
  if (basic !== undefined) {
    const [user = '', proof = ''] = atob(basic).split(':').map(decodeForm)
    return { id: user, method: 'client_secret_basic', proof }
  }
  if (secret !== null) return { id, method: 'client_secret_post', proof: secret }
  if (assertion === null) return { id, method: 'none', proof: '' }
  const isMac = decodeProtectedHeader(assertion).alg === 'HS256'
  return { id, method: isMac ? 'client_secret_jwt' : 'private_key_jwt', proof: assertion }
}

async function isAssertionGood(client: IdpClient, assertion: string, place: Place): Promise<boolean> {
  const key = client.publicJwk ? await importJWK(client.publicJwk) : new TextEncoder().encode(client.secret)
  try {
    const { payload } = await jwtVerify(assertion, key, {
      issuer: client.id,
      subject: client.id,
      audience: [...place.audiences],
      currentDate: new Date(place.now),
      requiredClaims: ['jti', 'exp', 'iat'],
      maxTokenAge: 60,
    })
    const jti = String(payload.jti)
    if (place.usedAssertions.has(jti)) return false
    place.usedAssertions.add(jti)
    return true
  } catch {
    return false
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
