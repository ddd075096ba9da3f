import { asError } from '../as-error.ts'
import { escapeControls } from '../escape-controls.ts'

/** Returns the message of an error as one line, because it may quote a site or a file. */
export function reasonOf(error: unknown): string {
  return escapeControls(asError(error).message)
}
