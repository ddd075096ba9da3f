import type { Visit } from './visit.ts'

/** The request for the application's own code, whose body was read already: the same, with the body's members as JSON. */
export function rebuildRequest({ request, body }: Visit): Request {
  const { url, method, headers } = request
  return new Request(url, { method, headers, body: method === 'GET' ? undefined : JSON.stringify(body) })
}
