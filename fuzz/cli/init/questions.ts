/** The options of `init`, in the order in which it asks for them. Each sets one member of a description. */
export const questions = {
  preset: {
    value: 'name',
    asks: 'the preset to start from',
    example: 'passport',
  },
  providers: {
    value: 'ids',
    asks: 'your ids of the oracle’s providers',
    example: 'alpha=google&beta=okta',
  },
  'sign-in': {
    value: 'request',
    asks: 'the request that starts a sign-in',
    example: '/login/{provider}',
  },
  callback: {
    value: 'path',
    asks: 'the path of the callback',
    example: '/callback/{provider}',
  },
  session: {
    value: 'path',
    asks: 'the page or API that shows who is signed in',
    example: '/me',
  },
  user: {
    value: 'place',
    asks: 'the member of its JSON with the user, or its text around {user}',
    example: 'user.email',
  },
  'sign-out': {
    value: 'request',
    asks: 'the request that signs out',
    example: 'POST /logout',
  },
  mail: {
    value: 'request',
    asks: 'the request that mails a sign-in link',
    example: 'POST /login/mail email={address}',
  },
  link: {
    value: 'path',
    asks: 'how the path of a mailed link begins',
    example: '/login/mail/',
  },
  csrf: {
    value: 'members',
    asks: 'where CSRF tokens come from, and how they return',
    example: 'from=/&field=csrf_token',
  },
  cookie: {
    value: 'name',
    asks: 'the name of the session cookie',
    example: 'sid',
  },
  stateless: {
    value: 'yes|no',
    asks: 'whether the cookie alone is the session',
    example: 'yes',
  },
  log: {
    value: 'file',
    asks: 'the application’s log file, relative to the description',
    example: 'app.log',
  },
} as const satisfies Readonly<Record<string, Question>>

/** A question, which an option can answer. */
export interface Question {
  /** The value of the option. */
  readonly value: string
  readonly asks: string
  readonly example: string
}

export type QuestionName = keyof typeof questions

/** The options that the user passed, and the answers of the user. */
export type Answers = Readonly<Partial<Record<QuestionName, string>>>

export const questionNames = Object.keys(questions) as readonly QuestionName[]
