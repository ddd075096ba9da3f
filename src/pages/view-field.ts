import { type ComponentChild, h } from 'preact'
import type { ViewField } from '../types/feature.ts'

/**
 * Creates a field of a form of a feature, and its label.
 *
 * @param id unique on the page
 */
export function createViewField(
  { name, label, type = 'text', autocomplete, value, required = true }: ViewField,
  id = `input-${name}`,
): ComponentChild {
  const input = h('input', { id, name, type, autocomplete, value, required })
  if (type === 'checkbox') return h('label', {}, [input, ` ${label}`])
  return [h('label', { class: 'section-header', for: id }, label), input]
}
