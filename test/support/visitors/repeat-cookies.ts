/**
 * A bug for any server on Node, loaded by `node --import`: each response also sets the cookies of the response before, as
 * if they shared a Headers object.
 */
import { ServerResponse } from 'node:http'

const kept: string[] = []
const { writeHead } = ServerResponse.prototype

ServerResponse.prototype.writeHead = function (this: ServerResponse, status: number, ...more: unknown[]) {
  // Node lets the headers that a server passes replace those that it has set, so all of them are set here.
  for (const [name, value] of more.flatMap(listHeaders))
    if (name.toLowerCase() === 'set-cookie') this.appendHeader(name, value)
    else this.setHeader(name, value)
  const cookies = [this.getHeader('set-cookie') ?? []].flat().map(String)
  if (kept.length > 0) this.setHeader('set-cookie', [...cookies, ...kept])
  kept.splice(0, kept.length, ...cookies)
  return Reflect.apply(writeHead, this, [status])
}

/** Lists the headers of an argument of `writeHead`, which has three forms. A status message has none. */
function listHeaders(headers: unknown): [string, string | string[]][] {
  if (typeof headers !== 'object' || headers === null) return []
  const flat: unknown[] = Array.isArray(headers) ? headers.flat() : Object.entries(headers).flat(1)
  const names = flat.filter((_, index) => index % 2 === 0)
  return names.map((name, index) => {
    const value = flat[index * 2 + 1]
    return [String(name), Array.isArray(value) ? value.map(String) : String(value)]
  })
}
