import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { removeBundles } from './bundle-script'
import { dropDatabases, makeDatabaseTemplate } from './database-template'

declare module 'vitest' {
  interface ProvidedContext {
    /** File of an embedded database with all migrations applied. */
    pgliteImage: string
  }
}

const PGLITE = 'node_modules/@electric-sql/pglite/package.json'
const SELF = 'lib/testing/make-pglite-image.ts'
const MIGRATIONS = 'drizzle'
const FOLDER = 'node_modules/.cache/engine'

/** Vitest's global set-up: makes the image once for each set of migrations. Returns what ends it. */
export default async function makePgliteImage(project: TestProject): Promise<() => Promise<void>> {
  removeBundles() // of a run that was killed and had the same process id
  const file = join(FOLDER, `pglite-${fingerprint()}.tar`)
  if (!existsSync(file)) await makeImage(file)
  project.provide('pgliteImage', file)
  const server = process.env.TEST_DATABASE_DIRECT_URL ?? process.env.TEST_DATABASE_URL
  const template = server ? await makeDatabaseTemplate(server) : null
  project.provide('databaseTemplate', template)
  return async () => {
    removeBundles()
    if (template) await dropDatabases(template)
  }
}

/** A hash of everything that determines the image. */
function fingerprint(): string {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  const sources = [...files.sort().map((name) => join(MIGRATIONS, name)), PGLITE, SELF]
  const hash = createHash('sha256')
  for (const file of sources) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** Imports what it needs itself: most runs find the image, and none of them should wait for that. */
async function makeImage(file: string): Promise<void> {
  const { PGlite } = await import('@electric-sql/pglite')
  const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm')
  const { drizzle } = await import('drizzle-orm/pglite')
  const { applyMigrations } = await import('@/lib/db/migrations')
  const client = await PGlite.create({ extensions: { pg_trgm } })
  await applyMigrations(drizzle(client))
  await dropTemplates(client)
  const image = await client.dumpDataDir('none')
  await client.close()
  mkdirSync(FOLDER, { recursive: true })
  for (const name of readdirSync(FOLDER)) removeIfOld(join(FOLDER, name))
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, new Uint8Array(await image.arrayBuffer()))
  renameSync(draft, file) // complete, for another run that reads it at the same time
}

type Client = { exec: (statements: string) => Promise<unknown> }

/** Two databases that are never used: without them, the image loads in three quarters of the time. */
async function dropTemplates(client: Client): Promise<void> {
  await client.exec('update pg_database set datistemplate = false')
  for (const name of ['template0', 'template1']) await client.exec(`drop database ${name}`)
  await client.exec('checkpoint')
}

/** Images of other migrations; a run that started with one may still need it. */
function removeIfOld(file: string): void {
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (age > 3_600_000) rmSync(file, { force: true })
}
