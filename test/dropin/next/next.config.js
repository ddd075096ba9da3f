// The folder has a lock file of its own: it is the whole application.
export default { turbopack: { root: import.meta.dirname }, outputFileTracingRoot: import.meta.dirname }
