import fc from 'fast-check'
import { anyText } from './any-text.ts'

const part = anyText(8).map(encodeURIComponent)
const optional = (mark: '?' | '#') =>
  fc.oneof(
    fc.constant(''),
    part.map((text) => `${mark}${text}`),
  )

/** A valid http or https URL, with any characters where they are allowed. */
export const webUrl: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.domain(),
    fc.array(part, { maxLength: 3 }),
    optional('?'),
    optional('#'),
  )
  .map(([scheme, host, path, query, fragment]) => `${scheme}://${host}/${path.join('/')}${query}${fragment}`)
