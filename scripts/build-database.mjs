/**
 * Makes the empty database that new folders begin with, in `dist/`: PostgreSQL's own `initdb` takes
 * seconds and hundreds of MiB, which the first start of a server need not have.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { emptyDatabaseFile } from '../lib/db/empty-database.mjs'
import { ROOT } from './steps/run.mjs'

const database = await PGlite.create()
await database.exec('checkpoint')
const content = await database.dumpDataDir('gzip')
await database.close()

// Complete, for a server that starts meanwhile.
const file = join(ROOT, emptyDatabaseFile(ROOT))
const draft = `${file}.${process.pid}`
mkdirSync(dirname(file), { recursive: true })
writeFileSync(draft, new Uint8Array(await content.arrayBuffer()))
renameSync(draft, file)
