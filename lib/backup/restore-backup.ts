import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ClientBase, escapeIdentifier } from 'pg'
import type { AppSecret } from '@/lib/crypto/derive-key'
import { applyLaterMigrations, applyMigrationsUpTo, lastMigration } from '@/lib/db/migrations'
import type { CheckedBackup } from './check-backup'
import { checkStatements } from './check-statements'
import { type Manifest, type Structure, structureSchema } from './contract'
import { objectsFolder } from './copy-images'
import { ENGINE_SCHEMAS, hasEngine, listEntityTables } from './list-tables'
import { loadRows } from './load-rows'
import { takeNewServer } from './new-server'
import { requireNoServers, requirePlainServer, type Session } from './open-session'
import { withOperatorsHere } from './operators-here'
import { nameOf } from './read-structure'
import { fingerprint } from './write-backup'

export type Target = { session: Session; dataDir: string; secret: AppSecret | null }

/**
 * What becomes of what the target has: it must be `nothing`, it is removed (`replace`), or the target is a server that runs and has no
 * users yet, whose tables are brought up to date in the same transaction (`new-server`).
 */
type Former = 'nothing' | 'replace' | 'new-server'

/**
 * Brings back what a backup holds, in one transaction: all of it or nothing. Images are copied before it is committed; those
 * that are there stay. `atEnd` runs in the same transaction. Returns warnings. Throws an `Error` that says what is in the way.
 */
export async function restoreBackup(
  target: Target,
  { folder, manifest }: CheckedBackup,
  former: Former,
  atEnd: (client: ClientBase) => Promise<void> = async () => {},
): Promise<string[]> {
  const { session, dataDir } = target
  const { client } = session
  requireKnownVersion(manifest)
  await requirePlainServer(client)
  await client.query('begin')
  try {
    await makeRoom(session, former)
    await applyMigrationsUpTo(client, manifest.schemaVersion)
    await client.query(`set local search_path = ''`)
    const structure = await readStructureOf(folder, manifest)
    if (former === 'new-server') await checkStatements(client, manifest, structure)
    await loadAll(session, manifest, structure, folder)
    await client.query('set local search_path = default')
    if (former === 'new-server') await applyLaterMigrations(client, manifest.schemaVersion)
    await placeImages(folder, manifest, dataDir)
    await atEnd(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
  await client.query('analyze')
  return warningsOf(manifest, target.secret)
}

function requireKnownVersion({ schemaVersion }: Manifest): void {
  if (schemaVersion > lastMigration())
    throw new Error('The backup is of a later version of Engine: restore it with that version')
}

async function makeRoom(session: Session, former: Former): Promise<void> {
  const { client } = session
  await (former === 'new-server' ? takeNewServer(client) : requireNoServers(session))
  if (!(await hasEngine(client))) return
  if (former === 'nothing')
    throw new Error(
      'The database is not empty. Back it up, then add --replace to remove what it holds and restore in its place',
    )
  await dropAll(client)
}

async function readStructureOf(folder: string, { structure }: Manifest): Promise<Structure> {
  return structureSchema.parse(JSON.parse(await readFile(join(folder, structure.path), 'utf8')))
}

async function loadAll(
  session: Session,
  { tables, sequences }: Manifest,
  structure: Structure,
  folder: string,
): Promise<void> {
  const { client } = session
  for (const statement of structure.before) await run(client, statement)
  for (const table of tables) await loadRows(session, table, folder)
  for (const { value, isCalled, ...sequence } of sequences)
    await client.query('select pg_catalog.setval($1::regclass, $2, $3)', [
      nameOf(sequence),
      value,
      isCalled,
    ])
  for (const statement of await withOperatorsHere(client, structure.after))
    await run(client, statement)
}

/** By the protocol that takes one statement alone. */
const run = (client: ClientBase, text: string) =>
  client.query({ text, queryMode: 'extended' } as { text: string })

/** Objects are never changed under the same key, so one that is there is the same. */
async function placeImages(folder: string, { images }: Manifest, dataDir: string): Promise<void> {
  const root = objectsFolder(dataDir)
  for (const { path, key } of images) {
    if (key.split('/').includes('..')) throw new Error(`${key} leads out of the folder of images`)
    const to = join(root, key)
    await mkdir(dirname(to), { recursive: true })
    const half = `${to}.${process.pid}.half`
    try {
      await copyFile(join(folder, path), half)
      await rename(half, to)
    } finally {
      await rm(half, { force: true })
    }
  }
}

function warningsOf(manifest: Manifest, secret: AppSecret | null): string[] {
  const warnings: string[] = []
  const known = secret && [secret.current, secret.previous].filter((one) => one !== null)
  if (manifest.secret && known && !known.some((one) => fingerprint(one) === manifest.secret))
    warnings.push(
      'NEXTAUTH_SECRET differs from that of the backup: people sign in again, and what was encrypted with it (mails that wait, second factors) can not be read. To keep them, set NEXTAUTH_SECRET_PREVIOUS to the secret of the backup',
    )
  if (manifest.missingImages.length > 0)
    warnings.push(`${manifest.missingImages.length} images had no file when the backup was made`)
  if (manifest.cloudImages > 0)
    warnings.push(`${manifest.cloudImages} images are at Cloudinary, and stay there`)
  return warnings
}

/**
 * Removes the tables of entities and the engine's own schemas. Throws when an object that is not the engine's depends on
 * one of these tables: it would be removed with it.
 */
async function dropAll(client: ClientBase): Promise<void> {
  const tables = await listEntityTables(client)
  if (tables.length > 0) await client.query(`drop table ${tables.map(nameOf).join(', ')}`)
  for (const schema of ENGINE_SCHEMAS)
    await client.query(`drop schema if exists ${escapeIdentifier(schema)} cascade`)
  const { rows } = await client.query<{ schema: string }>(EMPTY, [
    [...new Set(tables.map(({ schema }) => schema))],
  ])
  for (const { schema } of rows) await client.query(`drop schema ${escapeIdentifier(schema)}`)
}

const EMPTY = `
  select nspname as schema from pg_namespace n
  where nspname = any($1) and nspname <> 'public'
    and not exists (select from pg_class where relnamespace = n.oid)
    and not exists (select from pg_proc where pronamespace = n.oid)
    and not exists (select from pg_type where typnamespace = n.oid)`
