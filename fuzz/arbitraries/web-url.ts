import fc from 'fast-check'
import { anyText } from './any-text.ts'

const part = anyText(8).map(encodeURIComponent)
const optional = (mark: '?' | '#') =>
  fc.oneof(
    fc.constant(''),
    part.map((text) => `${mark}${text}`),
  )

/** An honest URL, with any characters where they may be. */
export const webUrl: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.domain(),
    fc.array(part, { maxLength: 3 }),
    optional('?'),
    optional('#'),
  )
  .map(([scheme, host, path, query, fragment]) => `${scheme}://${host}/${path.join('/')}${query}${fragment}`)
