import { accountsRules } from './accounts.ts'
import { authenticatorsRules } from './authenticators.ts'
import { datesRules } from './dates.ts'
import { descriptionsRules } from './descriptions.ts'
import { failuresRules } from './failures.ts'
import { factorRules } from './factors.ts'
import { passwordsRules } from './passwords.ts'
import { keyedRecordRules } from './keyed-records.ts'
import { userRecordRules } from './user-records.ts'
import type { AdapterRule } from './rule.ts'
import { sessionsRules } from './sessions.ts'
import { tokensRules } from './tokens.ts'
import { usersRules } from './users.ts'

/** All rules of the contract. Each rule starts with an empty store. */
export const rules: readonly AdapterRule[] = [
  ...usersRules,
  ...accountsRules,
  ...sessionsRules,
  ...datesRules,
  ...tokensRules,
  ...authenticatorsRules,
  ...passwordsRules,
  ...factorRules,
  ...userRecordRules,
  ...keyedRecordRules,
  ...descriptionsRules,
  ...failuresRules,
]
