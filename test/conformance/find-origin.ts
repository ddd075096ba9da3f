import type { Readable } from 'node:stream'

/** Returns the address that an application prints first, and ignores all further output, so that it can continue. */
export function findOrigin(output: Readable): Promise<string | undefined> {
  let printed = ''
  return new Promise((resolve) => {
    output.on('data', (chunk: Buffer) => {
      if (printed.length < 10_000) printed += chunk.toString()
      const origin = /(http:\/\/localhost:\d+)\D/.exec(printed)?.[1]
      if (origin !== undefined) resolve(origin)
    })
    output.once('end', () => resolve(undefined))
  })
}
