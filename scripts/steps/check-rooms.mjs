import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf } from '../structure/sources.mjs'

const SOURCE = /\.(ts|tsx|mjs)$/
const TEST = /\.test\.tsx?$|^lib\/testing\//
/** Shapes that cross the wire, which everyone may import. */
const SHAPE = /^lib\/[^/]+\/([a-z]+-)?(contract|status)\.ts$/
const PUBLIC_FOLDER = /^lib\/db\/schema\//

/**
 * What is wrong with the imports between the rooms of `lib`, type imports included: a room imports
 * from those above it in the list of ARCHITECTURE.md, and another room's root files alone. Only the list of layers and
 * other layers import one.
 */
export function checkRooms(root) {
  const rules = roomRules(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))
  const files = ['app', 'components', 'lib', 'scripts', 'bench'].flatMap((folder) =>
    list(root, folder),
  )
  const faults = files
    .filter((file) => !TEST.test(file))
    .flatMap((file) => importsOf(root, file).map((target) => faultOf(rules, file, target)))
  const rooms = new Set(files.map(roomOf).filter((room) => room !== null))
  const unlisted = [...rooms].filter((room) => !rules.order.includes(room) && room !== 'testing')
  return [
    ...unlisted.map((room) => `lib/${room} is not in the list of rooms in ARCHITECTURE.md`),
    ...faults.filter((fault) => fault !== null),
  ]
}

function faultOf({ order, layers }, file, target) {
  const [from, to] = [roomOf(file), roomOf(target)]
  if (to === null || to === from || TEST.test(target)) return null
  if (/^lib\/[^/]+\/[^/]+\//.test(target) && !PUBLIC_FOLDER.test(target))
    return `${file} imports ${target}, which is private to its room`
  if (SHAPE.test(target)) return null
  if (from !== null && order.indexOf(to) > order.indexOf(from))
    return `${file} imports ${target}, which stands on it`
  if (from !== null && layers.has(to) && !layers.has(from) && !MAY_NAME_LAYERS.has(from))
    return `${file} of the core imports ${target} of a layer`
  return null
}

/** What composes the process, besides the list itself. */
const MAY_NAME_LAYERS = new Set(['layers', 'runtime'])

/** The names in the code block after the heading "Rooms", in their order, and those that are layers. */
export function roomRules(text) {
  const block = /## Rooms[\s\S]*?```\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  const rooms = [...block.matchAll(/^(?:lib\/)?([a-z-]+)(?: +(layer:)?|$)/gm)]
  const layers = rooms.filter(([, name, mark]) => mark || name === 'layers').map(([, name]) => name)
  return { order: rooms.map(([, name]) => name), layers: new Set(layers) }
}

/** A folder of `lib`, or one of its own files; null outside. */
export const roomOf = (file) => /^lib\/([a-z-]+)/.exec(file)?.[1] ?? null

const list = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((name) => SOURCE.test(name) && statSync(join(root, name)).isFile())
