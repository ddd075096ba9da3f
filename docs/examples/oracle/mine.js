import { Auth } from '../../../src/index.ts'

/** @type {import('../../../fuzz/index.ts').LibraryTarget} */
const target = {
  name: 'mine',
  capabilities: [],
  open: (config) => (request) => Auth(request, /** @type {any} */ (config)),
}
export default target
