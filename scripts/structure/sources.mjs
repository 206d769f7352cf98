import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SOURCE = /\.(ts|tsx|mjs)$/
const TEST = /\.test\.tsx?$|(^|\/)testing\//
const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+|@\/[^']+)'/g

/** Files that run in production: paths from the root, sorted. */
export const sources = (root) =>
  ['app', 'components', 'lib'].flatMap((folder) => list(root, folder)).sort()

const list = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((name) => SOURCE.test(name) && !TEST.test(name))
    .filter((name) => statSync(join(root, name)).isFile())

export const lines = (root, file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1

/** Files that a file imports, types included. */
export function importsOf(root, file) {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(IMPORT)].flatMap(([, name]) => resolve(root, file, name) ?? [])
}

export function resolve(root, file, name) {
  const path = name.startsWith('@/') ? name.slice(2) : join(dirname(file), name)
  return ['', '.ts', '.tsx', '/index.ts']
    .map((end) => path + end)
    .find((one) => SOURCE.test(one) && existsSync(join(root, one)))
}
