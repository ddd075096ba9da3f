import { base64url } from 'jose'

/** Is the verifier the one of the challenge (RFC 7636 4.6)? */
export async function isVerified(query: URLSearchParams, verifier: string | null): Promise<boolean> {
  const challenge = query.get('code_challenge')
  if (challenge === null) return verifier === null
  return (
    verifier !== null &&
    query.get('code_challenge_method') === 'S256' &&
    challenge === (await sha256(verifier))
  )
}

async function sha256(text: string, bytes = 32): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return base64url.encode(new Uint8Array(hash).subarray(0, bytes))
}

/** `at_hash` of the RS256 and ES256 tokens. */
export function halfHash(text: string): Promise<string> {
  return sha256(text, 16)
}
