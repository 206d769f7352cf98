/**
 * `npm run measure:structure`: prints how large the code is and how many files a request passes, as a table in Markdown.
 * A walk is counted by V8's precise coverage of the real handlers: files of which a function runs in a warm request, and
 * imports between folders among them. The core alone is what the routes of `structure/core.mjs` import without the list of layers.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bin, ROOT, run } from './steps/run.mjs'
import { partFiles } from './structure/core.mjs'
import { lines, sources } from './structure/sources.mjs'

const LONG = 120

const [alone, all] = [await countWalks({ TEST_LAYERS: 'none' }), await countWalks({})]
const parts = partFiles(ROOT)
const files = sources(ROOT).map((file) => ({ file, lines: lines(ROOT, file) }))
const sorted = files.map((one) => one.lines).sort((a, b) => a - b)
const packages = Object.keys(
  JSON.parse(readFileSync(join(ROOT, 'node_modules/.package-lock.json'), 'utf8')).packages,
)
const table = [
  ...Object.keys(all).flatMap((name) => [
    [`files that ${name} passes; imports between folders among them`, toWalk(all[name])],
    [`the same in the core alone`, toWalk(alone[name])],
  ]),
  ['files and lines of the core alone', toSize(parts.core)],
  ['files and lines that only layers add', toSize(parts.layers)],
  ['production files', files.length],
  ['production lines', sorted.reduce((sum, count) => sum + count, 0)],
  ['lines of a file: median, 90th percentile', `${at(0.5)}, ${at(0.9)}`],
  [`files of more than ${LONG} lines`, sorted.filter((count) => count > LONG).length],
  ['packages', packages.length],
]
process.stdout.write(['| measure | value |', '|---|---|', ...table.map(toRow), ''].join('\n'))

function toWalk({ files, changes }) {
  return `${files.length}; ${changes}`
}

function toSize(paths) {
  const sum = paths.reduce((total, file) => total + lines(ROOT, file), 0)
  return `${paths.length}; ${sum.toLocaleString('en')}`
}

function at(part) {
  return sorted[Math.floor(part * sorted.length)]
}

function toRow([name, value]) {
  return `| ${name} | ${typeof value === 'number' ? value.toLocaleString('en') : value} |`
}

/** @returns {Promise<Record<string, { files: string[], changes: number }>>} */
async function countWalks(layers) {
  const folder = mkdtempSync(join(tmpdir(), 'engine-walks-'))
  const file = join(folder, 'walks.json')
  try {
    const command = ['run', '--config', 'scripts/structure/vitest.config.ts', '--reporter=dot']
    const env = { WALKS_FILE: file, TEST_DATABASE_URL: '', ...layers }
    const code = await run(process.execPath, [bin('vitest/vitest.mjs'), ...command], {
      env,
      quiet: true,
    })
    if (code !== 0)
      throw new Error(
        'The walks failed: npx vitest run --config scripts/structure/vitest.config.ts',
      )
    return JSON.parse(readFileSync(file, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
