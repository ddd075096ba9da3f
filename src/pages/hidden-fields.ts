import { type ComponentChild, h } from 'preact'

/** What a form sends along, as far as there is any. */
export function createHiddenFields(fields: Readonly<Record<string, string | undefined>>): ComponentChild[] {
  return Object.entries(fields).map(
    ([name, value]) => value !== undefined && h('input', { type: 'hidden', name, value }),
  )
}
