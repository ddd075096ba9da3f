/** The style sheet of a report, for light and dark mode, without external resources. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fff, #14171c); --ink: light-dark(#1c2430, #e4e8ee); --faint: light-dark(#5b6675, #9aa5b4);
  --line: light-dark(#d9dee6, #2c333d); --raised: light-dark(#f5f7fa, #1b2027);
  --good: light-dark(#0b6b3a, #6fd49b); --bad: light-dark(#b3151f, #ff8a8a); --odd: light-dark(#7a4b00, #f0bd66);
  --doubt: light-dark(#6b2fa0, #c9a0f5);
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif }
h1 { font-size: 1.7rem; margin: 0 0 .5rem } h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem }
h3 { font-size: 1.05rem; margin: 0 0 .75rem }
a { color: inherit } small, .none { color: var(--faint) }
.summary p { margin: .25rem 0 } [hidden] { display: none !important }
.cautions { margin: .75rem 0; padding: .75rem 1rem; border-left: .3rem solid var(--odd); background: var(--raised); font-size: .9rem }
.cautions ul { margin: .25rem 0 0; padding-left: 1.25rem }
.doubt { margin-left: .5em; color: var(--doubt); font-size: .85rem } .note { color: var(--bad); padding-left: 1.5em }
.then { font-size: .9rem }
.fixes li { margin-bottom: 1rem } .fixes p { margin: .1rem 0 }
.severity { font-weight: 600; text-transform: uppercase; font-size: .75rem; letter-spacing: .04em; color: var(--bad) }
#filters { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; padding: .75rem 0; background: var(--paper);
  border-bottom: 1px solid var(--line) }
.finding { margin: .5rem 0; padding: .5rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; scroll-margin-top: 5rem }
.finding > summary { cursor: pointer } .finding .trace { margin: .75rem 0; padding: 0 }
.verdict { display: inline-block; padding: 0 .5em; border: 1px solid currentColor; border-radius: .3em;
  font: 600 .75rem/1.6 ui-monospace, monospace; white-space: nowrap; color: var(--faint) }
.PASS { color: var(--good) } .FAIL, .XPASS, .ERROR { color: var(--bad) } .WARN, .XFAIL { color: var(--odd) }
.INCONCLUSIVE { color: var(--doubt) }
.FAIL, .XPASS { background: color-mix(in srgb, currentColor 14%, transparent) }
.legend dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem } dd { margin: 0; min-width: 0; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; font-size: .9rem }
td small { display: block; margin-top: .2rem } th + td small { display: inline }
thead th { background: var(--paper); text-align: left; border-bottom: 2px solid var(--line) }
th, td { padding: .4rem .6rem; vertical-align: top; border-bottom: 1px solid var(--line) }
tbody th { font: 600 .85rem ui-monospace, monospace; text-align: left; white-space: nowrap }
tr:target, .finding:target { outline: 2px solid var(--odd) }
.finding dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 }
dt { color: var(--faint) }
code, pre, .trace { font: .82rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
code { padding: 0 .2em; background: var(--raised); border-radius: .2em } pre { white-space: pre-wrap } .trace { padding-left: 2.5rem }
h1, h2, h3, td { overflow-wrap: anywhere }
@media (max-width: 40rem) {
  body { padding: 1rem } .finding dl, .legend dl { grid-template-columns: 1fr } dd { margin-bottom: .5rem }
  thead { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%) } table, tbody, tr, tbody th, td { display: block }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line) } tbody th, td { border: 0; padding: .15rem 0 }
  td[data-target]::before { content: attr(data-target) ' '; color: var(--faint); font-size: .8rem }
}
`
