/** The errors that the library throws, logs, and names in the addresses of its pages. */
export * from './errors/classes.ts'
