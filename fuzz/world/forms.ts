/** A form of a page, as a browser submits it. */
export interface Form {
  /** In lower case. */
  readonly method: string
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/** Parses the forms of a page. */
export function readForms(html: string): readonly Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([^]*?)<\/form>/gi)].map(([, attributes = '', inside = '']) => ({
    method: (attributeOf(attributes, 'method') ?? 'get').toLowerCase(),
    action: attributeOf(attributes, 'action') ?? '',
    fields: Object.fromEntries(
      [...inside.matchAll(/<(?:input|button)\b([^>]*)>/gi)].flatMap(([, text = '']) => {
        const name = attributeOf(text, 'name')
        return name === undefined ? [] : [[name, attributeOf(text, 'value') ?? '']]
      }),
    ),
  }))
}

function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes)
  const text = found?.slice(1).find((part) => part !== undefined)
  return text === undefined ? undefined : unescape(text)
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}
