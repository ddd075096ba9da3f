import { decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose'
import type { ClientMethod, IdpClient } from './contract.ts'

/** The context of a client assertion: its accepted audiences, the current time, and the assertions used before. */
interface Place {
  readonly audiences: readonly string[]
  readonly now: number
  readonly usedAssertions: Set<string>
}

/**
 * Returns the client of a token request if it authenticates with its registered method, otherwise the reason for the
 * refusal. If no client is registered, accepts any client.
 */
export async function authenticateClient(
  clients: readonly IdpClient[] | undefined,
  headers: Headers,
  body: URLSearchParams,
  place: Place,
): Promise<IdpClient | string> {
  const shown = readCredentials(headers, body)
  if (!clients) return shown.id === '' ? 'the request has no client_id' : { id: shown.id }
  const client = clients.find(({ id }) => id === shown.id)
  if (!client) return expectClient(clients, shown.id)
  const { method = 'client_secret_basic' } = client
  if (method !== 'any' && shown.method !== method)
    return `${client.id} is registered for ${method}, and the request uses ${shown.method}`
  switch (shown.method) {
    case 'none':
      return client
    case 'client_secret_basic':
    case 'client_secret_post':
      return shown.proof === client.secret ? client : `the secret of ${client.id} is wrong`
    case 'client_secret_jwt':
    case 'private_key_jwt': {
      const key = shown.method === 'client_secret_jwt' ? client.secret : client.publicJwk
      if (key === undefined) return `${client.id} has no key for ${shown.method}`
      return (await findAssertionFault(client, key, shown.proof, place)) ?? client
    }
  }
}

/** Says why a client is unknown. */
export function expectClient(clients: readonly IdpClient[], id: string): string {
  return `expected the client ${clients.map((client) => client.id).join(' or ')}, got "${id}"`
}

interface Credentials {
  readonly id: string
  readonly method: ClientMethod
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

/** Returns why an assertion is invalid; undefined if it is valid. */
async function findAssertionFault(
  client: IdpClient,
  key: JWK | string,
  assertion: string,
  place: Place,
): Promise<string | undefined> {
  try {
    const imported = typeof key === 'string' ? new TextEncoder().encode(key) : await importJWK(key)
    const { payload } = await jwtVerify(assertion, imported, {
      issuer: client.id,
      subject: client.id,
      audience: [...place.audiences],
      currentDate: new Date(place.now),
      requiredClaims: ['jti', 'exp', 'iat'],
      maxTokenAge: 60,
    })
    const jti = String(payload.jti)
    if (place.usedAssertions.has(jti)) return `the assertion of ${client.id} was used before`
    place.usedAssertions.add(jti)
    return undefined
  } catch (error) {
    return `the assertion of ${client.id} is invalid: ${error instanceof Error ? error.message : String(error)}`
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
