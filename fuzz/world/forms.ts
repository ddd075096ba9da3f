/** A form of a page, as a browser submits it. */
export interface Form {
  /** In lower case. */
  readonly method: string
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/** Parses the forms of a page tag by tag, in time proportional to its length. */
export function readForms(html: string): readonly Form[] {
  const forms: { readonly attributes: string; readonly fields: [name: string, value: string][] }[] = []
  let form: (typeof forms)[number] | undefined
  for (const piece of html.split('<')) {
    const [, tag = '', attributes = ''] = /^(\/?form|input|button)\b([^>]*)/i.exec(piece) ?? []
    const name = attributeOf(attributes, 'name')
    if (/^form$/i.test(tag)) forms.push((form = { attributes, fields: [] }))
    else if (/^\/form$/i.test(tag)) form = undefined
    else if (name !== undefined) form?.fields.push([name, attributeOf(attributes, 'value') ?? ''])
  }
  return forms.map(({ attributes, fields }) => ({
    method: (attributeOf(attributes, 'method') ?? 'get').toLowerCase(),
    action: attributeOf(attributes, 'action') ?? '',
    fields: Object.fromEntries(fields),
  }))
}

/** Returns an attribute of a tag. */
export function attributeOf(attributes: string, name: string): string | undefined {
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
