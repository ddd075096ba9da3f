import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { faultNames, type FaultName } from './faults.ts'

const place = (path: string) => fileURLToPath(new URL(`../../../fuzz/peers/${path}`, import.meta.url))

/** An application with custom routes, its description, and the bugs with which it can be started. */
export interface DescribedApp {
  readonly word: string
  readonly name: string
  readonly description: string
  readonly faults: readonly FaultName[]
  /** Whether it meets, without faults, every requirement that the oracle can test on it. @default false */
  readonly isReference?: boolean
  /** Returns the program with its first arguments; undefined if it is not installed. */
  readonly find: () => readonly string[] | undefined
  /** How to install it. */
  readonly install: string
}

/** An application that runs on Node.js, with its packages beside it. */
function onNode(folder: string): Pick<DescribedApp, 'find' | 'install'> {
  const isInstalled = () => existsSync(place(`${folder}/node_modules`))
  return {
    find: () => (isInstalled() ? [process.execPath, place(`${folder}/app.js`)] : undefined),
    install: `npm ci --prefix fuzz/peers/${folder}`,
  }
}

export const describedApps: readonly DescribedApp[] = [
  {
    word: 'python',
    name: 'Flask with Authlib',
    description: place('python/target.json'),
    faults: faultNames,
    isReference: true,
    find() {
      const needs = ['-c', 'import authlib, flask, requests']
      const python = ['python3', '/usr/bin/python3'].find((each) => spawnSync(each, needs).status === 0)
      return python && existsSync(place('python/app.py')) ? [python, place('python/app.py')] : undefined
    },
    install: 'apt-get install python3-authlib python3-flask python3-requests',
  },
  {
    word: 'passport',
    name: 'Express with Passport',
    description: place('passport/target.json'),
    faults: ['state', 'pkce', 'fixation', 'redirect', 'csrf', 'sign-out', 'log'],
    ...onNode('passport'),
  },
  {
    word: 'better-auth',
    name: 'better-auth',
    description: place('better-auth/target.json'),
    faults: ['redirect', 'sign-out', 'log'],
    ...onNode('better-auth'),
  },
]
