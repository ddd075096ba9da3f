import { type ComponentChild, h } from 'preact'
import type { ViewField } from '../types/feature-page.ts'
import { composeValues } from './compose-values.ts'

/**
 * Creates a field of a form of a feature, and its label.
 *
 * @param id unique on the page
 */
export function createViewField(
  { name, label, values = {}, type = 'text', required = true, ...field }: ViewField,
  id: string,
): ComponentChild {
  const { autocomplete, value, minLength: minlength, maxLength: maxlength, accessibleName } = field
  const { inputMode: inputmode, autofocus } = field
  // Some browsers send what they check to a server.
  const spellcheck = autocomplete === 'one-time-code' ? false : undefined
  const attributes = { autocomplete, value, minlength, maxlength, 'aria-label': accessibleName }
  const input = h('input', { id, name, type, required, ...attributes, inputmode, autofocus, spellcheck })
  const text = composeValues(String(label), values)
  if (type === 'checkbox') return h('label', {}, [input, ' ', text])
  return [h('label', { class: 'section-header', for: id }, text), input]
}
