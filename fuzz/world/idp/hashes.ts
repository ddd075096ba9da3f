import { base64url } from 'jose'

/** Returns whether the verifier matches the challenge (RFC 7636 4.6). */
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

/** Computes the `at_hash` for RS256 and ES256. */
export function halfHash(text: string): Promise<string> {
  return sha256(text, 16)
}
