/** The browser of the demo's own check is the one of the tests. */
export { findBrowser, launchBrowser } from '../../docs/examples/demo/browser.ts'
