import { randomUUID } from 'node:crypto'
import { assert } from './assert.ts'
import { readCode } from './authenticator.ts'
import { findChange, readField } from './forms.ts'
import type { Chapter } from './sign-in-methods.ts'
import { enterStage, followMail, inventAddress, type Stage, visit } from './stage.ts'
import type { Visited } from './visitor.ts'

/** Turns the second factor on, and signs in with a code and with a recovery code. */
export const bySecondFactor: Chapter = {
  title: 'Sign-in with a second factor',
  flows: ['factor-enrolment', 'factor'],
  arrive: visit(inventAddress, async (stage) => {
    await followMail(stage)
    const { key, recoveryCodes } = await enrol(stage)
    // The first code was used, so this is the one after it, which the site accepts early.
    await enterCode(stage, readCode(key, Date.now() + 30_000))
    return enterCode(stage, recoveryCodes[0] ?? '')
  }),
}

async function enrol({ demo, visitor, post }: Stage) {
  const form = await visitor.open(`${demo.origin}/auth/factor-enrolment`)
  const key = /<code>([A-Z2-7 ]+)<\/code>/.exec(form.text)?.[1] ?? ''
  const page = await post('factor-enrolment', { setup: readField(form, 'setup'), code: readCode(key) })
  return { key, recoveryCodes: readRecoveryCodes(page) }
}

function readRecoveryCodes({ url, text }: Visited): readonly string[] {
  const codes = [...text.matchAll(/<code>([a-z2-7-]+)<\/code>/g)].map(([, code = '']) => code)
  assert(codes.length === 10, `The page at ${url} shows ${codes.length} recovery codes, not 10`)
  return codes
}

/** Signs out and in again, which needs a code. */
async function enterCode(stage: Stage, code: string): Promise<Visited> {
  await stage.post('signout')
  const form = await followMail(stage)
  assert(new URL(form.url).pathname === '/auth/factor', `The sign-in ended at ${form.url}, without a code`)
  assert((await stage.readSession()) === null, 'There is a session before the second factor')
  return stage.post('factor', { code })
}

/** Uses every section of the account page except passkeys, and ends by deleting the account. */
export const onAccountPage: Chapter = {
  title: 'The account page',
  flows: ['account'],
  arrive: visit(inventAddress, manage, deleteAccount),
}

async function manage(stage: Stage): Promise<Visited> {
  const { demo, email, post, visitor } = stage
  const laptop = enterStage(demo, email)
  for (const device of [laptop, stage]) await followMail(device)
  await change(stage, 'end-other-sessions')
  assert((await laptop.readSession()) === null, 'The other session still exists')
  await laptop.post('signout')

  const provider = await post('signin/demo', { link: 'true' })
  await visitor.post(provider.url, { name: `Visitor ${randomUUID()}` })
  const unlinked = await change(stage, 'unlink')
  assert(unlinked.text.includes('Link Demo ID'), 'The account is still linked')

  await enrol(stage)
  readRecoveryCodes(await change(stage, 'renew-recovery-codes'))
  const off = await change(stage, 'remove-factor')
  assert(off.text.includes('Set up an authenticator app'), 'The second factor is still on')
  return visitor.open(`${demo.origin}/profile`)
}

async function deleteAccount(stage: Stage): Promise<void> {
  await change(stage, 'delete-user', { confirmation: stage.email })
}

/** Submits a form of the account page. */
async function change(
  { demo, visitor }: Stage,
  name: string,
  typed: Readonly<Record<string, string>> = {},
): Promise<Visited> {
  const { action, fields } = findChange(await visitor.open(`${demo.origin}/auth/account`), name)
  return visitor.post(action, { ...fields, ...typed })
}
