import { properties } from '../../../fuzz/properties/index.ts'
import { isDescribed, type Property } from '../../../fuzz/properties/property.ts'
import { listApplicationsByUrl } from './by-url.ts'
import type { Way } from './control.ts'

const noMail = 'the application sends no mail'
const noSecond = 'the application has no second provider'
const noState = 'the application sends no state'
const noStore = 'the application has no store'

const described = properties.filter(isDescribed)
const seeded = 'an application with a bug in test/conformance/described/careless-app.ts is its control'

/** Why properties have no control, by name. Those that cannot be judged by the URL of such an application are not listed. */
export const withoutControl: Readonly<Record<Way, Readonly<Record<string, string>>>> = {
  library: reasons(described),
  http: {
    ...reasons(described.filter((each) => listApplicationsByUrl(each).length > 0)),
    'sets every cookie with HttpOnly, Secure and SameSite, and once per response': noSecond,
    'tells caches not to store responses that belong to one user': noSecond,
    'rejects a callback whose checks belong to another provider': noSecond,
    'sends codes, verifiers and client secrets only to the provider they belong to': noSecond,
    'leaves a normalised address unchanged': noMail,
    'sends mail to one mailbox only, however the address can be read': noMail,
    'refuses an address with control characters or inner white space': noMail,
    'mails only addresses with one local part and one host name': noMail,
    'mails an internationalised domain in its ASCII form, or not at all': noMail,
    'issues a unique, unguessable token for each link': noMail,
    'rejects a link with a duplicate token or address': noMail,
    'stores only the session id in the cookie of a database session': noStore,
    'generates unique session ids with 128 random bits': noStore,
    'ends only the session of the browser that signs out': noStore,
    'never assigns an account to another user, whatever the token response contains': noStore,
    'never accepts a token from the browser as proof':
      'two guards refuse a response with tokens, and no mutant turns off both',
    'signs nobody in as a user who has the same subject at another provider': noSecond,
    'signs nobody in as the user of another userinfo response': 'the application requests no userinfo',
    'sends a state that nobody can guess': noState,
    'issues a new session token at every sign-in':
      'two session tokens always differ in their random initialisation vector',
    'rejects an id_token signed with an unexpected algorithm':
      'two guards refuse an algorithm that the provider does not advertise, and no mutant turns off both',
    'rejects a state that differs in any byte, before using the code': noState,
  },
}

function reasons(without: readonly Property[]): Readonly<Record<string, string>> {
  return Object.fromEntries(without.map(({ name }) => [name, seeded]))
}
