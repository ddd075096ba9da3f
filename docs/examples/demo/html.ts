/** HTML that needs no escaping. */
export interface Html {
  readonly html: string
}

type Value = string | Html | undefined | false | readonly Html[]

/** Renders a template, and escapes its values unless they are HTML themselves. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: strings.map((text, n) => text + show(values[n])).join('') }
}

function show(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return 'html' in value ? value.html : value.map((each) => each.html).join('')
}
