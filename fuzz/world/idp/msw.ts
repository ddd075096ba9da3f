import { http, type HttpHandler, HttpResponse, passthrough } from 'msw'
import type { Idp } from './contract.ts'

/** Returns handlers that serve the provider to the process's own fetch. An aborted request fails. */
export function mswHandlers(idp: Pick<Idp, 'issuer' | 'handle'>): HttpHandler[] {
  return [
    http.all(`${idp.issuer.replace(/\/$/, '')}/*`, ({ request }) =>
      idp.handle(request).catch(() => HttpResponse.error()),
    ),
  ]
}

/**
 * Returns handlers to add last: loopback requests pass, and every other request is recorded and fails, so that no test
 * reaches the network. They stay when the handlers are reset.
 */
export function refuseOthers(record: (url: string) => void): HttpHandler[] {
  return [
    http.all(/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\//, () => passthrough()),
    http.all('*', ({ request }) => {
      record(request.url)
      return HttpResponse.error()
    }),
  ]
}
