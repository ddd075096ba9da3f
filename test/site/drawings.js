// A drawing that is wider than its page begins in the middle, where the flow does. TypeDoc hides the page at first.
for (const drawing of document.querySelectorAll("img[src$='.svg']"))
  new ResizeObserver((_, observer) => {
    if (!drawing.complete || drawing.clientWidth === 0) return
    const box = drawing.closest('p')
    box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2
    observer.disconnect()
  }).observe(drawing)
