import fc from 'fast-check'

/** Two honest users and an attacker, each with their own browser. */
export const actors = ['ada', 'bob', 'eve'] as const
export type Actor = (typeof actors)[number]

/** An action of an actor, or an external event. */
export type Command =
  /** Starts a sign-in and consents at the provider; keeps the authorization response for `arrive`. */
  | { readonly does: 'start'; readonly by: Actor; readonly at: 'alpha' | 'beta' | 'plain' }
  /** Opens the actor's last authorization response. */
  | { readonly does: 'arrive'; readonly by: Actor }
  /** Opens another actor's last authorization response. */
  | { readonly does: 'arrive-as'; readonly by: Actor; readonly of: Actor }
  | { readonly does: 'ask-link'; readonly by: Actor }
  /** Opens the last link mailed to this actor. */
  | { readonly does: 'follow-link'; readonly by: Actor }
  | { readonly does: 'update'; readonly by: Actor }
  | { readonly does: 'sign-out'; readonly by: Actor }
  /** Saves the current cookies, for `restore`. */
  | { readonly does: 'save'; readonly by: Actor }
  | { readonly does: 'restore'; readonly by: Actor }
  | { readonly does: 'forget'; readonly by: Actor }
  | { readonly does: 'pass'; readonly seconds: number }
  /** Makes a store call fail during the next command. */
  | { readonly does: 'break-store'; readonly call: number }

/** In seconds: less and more than the lifetime of a check value, more than updateAge, more than maxAge. */
export const durations = { moment: 60, checkAge: 1000, updateAge: 2 * 86_400, maxAge: 31 * 86_400 } as const

const by = fc.constantFrom(...actors)
const at = fc.constantFrom('alpha' as const, 'beta' as const, 'plain' as const)

/** Any command; those that continue a sign-in are more frequent. */
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('start' as const), by, at }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('arrive' as const), by }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('arrive-as' as const), by, of: by }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('ask-link' as const), by }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('follow-link' as const), by }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('update' as const), by }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('sign-out' as const), by }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('save' as const), by }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restore' as const), by }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('forget' as const), by }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('pass' as const),
      seconds: fc.constantFrom(...Object.values(durations)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('break-store' as const), call: fc.nat(6) }) },
)
