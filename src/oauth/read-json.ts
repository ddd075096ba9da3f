import { show } from './failure.ts'

/** An answer that is not what its endpoint answers; the message says what came. */
export class UnusableAnswer extends Error {}

/**
 * The JSON object in a response: declared as JSON, in UTF-8, and an object.
 *
 * @throws UnusableAnswer
 */
export async function readJson(response: Response): Promise<Record<string, unknown>> {
  const type = mediaType(response)
  if (type === undefined || !/^application\/(?:[\w.-]+\+)?json$/.test(type))
    throw new UnusableAnswer(`expected content-type application/json, and ${show(type)} came`)
  const value = parse(await response.arrayBuffer())
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnusableAnswer('expected a JSON object, and another JSON value came')
  return value as Record<string, unknown>
}

/** The media type of a response, lower-cased and without parameters. */
export function mediaType(response: Response): string | undefined {
  return response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
}

function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new UnusableAnswer('expected JSON in UTF-8, and something else came')
  }
}
