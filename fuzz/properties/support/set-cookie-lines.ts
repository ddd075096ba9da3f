import type { World } from '../../world/world.ts'

/** The lines that set cookies, of everything that was answered, without what came for others. */
export const linesOf = (world: World) =>
  world.replies.flatMap(({ request, reply }) =>
    reply.headers
      .getSetCookie()
      .map((line) => ({ line, where: `${request.method} ${new URL(request.url).pathname}` })),
  )

/** A line as its parts: name, value, and attributes by their names in lower case. */
export function readLine(line: string) {
  const [pair = '', ...rest] = line.split(';')
  const [name = '', ...value] = pair.split('=')
  const attributes = rest.map((part) => {
    const [key = '', ...text] = part.trim().split('=')
    return [key.toLowerCase(), text.join('=')] as const
  })
  return { name, value: value.join('='), attributes: new Map(attributes), count: attributes.length }
}
