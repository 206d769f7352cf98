import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolve, sources } from '../structure/sources.mjs'

/** Statements that load a module: not `import type`. */
const LOADS =
  /^(?:import|export)\s+(?!type\b)(?:([^'";]*?)\s+from\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm
const TYPES_ALONE = /^\{(?:\s*type\s+\w+(?:\s+as\s+\w+)?\s*,?)+\s*\}$/

/** What React exports to clients alone; the build refuses it in what the server renders. */
const STATE =
  /^import \{[^}]*\b(createContext|use(State|Effect|Ref|LayoutEffect|Reducer|SyncExternalStore))\b[^}]*\} from 'react'/m

/** Packages that have no part in what browsers load. */
const OF_THE_SERVER = new Set([
  ...['@electric-sql/pglite', '@node-rs/argon2', '@simplewebauthn/server', 'busboy', 'cloudinary'],
  ...['cockatiel', 'drizzle-orm', 'jose', 'next/headers', 'pg', 'pino', 'postgres', 'prom-client'],
  ...['nodemailer', 're2js', 'resend', 'sharp', 'tar', 'yazl'],
])

/**
 * Where the console's server tree ends, and what is beyond: a file says `use client` if the server renders it as a part of a page,
 * and none that browsers load comes to a module of Node or of the server's packages.
 */
export function checkBrowser(root) {
  const files = new Map(sources(root).map((file) => [file, read(root, file)]))
  const isClient = (file) => files.get(file)?.isClient ?? false
  const entries = [...files.keys()].filter((file) => file.startsWith('app/'))
  const server = reach(files, entries, (file) => !isClient(file))
  const bounds = new Set([...server].filter(isClient))
  const idle = [...files.keys()].filter((file) => isClient(file) && !bounds.has(file))
  const browser = reach(files, [...bounds], () => true)
  const faults = [...browser].flatMap((file) =>
    (files.get(file)?.packages ?? [])
      .filter((name) => name.startsWith('node:') || OF_THE_SERVER.has(packageOf(name)))
      .map((name) => `${file} is loaded by browsers and imports ${name}`),
  )
  return [
    ...idle.map((file) => `${file} says 'use client', but no part of the server's tree renders it`),
    ...[...server]
      .filter((file) => !isClient(file) && files.get(file)?.hasState)
      .map((file) => `${file} has state of React's, which the server's tree can't hold`),
    ...faults,
  ]
}

const packageOf = (name) =>
  OF_THE_SERVER.has(name) ? name : name.split('/', name.startsWith('@') ? 2 : 1).join('/')

function read(root, file) {
  const text = readFileSync(join(root, file), 'utf8')
  const loaded = [...text.matchAll(LOADS)].flatMap(([, clause, from, lazily]) =>
    clause && TYPES_ALONE.test(clause.trim()) ? [] : [from ?? lazily],
  )
  const own = loaded.map((name) => [name, resolve(root, file, name)])
  return {
    isClient: /^'use client'/.test(text),
    hasState: STATE.test(text),
    files: own.flatMap(([, found]) => found ?? []),
    packages: own.flatMap(([name, found]) => (found || /^[.@]\//.test(name) ? [] : [name])),
  }
}

/** Files that are loaded from `entries`, these included; those for which `goesOn` is false lead no further. */
function reach(files, entries, goesOn) {
  const found = new Set(entries)
  for (const file of found)
    if (goesOn(file)) for (const next of files.get(file)?.files ?? []) found.add(next)
  return found
}
