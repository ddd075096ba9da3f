/** Replaces `node:worker_threads`, which the identity provider uses for keys if there are threads. */
export const getEnvironmentData = (): undefined => undefined
