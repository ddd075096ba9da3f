import type { Visit } from './visit.ts'

/** Copies the members of a body. Copying an object without a prototype by a spread takes V8 several times as long. */
export function copyMembers(body: Visit['body']): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(body)) copy[name] = body[name]
  return copy
}

/**
 * Creates a Request for the application's code. The body of the original was read already, so this one contains its
 * members as JSON.
 */
export function rebuildRequest({ request, body }: Visit): Request {
  const { url, method } = request
  return new Request(url, {
    method,
    headers: [...request.headers],
    body: method === 'GET' ? undefined : JSON.stringify(body),
  })
}

/**
 * Adds a member for the Request that {@link rebuildRequest} creates. Most functions do not read it, so it is created on
 * first use.
 */
export function withRequest<Params extends object>(
  params: Params,
  visit: Visit,
): Params & { request: Request } {
  let request: Request | undefined
  return {
    ...params,
    get request() {
      return (request ??= rebuildRequest(visit))
    },
    set request(other) {
      request = other
    },
  }
}
