import type { Site } from '../../flows/engine/site-tools.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import type { SectionKit, View } from '../../types/feature-page.ts'
import { readFactor } from './factor-record.ts'
import type { SecondFactorTexts } from './types.ts'

/** Returns the section of the account page, whose flow makes the changes. The secret and the codes stay in the store. */
export async function describeFactor(
  { id }: AdapterUser,
  { t, text, link, form }: SectionKit<keyof SecondFactorTexts>,
  { visit, world }: Site,
): Promise<View> {
  const stored = await readFactor(id, world)
  const base = visit?.base ?? ''
  const enrolUrl = `${base}/factor-enrolment?${new URLSearchParams({ callbackUrl: `${base}/account` })}`
  const heading = t('secondFactor')
  if (!stored) return { heading, parts: [text(t('factorOff')), link(enrolUrl, t('setUpApp'))] }
  const change = (name: string, button: string) =>
    form({ action: 'account', hidden: { change: name }, button })
  return {
    heading,
    parts: [
      text(t('factorOn', { count: stored.record.recovery.length })),
      link(enrolUrl, t('useAnotherApp')),
      change('renew-recovery-codes', t('renewCodes')),
      change('remove-factor', t('turnOffFactor')),
    ],
  }
}
