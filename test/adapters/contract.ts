import { accountsRules } from './contract/accounts.ts'
import { authenticatorsRules } from './contract/authenticators.ts'
import type { AdapterRule } from './contract/records.ts'
import { sessionsRules } from './contract/sessions.ts'
import { tokensRules } from './contract/tokens.ts'
import { usersRules } from './contract/users.ts'

export type { AdapterRule } from './contract/records.ts'

/** What every store has to do, rule by rule. Each rule starts from an empty store. */
export const rules: readonly AdapterRule[] = [
  ...usersRules,
  ...accountsRules,
  ...sessionsRules,
  ...tokensRules,
  ...authenticatorsRules,
]
