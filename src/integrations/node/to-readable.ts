import { Readable } from 'node:stream'

/**
 * Converts the body of a Response to a stream of Node. It uses only the interface of the Fetch standard, because
 * `Readable.fromWeb` and `pipeline` accept only the streams of Node, and servers and test tools replace the class
 * `Response`.
 */
export function toReadable(body: Pick<ReadableStream<Uint8Array>, 'getReader'>): Readable {
  const reader = body.getReader()
  const cancel = (reason: unknown) => void reader.cancel(reason).catch(() => undefined)
  return new Readable({
    read() {
      reader.read().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      cancel(error)
      done(error)
    },
  })
}
