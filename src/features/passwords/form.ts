import type { PasswordSettings } from '../../config/settings.ts'
import { toolsOf } from '../../extend/tools.ts'
import type { Facts } from '../../flows/engine/facts.ts'
import { outcome } from '../../flows/engine/flow.ts'
import { step } from '../../flows/engine/step.ts'
import type { Visit } from '../../http/visit.ts'
import type { Shown } from './pages.ts'

/** Determines whether the page was opened or its form submitted. */
export const readMethod = step({
  needs: ['visit'],
  says: { 'form.wanted': [], 'form.submitted': [] },
  run: ({ visit }) => ({ type: visit.method === 'GET' ? 'form.wanted' : 'form.submitted' }),
})

/** Shows the form of a page, with the reason if it is shown again. */
export function showing(page: 'request' | 'reset' | 'change') {
  return outcome({
    needs: ['visit', 'passwordProvider'],
    may: ['identifier', 'linkToken', 'objection'],
    answer(facts, world) {
      const { visit, objection } = facts
      return toolsOf(visit, world).show(page, describeForm(facts), objection ? 422 : 200)
    },
  })
}

type Known = Partial<Pick<Facts, 'identifier' | 'linkToken' | 'objection'>>

function describeForm({
  visit,
  passwordProvider,
  identifier: email,
  linkToken: token,
  objection,
}: Known & { readonly visit: Visit; readonly passwordProvider: PasswordSettings }): Shown {
  const { minLength } = passwordProvider.passwords
  return { minLength, token, email, callbackUrl: readCallbackUrl(visit), objection }
}

function readCallbackUrl({ query, body }: Visit): string | undefined {
  const told = body.callbackUrl ?? query.get('callbackUrl')
  return typeof told === 'string' ? told : undefined
}
