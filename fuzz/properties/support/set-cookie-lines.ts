import type { World } from '../../world/world.ts'

/** The Set-Cookie lines of all responses, without those of other browsers. */
export const linesOf = (world: World) =>
  world.replies.flatMap(({ request, reply }) =>
    reply.headers
      .getSetCookie()
      .map((line) => ({ line, where: `${request.method} ${new URL(request.url).pathname}` })),
  )

/** Parses a line into name, value, and attributes by lower-case name. */
export function readLine(line: string) {
  const [pair = '', ...rest] = line.split(';')
  const [name = '', ...value] = pair.split('=')
  const attributes = rest.map((part) => {
    const [key = '', ...text] = part.trim().split('=')
    return [key.toLowerCase(), text.join('=')] as const
  })
  return { name, value: value.join('='), attributes: new Map(attributes), count: attributes.length }
}

/** Writes a line again, without the value, which may be a secret, and without a time, which differs in each run. */
export function showLine({ name, attributes }: Omit<ReturnType<typeof readLine>, 'value' | 'count'>): string {
  const written = [...attributes].map(([key, text]) => {
    if (text === '') return key
    return key === 'expires' ? `${key}=…` : `${key}=${text}`
  })
  return [`${name}=…`, ...written].join('; ')
}
