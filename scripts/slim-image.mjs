/**
 * Removes from the standalone output of `next build`, and from `dist/`, what no server of an image reads: Next's copies of the API's handlers, which the
 * server of ours has itself, with the chunks that these alone name; source maps; what `db:generate` compares; sizes of fonts.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = process.argv[2] ?? process.cwd()
const STANDALONE = join(root, '.next/standalone')
const SERVER = join(STANDALONE, '.next/server')

for (const path of [
  '.next/server/app/api',
  'node_modules/next/dist/server/capsize-font-metrics.json',
])
  rmSync(join(STANDALONE, path), { recursive: true })
removeFiles(SERVER, unnamedChunks())
removeFiles(join(root, 'dist'), (path) => path.endsWith('.map'))
for (const folder of [root, STANDALONE].map((each) => join(each, 'drizzle')).filter(existsSync))
  removeFiles(folder, (path) => path.endsWith('_snapshot.json'))

/** Chunks that nothing which is left names, directly or by others. */
function unnamedChunks() {
  const isChunk = (path) => path.startsWith('chunks/')
  const files = filesOf(SERVER)
  const chunks = new Map(files.filter(isChunk).map((path) => [basename(path), path]))
  const reached = new Set(files.filter((path) => !isChunk(path)))
  // A set that grows is iterated to its end.
  for (const path of reached) {
    const text = readFileSync(join(SERVER, path), 'utf8')
    for (const [name, chunk] of chunks) if (text.includes(name)) reached.add(chunk)
  }
  return (path) => isChunk(path) && !reached.has(path)
}

function removeFiles(folder, isNeedless) {
  for (const path of filesOf(folder)) if (isNeedless(path)) rmSync(join(folder, path))
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  )
}
