import type { LibraryTexts } from './page-texts.ts'

/** A part of a page of a feature. The kit creates them. */
export interface ViewPart {
  /** What it shows. */
  readonly kind: 'text' | 'link' | 'message' | 'notice' | 'form' | 'list' | 'qr-code' | 'section'
}

/** A page of a feature, in the look of the library's pages. All text is shown as text. */
export interface View {
  /** The heading, which is also the title of the document. */
  readonly heading: string
  /** From top to bottom. Undefined ones are left out. */
  readonly parts: readonly (ViewPart | undefined)[]
}

/** A field of a form. */
export interface ViewField {
  /** The name of the field in `request.body`. */
  readonly name: string
  /** The text above the field, or beside a checkbox. */
  readonly label: string
  /** Values that replace the words in braces in the label. They stand out. */
  readonly values?: Readonly<Record<string, string | number>>
  /** What assistive technology announces in place of the label, if several fields of the page have the same label. */
  readonly accessibleName?: string
  /** @default 'text' */
  readonly type?: 'text' | 'email' | 'tel' | 'password' | 'checkbox'
  /** What browsers and password managers fill in (HTML, 4.10.18.7). */
  readonly autocomplete?: string
  /** `numeric` if the text consists of digits, so that phones show a keyboard of digits. */
  readonly inputMode?: 'numeric'
  /** Whether the page opens with the cursor in this field. @default false */
  readonly autofocus?: boolean
  /** The initial value; for a checkbox, the value that it sends. */
  readonly value?: string
  /** The fewest characters that browsers accept. The flow must check the length, too. */
  readonly minLength?: number
  /** The most characters that browsers let the user type. The flow must check the length, too. */
  readonly maxLength?: number
  /** @default true */
  readonly required?: boolean
}

/** Creates the parts of a page. `Key`: the keys of the feature's texts. */
export interface PageKit<Key extends string = string> {
  /** Returns a text of the feature, or else of the library, in the language of the page, with the words in braces replaced. */
  readonly t: (key: Key | keyof LibraryTexts, values?: Readonly<Record<string, string | number>>) => string
  /**
   * A paragraph. A value that replaces a word in braces stands out, and its direction does not depend on the text around it:
   * `text(t('sentTo'), { email })`. A date is shown in UTC, because the server does not know the time zone of the user.
   */
  readonly text: (text: string, values?: Readonly<Record<string, string | number | Date>>) => ViewPart
  /**
   * A link to an http or https URL, to a path of the site that begins with `/`, or to a GET route of a feature or of the library,
   * such as `account`. Any other text is not a link.
   */
  readonly link: (to: string, text: string) => ViewPart
  /** An error, which assistive technology announces at once. */
  readonly message: (text: string) => ViewPart
  /** A message that is not an error. */
  readonly notice: (text: string) => ViewPart
  /** A list. Each item consists of parts. Undefined parts are left out. */
  readonly list: (items: readonly (readonly (ViewPart | undefined)[])[]) => ViewPart
  /**
   * A QR code of an ASCII text, such as a URL. Undefined if the text is too long for the cameras of phones. Screen readers ignore
   * it, so show the text in another way, too.
   */
  readonly qrCode: (text: string) => Promise<ViewPart | undefined>
  /**
   * Parts below a heading. Undefined ones are left out.
   *
   * @param options `isDangerous` makes the buttons stand out, because their actions cannot be undone
   */
  readonly section: (
    heading: string,
    parts: readonly (ViewPart | undefined)[],
    options?: { readonly isDangerous?: boolean },
  ) => ViewPart
  /** Returns the sections that features add to the account page of a user, for a feature that replaces the page. */
  readonly accountSections: (userId: string) => Promise<readonly ViewPart[]>
  /** A form that posts with the CSRF token, and with the callback URL that the flow has resolved. */
  readonly form: (form: {
    /** A route of a feature or of the library, such as `signout` or `signin/github`. @default the route of the page */
    readonly action?: string
    readonly fields?: readonly ViewField[]
    readonly button: string
    /** What assistive technology announces in place of the button's text, if several buttons of the page have the same one. */
    readonly accessibleName?: string
    /** Whether the button stands back behind that of another form. @default false */
    readonly isSecondary?: boolean
    /** The name and the value that the button sends. */
    readonly sends?: { readonly name: string; readonly value: string }
    /** Values that the form sends and does not show, by name. */
    readonly hidden?: Readonly<Record<string, string>>
    /** The name of the user, with which password managers store a new password. The form sends it and does not show it. */
    readonly username?: { readonly name: string; readonly value: string }
  }) => ViewPart
}

/** Creates the parts of a section of the account page. */
export type SectionKit<Key extends string = string> = Omit<PageKit<Key>, 'section' | 'accountSections'>
