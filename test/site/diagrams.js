// Scrolls a diagram that is wider than its page to the middle, where the flow starts. TypeDoc first hides the page.
for (const diagram of document.querySelectorAll("img[src$='.svg']"))
  new ResizeObserver((_, observer) => {
    if (!diagram.complete || diagram.clientWidth === 0) return
    const box = diagram.closest('p')
    box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2
    observer.disconnect()
  }).observe(diagram)
