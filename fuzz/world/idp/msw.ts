import { http, type HttpHandler, HttpResponse, passthrough } from 'msw'
import type { Idp } from './contract.ts'

/** The provider behind the process's own fetch. A request that was given up answers nobody. */
export function mswHandlers(idp: Pick<Idp, 'issuer' | 'handle'>): HttpHandler[] {
  return [
    http.all(`${idp.issuer.replace(/\/$/, '')}/*`, ({ request }) =>
      idp.handle(request).catch(() => HttpResponse.error()),
    ),
  ]
}

/**
 * Last handlers of a server: loopback passes, and every other request is recorded and fails, so that no test reaches the
 * network. They stay when the handlers are reset.
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
