/** Lets the button of a diagram switch between the width of the page and its actual size. */
export function enlargeDiagrams(page: Document): void {
  page.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return
    const button = target.closest('.diagram-bar button')
    const view = button?.closest('.diagram')?.querySelector('.diagram-view')
    if (!button || !view) return
    const isLarge = view.classList.toggle('large')
    button.setAttribute('aria-pressed', String(isLarge))
    // Only what scrolls needs the focus of the keyboard.
    if (isLarge) view.setAttribute('tabindex', '0')
    else view.removeAttribute('tabindex')
    // Flows begin in the middle.
    view.scrollLeft = (view.scrollWidth - view.clientWidth) / 2
  })
}
