import { assert } from './assert.ts'
import type { Visited } from './visitor.ts'

/** A form of a page, with its hidden fields. */
export interface Form {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

function readForms({ text }: Visited): readonly Form[] {
  return [...text.matchAll(/<form[^>]*? action="([^"]*)".*?<\/form>/gs)].map(([form, action = '']) => ({
    action,
    fields: Object.fromEntries(
      [...form.matchAll(/ name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    ),
  }))
}

/** Finds the form of the account page that requests a change. @throws {Error} if the page has none */
export function findChange(page: Visited, change: string): Form {
  const form = readForms(page).find(({ fields }) => fields.change === change)
  assert(form !== undefined, `The page at ${page.url} has no form for ${change}`)
  return form
}

/** Returns the first hidden field with this name. @throws {Error} if the page has none */
export function readField(page: Visited, name: string): string {
  const value = readForms(page).find(({ fields }) => fields[name] !== undefined)?.fields[name]
  assert(value !== undefined, `The page at ${page.url} has no field ${name}`)
  return value
}
