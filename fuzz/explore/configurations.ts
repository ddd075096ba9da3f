import type { Configuration } from './configurations/configuration.ts'
import { linking, claims, prepared } from './configurations/accounts.ts'
import { factor, remembered, vouched } from './configurations/factors.ts'
import { shared, unproven } from './configurations/owners.ts'
import { failures, reset, waiting } from './configurations/waiting.ts'
import { mails, codes, alone, addresses } from './configurations/mails.ts'
import { passkeys, passkeysAndFactor, passkeysRemembered } from './configurations/passkeys.ts'

const all: readonly Configuration[] = [
  factor,
  remembered,
  vouched,
  waiting,
  reset,
  shared,
  unproven,
  failures,
  mails,
  addresses,
  passkeysAndFactor,
  passkeysRemembered,
  passkeys,
  prepared,
  claims,
  linking,
  codes,
  ...alone,
]

/** Each configuration, with sessions in the store and with tokens. */
export const configurations: readonly Configuration[] = (['database', 'jwt'] as const).flatMap((strategy) =>
  all.map(({ name, setup, ...rest }) => ({
    ...rest,
    name: strategy === 'jwt' ? `tokens: ${name}` : name,
    setup: { ...setup, strategy },
  })),
)
