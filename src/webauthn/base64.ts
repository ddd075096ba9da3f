import { decodeBase64url, encodeBase64url } from '../crypto/base64url.ts'

/** The bytes in base64 with padding, as adapters keep credential ids and keys. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = encodeBase64url(bytes).replaceAll('-', '+').replaceAll('_', '/')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/** The same text in base64url without padding, as browsers spell it; not looked at any further. */
export function toBase64url(text: string): string {
  return text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
}

/** The bytes of base64, or undefined for anything that is none. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  return decodeBase64url(toBase64url(text))
}

/** A browser's base64url as the base64 that adapters keep, or undefined for anything but canonical base64url. */
export function toBase64(base64url: string): string | undefined {
  const bytes = decodeBase64url(base64url)
  return bytes && encodeBase64(bytes)
}
