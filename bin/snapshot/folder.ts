import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { SETTINGS_FILES } from '@/lib/promotion/settings-kinds'
import { type Files, FORMAT, HEAD, type Scope } from '@/lib/promotion/take-snapshot'
import { EXIT, Failure } from '../failure'

const OWN = [HEAD, 'plugins', ...SETTINGS_FILES.map(({ name }) => name)]

/** The files of the snapshot in a folder; others beside them, such as a README, are not its own. */
export async function readFolder(folder: string): Promise<Files> {
  if (!existsSync(folder)) throw new Failure(`There is no folder ${folder}`, EXIT.usage)
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name).slice(folder.length + 1) }))
    .map(({ entry, path }) => ({ entry, path: path.split(sep).join('/') }))
    .filter(({ path }) => OWN.includes(path.split('/')[0] ?? ''))
  // What is written or read by them would be elsewhere.
  const link = entries.find(({ entry }) => entry.isSymbolicLink())
  if (link) throw new Failure(`${join(folder, link.path)} is a link, which no snapshot has`)
  const paths = entries.filter(({ entry }) => entry.isFile()).map(({ path }) => path)
  const files = new Map<string, Uint8Array>()
  for (const path of paths.sort()) files.set(path, await readFile(join(folder, path)))
  return files
}

/** Takes the place of the snapshot that is there; files that stay the same are not written. */
export async function writeFolder(folder: string, files: Files): Promise<void> {
  await mkdir(folder, { recursive: true })
  const isOther = !existsSync(join(folder, HEAD)) && (await readdir(folder)).some(isOwn)
  if (isOther)
    throw new Failure(
      `${folder} has files that are of no snapshot: choose another folder`,
      EXIT.usage,
    )
  const former = await readFolder(folder)
  // Its head is written first, so that a folder that is written in part can be written again.
  for (const [path, bytes] of files) {
    const known = former.get(path)
    if (known && Buffer.from(known).equals(bytes)) continue
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
  for (const path of former.keys()) if (!files.has(path)) await rm(join(folder, path))
}

const isOwn = (name: string) => OWN.includes(name)

/** The scope of the snapshot in a folder with these files. Throws `Failure` when it is none. */
export function scopeOf(files: Files, folder: string): Scope {
  try {
    const head = JSON.parse(Buffer.from(files.get(HEAD) ?? '').toString())
    const { snapshot, records, entities = null } = head as Scope & { snapshot: number }
    if (snapshot === FORMAT && isScope({ records, entities })) return { records, entities }
    if (snapshot === FORMAT) throw new Failure(`${join(folder, HEAD)} is damaged`)
    throw new Failure(
      `${folder} is a snapshot of the format ${snapshot}; this engine reads ${FORMAT}`,
    )
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(
      `${folder} is no snapshot: it has no ${HEAD}; make one with "engine snapshot"`,
    )
  }
}

const isScope = ({ records, entities }: { records: unknown; entities: unknown }): boolean =>
  (records === 'all' || records === 'none') &&
  (entities === null ||
    (Array.isArray(entities) && entities.every((name) => typeof name === 'string')))
