import mine from './mine.js'

/** @type {import('authmachine-conformance').LibraryTarget} */
const target = {
  ...mine,
  capabilities: ['absolute-lifetime'],
  turnOn: {
    'absolute-lifetime': ({ session, ...config }, absoluteMaxAge) => ({
      ...config,
      session: { ...Object(session), absoluteMaxAge },
    }),
  },
}
export default target
