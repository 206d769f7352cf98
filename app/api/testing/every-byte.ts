import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { sessionOf } from '@/lib/backup/open-session'
import { writeBackup } from '@/lib/backup/write-backup'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { testsOnCitus } from '@/lib/testing/deps'

/** Where one of `tokens` is, in any case: tables of all schemas, files of the data folder, and a backup made now. */
export async function placesOf(deps: Deps, tokens: readonly string[]): Promise<string[]> {
  const stored = [...(await files(deps.settings.DATA_DIR)), ...(await backup(deps))]
  return [...(await tablesOf(deps, tokens)), ...holding(stored, tokens)]
}

/** The same of tables alone. */
export const tablesOf = async (deps: Deps, tokens: readonly string[]): Promise<string[]> =>
  holding(await tables(deps), tokens)

type Place = { place: string; text: string }

const holding = (places: readonly Place[], tokens: readonly string[]): string[] =>
  places.flatMap(({ place, text }) => {
    const found = tokens.filter((token) => text.toLowerCase().includes(token.toLowerCase()))
    return found.length > 0 ? [`${place}: ${found.join(', ')}`] : []
  })

async function tables({ db }: Deps): Promise<Place[]> {
  const named = await rows<{ name: string }>(
    db,
    sql`select c.oid::regclass::text as name from pg_class as c
      where c.relkind = 'r' and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema|columnar)' order by 1`,
  )
  const places: Place[] = []
  for (const { name } of named) {
    // Bytes as text, so that files in a table are searched, too.
    const query = sql`select coalesce(string_agg(encode(convert_to(t::text, 'UTF8'), 'escape'), ' '), '') as text,
      coalesce(string_agg((select string_agg(encode(decode(substr(v #>> '{}', 3), 'hex'), 'escape'), ' ')
        from jsonb_each(to_jsonb(t.*)) as e(k, v) where v #>> '{}' ~ '^\\\\x([0-9a-f]{2})+$'), ' '), '') as bytes
      from ${sql.raw(name)} as t`
    const [found] = await rows<{ text: string; bytes: string }>(db, query)
    places.push({ place: name, text: `${found?.text} ${found?.bytes}` })
  }
  return places
}

async function files(folder: string, name = 'files'): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name))
  return Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(path)
      const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
      return { place: `${name} ${path.slice(folder.length)}`, text }
    }),
  )
}

/** Clusters are backed up by other means. */
async function backup(deps: Deps): Promise<Place[]> {
  if (testsOnCitus()) return []
  const folder = await mkdtemp(join(tmpdir(), 'engine-erasure-'))
  const session = await sessionOf(deps)
  try {
    await writeBackup({ session, dataDir: deps.settings.DATA_DIR, secret: null }, folder)
  } finally {
    await session.close()
  }
  const found = await files(folder, 'backup')
  await rm(folder, { recursive: true })
  return found
}
