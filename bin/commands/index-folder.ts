import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { IndexedArchive } from '@/lib/plugin-index/make-index'
import { EXIT, Failure, type Outcome } from '../failure'
import type { Io } from '../io'
import { counted } from '../report'

type Options = { url?: string; out?: string; name?: string; published?: string }

/** Writes the index of the archives in a folder, for `PLUGIN_INDEX_URL`; the same archives make the same bytes. */
export async function indexFolder(
  io: Io,
  path: string,
  { url, out, name, published }: Options,
): Promise<Outcome> {
  const folder = resolve(io.cwd, path)
  const file = out === undefined ? join(folder, 'index.json') : resolve(io.cwd, out)
  const base = url === undefined ? null : readBase(url)
  // Imported here: the other commands start without the engine's own modules.
  const { makeIndex } = await import('@/lib/plugin-index/make-index')
  const { parseIndex } = await import('@/lib/plugin-index/parse-index')
  const { parseEnv } = await import('@/lib/env')
  const former = existsSync(file) ? parseIndex(await readFile(file)) : null
  const archives: IndexedArchive[] = []
  for (const archive of await archivesIn(folder)) {
    const from = base === null ? relative(dirname(file), join(folder, archive)) : archive
    const address = from.split(sep).map(encodeURIComponent).join('/')
    const url = base === null ? address : new URL(address, base).href
    archives.push({ url, load: () => readFile(join(folder, archive)) })
  }
  const index = await makeIndex(archives, parseEnv({}), {
    ...{ name: name ?? former?.name ?? undefined, former },
    publishedAt: published === undefined ? undefined : readTime(published),
  })
  await writeFile(file, `${JSON.stringify(index, null, 2)}\n`)
  return {
    lines: [
      ...index.plugins.map(
        ({ id, versions }) => `${id} ${versions.map(({ version }) => version).join(', ')}`,
      ),
      `${file}: ${counted(index.plugins.length, 'plugin')}, ${counted(archives.length, 'archive')}`,
    ],
    json: { file, plugins: index.plugins.length, archives: archives.length },
  }
}

async function archivesIn(folder: string): Promise<string[]> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.zip'))
  if (paths.length > 0) return paths.sort()
  throw new Failure(`${folder} has no archive (.zip); make one with "engine pack"`, EXIT.usage)
}

function readBase(url: string): URL {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
    return new URL(url.endsWith('/') ? url : `${url}/`)
  throw new Failure('--url must be like https://plugins.example.com/', EXIT.usage)
}

function readTime(text: string): string {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw new Failure('--published must be a time such as 2030-01-31T12:00:00Z', EXIT.usage)
}
