import { isLoopback } from '../loopback.ts'

/**
 * May the provider be reached under this URL: https, or plain http on a loopback host or by `allowInsecureRequests`
 * (decision 11; RFC 9700 2.6).
 */
export function isSecureUrl(url: URL, allowInsecureRequests: boolean): boolean {
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && (allowInsecureRequests || isLoopback(url.hostname))
}
