import { attributeOf } from '../../../world/forms.ts'

/** An action that a page offers: following a link, or pressing a button of a form. */
export interface Action {
  /** The text of the link or the button. */
  readonly says: string
  readonly method: 'GET' | 'POST'
  /** The URL, without the query of a form that is sent by GET. */
  readonly url: URL
  /** The fields of the form. A link has none. */
  readonly fields: Readonly<Record<string, string>>
  /** The names of its hidden fields. */
  readonly hidden: readonly string[]
}

interface OpenForm {
  readonly attributes: string
  readonly fields: Record<string, string>
  readonly hidden: string[]
  readonly buttons: { readonly attributes: string; text: string }[]
}

/** Reads the links and forms of a page tag by tag, in time proportional to its length. */
export function readActions(html: string, page: URL): readonly Action[] {
  const actions: Action[] = []
  let form: OpenForm | undefined
  let link: { readonly attributes: string; text: string } | undefined
  let button: { text: string } | undefined
  for (const piece of html.split('<')) {
    const [whole = '', tag = '', attributes = ''] = /^(\/?[a-z]+)\b([^>]*)>?/i.exec(piece) ?? []
    const text = piece.slice(whole.length)
    const name = attributeOf(attributes, 'name')
    const type = attributeOf(attributes, 'type')?.toLowerCase()
    const isButton = /^button$/i.test(tag) || (/^input$/i.test(tag) && /^(submit|image)$/.test(type ?? ''))
    if (/^a$/i.test(tag)) link = { attributes, text: '' }
    else if (/^\/a$/i.test(tag) && link) {
      actions.push(...readLink(link, page))
      link = undefined
    } else if (/^form$/i.test(tag)) form = { attributes, fields: {}, hidden: [], buttons: [] }
    else if (/^\/form$/i.test(tag) && form) {
      actions.push(...readForm(form, page))
      form = undefined
    } else if (form && isButton) {
      const isEmpty = /^input$/i.test(tag)
      const pressed = { attributes, text: isEmpty ? (attributeOf(attributes, 'value') ?? '') : '' }
      form.buttons.push(pressed)
      button = isEmpty ? undefined : pressed
    } else if (/^\/button$/i.test(tag)) button = undefined
    else if (
      form &&
      name !== undefined &&
      /^(input|select|textarea)$/i.test(tag) &&
      !/^(checkbox|radio)$/.test(type ?? '')
    ) {
      form.fields[name] = attributeOf(attributes, 'value') ?? ''
      if (type === 'hidden') form.hidden.push(name)
    }
    if (link) link.text += ` ${text}`
    if (button) button.text += ` ${text}`
  }
  return actions
}

function readLink(
  { attributes, text }: { readonly attributes: string; readonly text: string },
  page: URL,
): Action[] {
  const url = resolve(attributeOf(attributes, 'href'), page)
  return url ? [{ says: shorten(text), method: 'GET', url, fields: {}, hidden: [] }] : []
}

/** Returns an action for each button of a form. */
function readForm({ attributes, fields, hidden, buttons }: OpenForm, page: URL): Action[] {
  const all = buttons.length > 0 ? buttons : [{ attributes: '', text: '' }]
  return all.flatMap((button) => {
    const url = resolve(
      attributeOf(button.attributes, 'formaction') ?? attributeOf(attributes, 'action') ?? '',
      page,
    )
    const method = attributeOf(attributes, 'method')?.toUpperCase() === 'POST' ? 'POST' : 'GET'
    const name = attributeOf(button.attributes, 'name')
    const pressed = name === undefined ? {} : { [name]: attributeOf(button.attributes, 'value') ?? '' }
    return url
      ? [{ says: shorten(button.text), method, url, fields: { ...fields, ...pressed }, hidden } as const]
      : []
  })
}

/** Returns a URL of the same site. */
function resolve(address: string | undefined, page: URL): URL | undefined {
  if (address === undefined || address.startsWith('#') || !URL.canParse(address, page)) return undefined
  const url = new URL(address, page)
  return url.origin === page.origin ? url : undefined
}

function shorten(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 80)
}
