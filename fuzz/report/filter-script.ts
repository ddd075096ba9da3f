/**
 * The script of a report: shows the filter fields, and hides the failures and requirements that they exclude. It also
 * opens the failure that a link points to. It contains no data, so a target cannot write into it.
 */
export const filterScript = `
const form = document.getElementById('filters')
const items = [...document.querySelectorAll('.finding, tbody tr')]
const texts = items.map((item) => item.textContent.toLowerCase())
function filter() {
  const { text, severity, verdict } = Object.fromEntries(new FormData(form))
  const words = text.toLowerCase().split(/\\s+/).filter(Boolean)
  let shown = 0
  items.forEach((item, at) => {
    const fits = (!severity || item.dataset.severity === severity)
      && (!verdict || item.dataset.verdict === verdict || item.querySelector('td .' + verdict) !== null)
      && words.every((word) => texts[at].includes(word))
    item.hidden = !fits
    if (fits && item.matches('.finding')) shown += 1
  })
  for (const group of document.querySelectorAll('.untested')) group.hidden = !group.querySelector('tbody tr:not([hidden])')
  form.querySelector('output').textContent = shown + ' failures'
}
function open() {
  const to = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const fold = to && to.closest('details')
  if (fold) fold.open = true
}
form.hidden = false
form.addEventListener('input', filter)
form.addEventListener('submit', (event) => event.preventDefault())
addEventListener('hashchange', open)
filter()
open()
`
