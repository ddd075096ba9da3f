import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readExpected, type Expected } from './expected.ts'
import { faultNames, pickFaults } from './faults.ts'

const place = (path: string) => fileURLToPath(new URL(`../../../fuzz/peers/${path}`, import.meta.url))

/** An application of others, how to use it, and what the oracle must find in it. */
export interface DescribedApp extends Expected {
  readonly word: string
  readonly name: string
  /** The file with the description of its routes. With those of Auth.js, they are at `/auth`. */
  readonly description: string
  /** Returns the program with its first arguments; undefined if it is not installed. */
  readonly find: () => readonly string[] | undefined
  /** How to install it. */
  readonly install: string
}

type Recipe = Pick<DescribedApp, 'find' | 'install'>

/** Runs on Node.js, with its packages in a folder. */
function onNode(file: string, packages: string): Recipe {
  const isInstalled = () => existsSync(place(`${packages}/node_modules`))
  return {
    find: () => (isInstalled() ? [process.execPath, place(file)] : undefined),
    install: `npm ci --prefix fuzz/peers/${packages}`,
  }
}

/** Runs with packages of Debian, if one of these programs can do this. */
function onDebian(
  file: string,
  programs: readonly string[],
  test: readonly string[],
  packages: string,
): Recipe {
  return {
    find() {
      const program = programs.find((each) => spawnSync(each, test).status === 0)
      return program === undefined ? undefined : [program, place(file)]
    },
    install: `apt-get install ${packages}`,
  }
}

/** The Python of Debian may not be the first one. */
const pythons = ['python3', '/usr/bin/python3']

/** An application in `relying-parties/`, with its description and its expected result beside it. */
function relyingParty(word: string, name: string, recipe: Recipe): DescribedApp {
  const folder = `relying-parties/${word}`
  return {
    word,
    name,
    description: place(`${folder}/target.json`),
    ...readExpected(place(`${folder}/expected.json`)),
    ...recipe,
  }
}

export const describedApps: readonly DescribedApp[] = [
  {
    word: 'python',
    name: 'Flask with Authlib',
    description: place('python/target.json'),
    results: {},
    faults: pickFaults(faultNames),
    ...onDebian(
      'python/app.py',
      pythons,
      ['-c', 'import authlib, flask, requests'],
      'python3-authlib python3-flask python3-requests',
    ),
  },
  {
    word: 'passport',
    name: 'Express with Passport',
    description: place('passport/target.json'),
    ...readExpected(place('passport/expected.json')),
    ...onNode('passport/app.js', 'passport'),
  },
  {
    word: 'better-auth',
    name: 'better-auth',
    description: place('better-auth/target.json'),
    ...readExpected(place('better-auth/expected.json')),
    ...onNode('better-auth/app.js', 'better-auth'),
  },
  {
    word: 'authjs',
    name: 'Express with Auth.js',
    description: place('core/target.json'),
    ...readExpected(place('core/expected.json')),
    ...onNode('core/express-app.js', 'core'),
  },
  relyingParty(
    'mod-auth-openidc',
    'Apache with mod_auth_openidc',
    onDebian(
      'relying-parties/mod-auth-openidc/app.js',
      [process.execPath],
      ['-e', 'require("fs").accessSync("/usr/lib/apache2/modules/mod_auth_openidc.so")'],
      'apache2-bin libapache2-mod-auth-openidc',
    ),
  ),
  relyingParty(
    'express-openid-connect',
    'Express with express-openid-connect',
    onNode('relying-parties/express-openid-connect/app.js', 'relying-parties'),
  ),
  relyingParty(
    'allauth',
    'Django with django-allauth',
    onDebian(
      'relying-parties/allauth/app.py',
      pythons,
      ['-c', 'import allauth, django, requests'],
      'python3-django-allauth',
    ),
  ),
  relyingParty(
    'omniauth',
    'Sinatra with OmniAuth',
    onDebian(
      'relying-parties/omniauth/app.rb',
      ['ruby', '/usr/bin/ruby'],
      ['-e', 'require "omniauth_openid_connect"; require "sinatra/base"; require "puma"'],
      'ruby-omniauth-openid-connect ruby-sinatra puma',
    ),
  ),
  relyingParty(
    'authlib',
    'Flask as Authlib documents it',
    onDebian(
      'relying-parties/authlib/app.py',
      pythons,
      ['-c', 'import authlib, flask, requests'],
      'python3-authlib python3-flask python3-requests',
    ),
  ),
  relyingParty(
    'passport-openidconnect',
    'Express with passport-openidconnect',
    onNode('relying-parties/passport-openidconnect/app.js', 'relying-parties'),
  ),
]
