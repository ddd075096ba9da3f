import { asError } from '../../errors/as-error.ts'
import { escapeControls } from '../../text/escape-controls.ts'

/** Returns the message of an error as one line, because it may quote a site or a file. */
export function reasonOf(error: unknown): string {
  const { message } = asError(error)
  // Node reports a connection that failed on each address of a host without a message.
  if (message === '' && error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return escapeControls(message)
}
