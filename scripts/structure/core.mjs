import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { roomOf, roomRules } from '../steps/check-rooms.mjs'
import { importsOf } from './sources.mjs'

/** Routes of what the core is for: definitions, installs, records, searches, users and their rights, images. */
const ROUTES = [
  'auth/[...nextauth]',
  'auth/setup',
  'entities',
  'entities/[entityName]',
  'entities/[entityName]/[id]',
  'entities/[entityName]/batch',
  'entities/[entityName]/count',
  'entities/[entityName]/search',
  'images',
  'images/[fileId]',
  'images/files/[...path]',
  'images/search',
  'images/upload',
  'plugins/install/zip',
  'users',
  'users/[userId]',
  'users/me',
  'users/me/password',
]

const LIST = 'lib/layers.ts'

/** The files with which the core works alone, and those that only layers add. */
export function partFiles(root) {
  const routes = ROUTES.map((path) => `app/api/${path}/route.ts`)
  const missing = routes.filter((file) => !existsSync(join(root, file)))
  if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')}`)
  const core = reach(root, routes, new Set([LIST]))
  core.delete(LIST)
  const layers = reach(root, [LIST], core)
  return { core: [...core].sort(), layers: [...layers].filter((file) => !core.has(file)).sort() }
}

/** Files of rooms that ARCHITECTURE.md marks as layers, and of `lib/layers`. */
export function isOfLayer(root) {
  const { layers } = roomRules(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))
  return (file) => layers.has(roomOf(file))
}

/** What `from` imports, types included, directly or not, without what is behind `ends`. */
function reach(root, from, ends) {
  const found = new Set(from)
  for (const file of found)
    if (!ends.has(file)) for (const target of importsOf(root, file)) found.add(target)
  return found
}
