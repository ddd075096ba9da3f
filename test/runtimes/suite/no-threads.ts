/** Stands for `node:worker_threads`, from which the identity provider takes keys where there are threads. */
export const getEnvironmentData = (): undefined => undefined
