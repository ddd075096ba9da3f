import type { DirectAuth } from '../../handler/direct-auth.ts'
import type { RequestParts } from '../../http/parts.ts'
import type { AuthTypes } from '../../types/inference.ts'
import type { AuthBase } from '../../types/instance.ts'
import { badRequest, toParts } from './response-parts.ts'

/** Adapts an object that has only the public functions of an instance, such as a wrapper around an instance. */
export function viaFetch<T extends AuthTypes>(auth: AuthBase<T>): DirectAuth<T> {
  return {
    async answer(parts) {
      const request = tryRequest(parts)
      return request ? toParts(await auth.handler(request)) : badRequest
    },
    getSessionWithCookies: (request) => auth.getSessionWithCookies(toRequest(request)),
    async requireSession(request, required) {
      const found = await auth.requireSession(toRequest(request), required)
      return 'session' in found ? found : toParts(found)
    },
  }
}

/** Returns undefined for a method that no Request can have, such as TRACE. */
function tryRequest(parts: RequestParts): Request | undefined {
  try {
    return toRequest(parts)
  } catch {
    return undefined
  }
}

function toRequest({ method, url, headers, body, signal }: RequestParts): Request {
  // The types of the DOM do not know `duplex`, which a stream needs.
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers: [...headers],
    body,
    signal,
    duplex: 'half',
  }
  return new Request(url, init)
}
