/** The `data-` attributes of a form that describe its ceremonies. */
interface PasskeyForm extends HTMLFormElement {
  readonly dataset: DOMStringMap & {
    readonly optionsUrl: string
    readonly conditional?: string
    /** Where to post the authenticator's response, if the form posts elsewhere. */
    readonly callbackUrl?: string
    /** The text to show if a ceremony fails. */
    readonly failed: string
  }
}

interface Ceremony {
  readonly action: 'authenticate' | 'register'
  readonly options: object
}

/** The part of `@simplewebauthn/browser` that is used. */
interface Browser {
  browserSupportsWebAuthn(): boolean
  browserSupportsWebAuthnAutofill(): Promise<boolean>
  startAuthentication(options: { optionsJSON: object; useBrowserAutofill?: boolean }): Promise<object>
  startRegistration(options: { optionsJSON: object }): Promise<object>
}

/**
 * Runs on the sign-in page and on the page for the second factor. The build embeds its text after that of
 * `@simplewebauthn/browser`, so it must not use anything outside itself. It fetches options, runs the ceremony, and posts
 * the authenticator's response with the form and its CSRF token.
 */
export function runPageScript(browser: Browser): void {
  /** Milliseconds after which passkeys are offered again, before the challenge expires. */
  const refresh = 600_000
  /** The latest request for options, from any form. */
  let asked: Promise<unknown> = Promise.resolve()

  for (const form of document.querySelectorAll<PasskeyForm>('form[data-options-url]')) {
    if (!browser.browserSupportsWebAuthn()) {
      hide(form)
      continue
    }
    reveal(form)
    form.addEventListener('submit', (event) => {
      const { value: action, dataset } = event.submitter as HTMLButtonElement
      if (dataset.ceremony === undefined) return
      event.preventDefault()
      perform(form, action).catch(() => complain(form))
    })
    if (form.dataset.conditional !== undefined) offer(form)
  }

  /** Shows the buttons that are useless without this script. */
  function reveal(form: PasskeyForm): void {
    for (const button of form.querySelectorAll<HTMLElement>('[data-ceremony]')) button.hidden = false
  }

  /** Offers passkeys while the user types an address, until one is chosen or the form is submitted. */
  function offer(form: PasskeyForm): void {
    const timer = setTimeout(() => offer(form), refresh)
    form.addEventListener('submit', () => clearTimeout(timer), { once: true })
    // The user did not request it, so a failure is not shown.
    suggest(form).catch(() => undefined)
  }

  async function suggest(form: PasskeyForm): Promise<void> {
    if (!(await browser.browserSupportsWebAuthnAutofill())) return
    const { options } = await fetchOptions(form, { action: 'authenticate' })
    const answer = await browser.startAuthentication({ optionsJSON: options, useBrowserAutofill: true })
    post(form, 'authenticate', answer)
  }

  /** @param wish the ceremony, or empty if the server decides */
  async function perform(form: PasskeyForm, wish: string): Promise<void> {
    const typed = [...form.querySelectorAll<HTMLInputElement>('[data-form-field]')]
    const fields = Object.fromEntries(typed.map(({ name, value }) => [name, value]))
    const { action, options } = await fetchOptions(form, wish === '' ? fields : { ...fields, action: wish })
    const answer =
      action === 'register'
        ? await browser.startRegistration({ optionsJSON: options })
        : await browser.startAuthentication({ optionsJSON: options })
    post(form, action, answer)
  }

  /**
   * Requests run one after the other: the browser stores the challenge of the latest response, which must belong to the
   * latest request.
   */
  function fetchOptions(form: PasskeyForm, fields: Record<string, string>): Promise<Ceremony> {
    const next = asked.then(() => requestOptions(form, fields))
    asked = next.catch(() => undefined)
    return next
  }

  async function requestOptions(form: PasskeyForm, fields: Record<string, string>): Promise<Ceremony> {
    const url = new URL(form.dataset.optionsUrl, location.href)
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
    const response = await fetch(url, { credentials: 'same-origin' })
    if (!response.ok) throw new Error('There are no options')
    return (await response.json()) as Ceremony
  }

  function post(form: PasskeyForm, action: string, answer: object): void {
    for (const [name, value] of Object.entries({ action, data: JSON.stringify(answer) })) {
      const field = document.createElement('input')
      Object.assign(field, { type: 'hidden', name, value })
      form.append(field)
    }
    const { callbackUrl } = form.dataset
    if (callbackUrl !== undefined) form.setAttribute('action', callbackUrl)
    // A field named `submit` would hide the method of the form.
    HTMLFormElement.prototype.submit.call(form)
  }

  function complain(form: PasskeyForm): void {
    const known = form.querySelector('[role=alert]')
    const alert = known ?? document.createElement('p')
    alert.setAttribute('role', 'alert')
    alert.textContent = form.dataset.failed
    if (!known) form.prepend(alert)
  }

  /** Hides only the buttons if the form also has another purpose, and otherwise the whole form. */
  function hide(form: PasskeyForm): void {
    if (form.dataset.callbackUrl !== undefined) {
      for (const button of form.querySelectorAll<HTMLElement>('[data-ceremony]')) button.hidden = true
      return
    }
    const place = form.closest<HTMLElement>('.provider') ?? form
    place.hidden = true
  }
}
