import fc from 'fast-check'

/** Cookie values that the application never issued, of bytes that a header can carry. */
export const garbageToken = fc.oneof(
  fc.uuid(),
  fc.base64String({ minLength: 8, maxLength: 80 }).map((text) => text.replaceAll('=', '')),
  fc.stringMatching(/^[!#$%&'()*+\-./:<=>?@[\]^_`{|}~0-9A-Za-z]{1,60}$/),
  fc.constantFrom(
    'null',
    'undefined',
    '%',
    '%E0%A4%A',
    '{}',
    '[]',
    'a.b.c',
    'a.b.c.d.e',
    'eyJhbGciOiJub25lIn0.e30.',
    '..',
  ),
  fc.string({
    unit: fc.integer({ min: 0xa1, max: 0xff }).map((code) => String.fromCharCode(code)),
    minLength: 1,
  }),
  fc.integer({ min: 3000, max: 9000 }).map((length) => 'x'.repeat(length)),
)
