import { expect, it } from 'vitest'
import { openApp, origin, sessionOf, type AppOptions } from '../support/app.ts'
import { plant } from '../support/session-cookie.ts'

/** Cookies that `@auth/core` 0.41.3 set with the secret of these tests. The session ends in the year 2121. */
const minted = {
  csrfToken: '8c2aa35578719bf23451b5585263d9fef6887c9005bb3cdbd6d4ff7aeefd7892',
  csrf: '8c2aa35578719bf23451b5585263d9fef6887c9005bb3cdbd6d4ff7aeefd7892%7C41b2f909598ef1a660be269aa3c9724123f3d35065c046f25f9886ddecabef88',
  callbackUrl: 'https%3A%2F%2Fapp.test%2Fhome',
  session:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiTU9nYmRMTlVtX1FuOFI5S1JjZ0pSQlRSLUxCb3JpQ2gtQ2duNzRkMFU2dHdSY0c0aXVMWWNmc2JzbnRtcll4blRlYklMYkJFOEJKN3ZOMDNxT0JwTGcifQ..T-n2wo486VZD0TdUsamepw.j0LLrYWQjv-o6A1tx-rZW70A9XLD5t1mbmvMksAwjBadkupXwRcJZw0gQ4DnDVClF72-wvrHKAEi2USUEAjalwPriLL_DG7XhkxgIGg2rlgDqIbT3Sm-bXy_7Y1AmIXO--e1s-5rsxpYbrLlNS8C9QSOvfOtaHyvdX8Z4FxlDLU5wd6RJIFNFAL_45JBWLWc.yavXpeOCydPoW3FRzdEA_Fng5BImVy37_JDDI6tB8Xw',
}

const form = { id: 'form', name: 'Form', type: 'credentials', credentials: {} } as const
const providers: AppOptions['providers'] = [{ ...form, authorize: () => ({ id: 'bob', name: 'Bob' }) }]

it('ECO-003 accepts a session of @auth/core', async () => {
  const agent = openApp().agent()
  plant(agent, minted.session)
  expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } })
})

it('ECO-003 accepts a form of @auth/core, and follows its callback URL', async () => {
  const agent = openApp({ providers }).agent()
  plant(agent, minted.csrf, '__Host-authjs.csrf-token')
  plant(agent, minted.callbackUrl, '__Secure-authjs.callback-url')
  const answer = await agent.send('/auth/callback/form', { form: { csrfToken: minted.csrfToken } })
  expect(answer.headers.get('location')).toBe(`${origin}/home`)
  expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Bob' } })
})
