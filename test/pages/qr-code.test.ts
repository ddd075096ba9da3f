import { decodeQR } from 'qr/decode.js'
import { expect, it } from 'vitest'
import { drawQrCode, type QrCode } from '../../src/pages/qr-code.ts'

/** Pixels of a module. */
const scale = 4

/** Paints the rectangles of the path, dark on light. */
function paint({ size, path }: QrCode) {
  const width = size * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let row = 0; row < scale; row += 1) {
      const start = ((Number(y) * scale + row) * width + Number(x) * scale) * 4
      for (let at = start; at < start + Number(length) * scale * 4; at += 1) if (at % 4 !== 3) data[at] = 0
    }
  return { width, height: width, data }
}

it.each([
  'otpauth://totp/Example:ada?issuer=Example&secret=JBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
  `otpauth://totp/${'%D8%A7'.repeat(150)}?secret=JBSWY3DPEHPK3PXP`,
])('SF-04 the QR code reads %s', async (uri) => {
  const code = await drawQrCode(uri)
  expect(code && decodeQR(paint(code))).toBe(uri)
})

it('SF-04 draws no QR code of a text that cameras read badly', async () => {
  expect(await drawQrCode('x'.repeat(1_001))).toBeUndefined()
})
