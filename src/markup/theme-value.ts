const colour =
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]{3,24}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([\w\s.,%+/-]{1,80}\))$/i

/** A CSS colour that can stand in a style sheet and cannot end it; undefined for anything else. */
export function readColour(value: string | undefined): string | undefined {
  const text = value?.trim() ?? ''
  return colour.test(text) ? text : undefined
}

/** White on a hexadecimal colour where that is readable, else black; undefined on a colour of another notation. */
export function pickTextOn(background: string): '#000' | '#fff' | undefined {
  const digits = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(background)
  const hex = digits?.[2] ?? digits?.[1]?.replace(/./g, '$&$&')
  if (hex === undefined) return undefined
  const channel = (start: number) => linear(Number.parseInt(hex.slice(start, start + 2), 16) / 255)
  const luminance = 0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
  // WCAG 2.2, contrast ratio and level AA; where white falls short of it, black does not.
  return 1.05 / (luminance + 0.05) >= 4.5 ? '#fff' : '#000'
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

const here = 'https://same-origin.invalid'

/** An image that asks no other host for anything: a `data:` URI of an image, or a path of the same origin. */
export function readImage(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  if (/^data:image\/[\w.+-]+[;,]/i.test(value)) return value
  // The parser decides where a path leads: it takes `//host`, `/\host` and `/<tab>/host` for another origin.
  return value.startsWith('/') && URL.canParse(value, here) && new URL(value, here).origin === here
    ? value
    : undefined
}

/**
 * The logo of the site, whose address is the site's own choice: besides what `readImage` takes, an absolute http or https
 * URL, whose origin the page's policy then has to name.
 */
export function readLogo(value: string | undefined): string | undefined {
  if (value === undefined || !URL.canParse(value)) return readImage(value)
  const { protocol } = new URL(value)
  return readImage(value) ?? (protocol === 'https:' || protocol === 'http:' ? value : undefined)
}
