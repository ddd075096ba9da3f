import type { ComponentChild } from 'preact'
import type { ViewPart } from '../types/feature-page.ts'

/** A part of a page. Features of sites get it from the kit; those of the library can also create one. */
export class Part implements ViewPart {
  readonly kind: ViewPart['kind']
  readonly element: ComponentChild
  /** The URL of the library's script that the part needs. */
  readonly script: string | undefined
  constructor(kind: ViewPart['kind'], element: ComponentChild, script?: string) {
    this.kind = kind
    this.element = element
    this.script = script
  }
}

/** Returns the elements of the parts. Ignores everything that is not a part. */
export function elementsOf(parts: readonly (ViewPart | undefined)[]): readonly ComponentChild[] {
  return parts.map((part) => (part instanceof Part ? part.element : undefined))
}

/** Returns the script that one of the parts needs. */
export function scriptOf(parts: readonly (ViewPart | undefined)[]): string | undefined {
  return parts.map((part) => (part instanceof Part ? part.script : undefined)).find(Boolean)
}
