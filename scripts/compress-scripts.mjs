// Compresses the console's scripts and styles once, beside each file: Brotli saves a sixth of what gzip leaves, and takes too
// long to do it for each request (`lib/server/compressed-files.ts` sends them).
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'

const FOLDER = join(import.meta.dirname, '..', '.next', 'static')
const compress = promisify(brotliCompress)

const names = readdirSync(FOLDER, { recursive: true }).filter((name) => /\.(js|css)$/.test(name))
await Promise.all(
  names.map(async (name) => {
    const file = join(FOLDER, name)
    await writeFile(`${file}.br`, await compress(await readFile(file)))
  }),
)
