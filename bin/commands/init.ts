import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { EXIT, Failure } from '../failure'
import type { Io } from '../io'
import type { Outcome } from '../outcome'
import { starterFiles } from '../starter-files'

type Options = { id?: string; name?: string; entity: string }

/** Writes a plugin with one entity into a new or empty folder. */
export async function init(io: Io, path: string, { id, name, entity }: Options): Promise<Outcome> {
  const folder = resolve(io.cwd, path)
  const isTaken = existsSync(folder) && (await readdir(folder)).some((file) => file[0] !== '.')
  if (isTaken) throw new Failure(`${folder} is not empty; name a new folder`, EXIT.usage)
  if (!/^[A-Za-z_]\w{0,62}$/.test(entity))
    throw new Failure(`--entity takes a name of letters, digits and _, not "${entity}"`, EXIT.usage)
  const given = basename(folder)
  const files = starterFiles({
    id: id ?? `com.example.${slug(given)}`,
    name: name ?? given,
    entity,
    schemas: `${(io.env.ENGINE_URL ?? 'http://localhost:3000').replace(/\/+$/, '')}/schemas`,
  })
  for (const [file, content] of Object.entries(files)) {
    const to = join(folder, file)
    await mkdir(dirname(to), { recursive: true })
    await writeFile(to, `${JSON.stringify(content, null, 2)}\n`)
  }
  const names = Object.keys(files)
  const next = `Next: engine validate ${path}, then engine install ${path}`
  return { lines: [...names, next], json: { folder, files: names } }
}

/** A segment of an id in reverse-domain style. */
const slug = (text: string) =>
  text.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^[-_]+|-+$/g, '') || 'plugin'
