/** The possible content of an element. */
export type Content = Node | string | false | undefined | readonly Content[]

/** Attributes; a function listens to the event of its name. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | undefined | ((event: Event) => void)>
>

/** Creates an HTML element. */
export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...content: readonly Content[]
): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), attributes, content)
}

/** Creates an SVG element. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...content: readonly Content[]
): SVGElementTagNameMap[Tag] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, content)
}

/** Creates a button. */
export function button(
  text: Content,
  press: () => void,
  attributes: Attributes = {},
): HTMLElementTagNameMap['button'] {
  return html('button', { type: 'button', click: press, ...attributes }, text)
}

function fill<E extends Element>(element: E, attributes: Attributes, content: readonly Content[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    // A content security policy forbids the attribute, but not the property.
    else if (name === 'style' && element instanceof HTMLElement) element.style.cssText = String(value)
    else if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value))
  }
  append(element, content)
  return element
}

function append(element: Element, content: readonly Content[]): void {
  for (const each of content) {
    if (typeof each === 'string' || each instanceof Node) element.append(each)
    else if (typeof each === 'object') append(element, each)
  }
}

/** Replaces the content of an element. */
export function replace(element: Element, ...content: readonly Content[]): void {
  element.replaceChildren()
  append(element, content)
}

/** Whether the reader prefers reduced motion. */
export function isCalm(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Writes text that marks code like Markdown. */
export function prose(text: string): Content {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html('code', {}, part) : part))
}
