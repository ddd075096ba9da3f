const colour =
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]{3,24}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([\w\s.,%+/-]{1,80}\))$/i

/** Returns a CSS colour that is safe in a style sheet, or undefined. */
export function readColour(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return colour.test(text) ? text : undefined
}

/**
 * Returns white for a hexadecimal colour with enough contrast, otherwise black. Returns undefined for other notations.
 */
export function pickTextOn(background: string): '#000' | '#fff' | undefined {
  const luminance = measureLuminance(background)
  if (luminance === undefined) return undefined
  // WCAG 2.2, contrast ratio and level AA. If the contrast of white is too low, that of black is sufficient.
  return 1.05 / (luminance + 0.05) >= 4.5 ? '#fff' : '#000'
}

/**
 * Returns whether a graphic of one colour is visible on another (WCAG 2.2, 1.4.11). Returns false for colours that are not
 * hexadecimal.
 */
export function hasContrast(graphic: string, background: string): boolean {
  const [one, other] = [measureLuminance(graphic), measureLuminance(background)]
  if (one === undefined || other === undefined) return false
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) >= 3
}

function measureLuminance(text: string): number | undefined {
  const digits = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text)
  const hex = digits?.[2] ?? digits?.[1]?.replace(/./g, '$&$&')
  if (hex === undefined) return undefined
  const channel = (start: number) => linear(Number.parseInt(hex.slice(start, start + 2), 16) / 255)
  return 0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** A host name or an address of IPv4 or IPv6. */
const host = /^(?:[\w.-]+|\[[\da-f:.]+\])$/

const here = 'https://same-origin.invalid'

/** Returns an image that needs no request to another host: a `data:` URI, or a path of the same origin. */
export function readImage(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (/^data:image\/[\w.+-]+[;,]/i.test(value)) return value
  // Decided by the parser, which reads `//host`, `/\host` and `/<tab>/host` as another origin.
  return value.startsWith('/') && URL.canParse(value, here) && new URL(value, here).origin === here
    ? value
    : undefined
}

/**
 * Returns the URL of the site's logo. Besides the values of `readImage` it accepts an absolute http or https URL, whose
 * origin the page's policy must then allow. Hosts with characters that have a meaning in the policy are rejected: `*`
 * would allow every host, and `;` would end the directive. A URL parser accepts both.
 */
export function readLogo(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return readImage(value)
  const { hostname, protocol } = new URL(value)
  const isAllowed = (protocol === 'https:' || protocol === 'http:') && host.test(hostname)
  return readImage(value) ?? (isAllowed ? value : undefined)
}
