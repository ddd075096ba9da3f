import { h, type ComponentChild, type ComponentChildren } from 'preact'
import type { Verdict } from '../run/verdict.ts'

export function badge(verdict: Verdict, before = ''): ComponentChild {
  return h('span', { class: `verdict ${verdict}` }, `${before}${verdict}`)
}

/** Renders a statement, with words in backticks as code. */
export function prose(text: string): ComponentChild[] {
  return text.split('`').map((part, at) => (at % 2 === 1 ? h('code', null, part) : part))
}

export function anchor(target: string, id: string): string {
  return `${target.replaceAll(/[^\w.-]/g, '-')}-${id}`
}

export function entry(term: string, text: ComponentChildren): ComponentChild[] {
  return [h('dt', null, term), h('dd', null, text)]
}
