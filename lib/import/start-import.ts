import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { and, inArray, isNull, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { ownedBy, ownerOf } from '@/lib/auth/owner'
import type { Actor } from '@/lib/auth/rights'
import { type ImportRow, imports } from '@/lib/db/schema'
import { type Db, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { stopping } from '@/lib/stopping'
import type { ImportQuery } from './contract'
import { runImport } from './jobs/run-import'
import { recordRunning } from './jobs/running'
import { afterDays, afterLease, findImport, type Held } from './jobs/store'
import { type OpenRequest, openImport } from './open-import'

/** Its file is removed when the import is over, also by a throw. */
export type ImportRequest = OpenRequest & { query: ImportQuery; bytes: number; requestId: string }

export type StartedImport = {
  row: ImportRow
  /** Resolves with the import as it ended; null when it was deleted meanwhile. */
  done: Promise<ImportRow | null>
}

/**
 * Begins to import a file; it goes on without the request. Throws `forbidden`, `not_found`, and `invalid_input` for a file of which the
 * first line can't be read or belongs to no fields.
 */
export async function startImport(deps: Deps, request: ImportRequest): Promise<StartedImport> {
  try {
    return await start(deps, request)
  } catch (error) {
    await rm(request.path, { force: true })
    throw error
  }
}

async function start(deps: Deps, request: ImportRequest): Promise<StartedImport> {
  const { query, path, actor, requestId } = request
  const { source, columns, key } = await openImport(deps, request)
  const holder = randomUUID()
  const row = await deps.db.transaction((tx) =>
    insert(tx, request, { format: source.format, columns, key, holder }),
  )
  const plan = {
    ...{ mode: query.mode, key, columns, actor, isDryRun: query.dryRun, rules: null },
    ignoresUnknown: query.unknownColumns === 'ignore',
  }
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, stopping()])
  const forget = recordRunning(row.id, { ownerId: actor.userId ?? actor.id, stop })
  const work = { path, source, plan, actor, requestId, undo: query.undo }
  const done = runImport(deps, row as Held, work, { stop, signal })
    .then(() => findImport(deps.db, row.id))
    .then((ended) => ended && asEnded(ended))
    .finally(forget)
  return { row, done }
}

/** Whoever cancels it may not have recorded that yet. */
const asEnded = (row: ImportRow): ImportRow =>
  row.holder === null ? row : { ...row, status: 'CANCELLED', holder: null }

type Made = Pick<ImportRow, 'format' | 'columns' | 'key'> & { holder: string }

async function insert(tx: Db, request: ImportRequest, made: Made): Promise<ImportRow> {
  const { entityName: entity, fileName, bytes, query, actor, requestId } = request
  await dropOldest(tx, actor)
  const { mode, dryRun: isDryRun, partial: isPartial } = query
  const row = one(
    await tx
      .insert(imports)
      .values({
        ...{ ...ownerOf(actor), createdBy: actor.name, entity, fileName, ...made },
        ...{
          mode,
          isDryRun,
          isPartial,
          totalBytes: bytes,
          dueAt: afterLease,
          expiresAt: afterDays,
        },
      })
      .returning(),
  )
  // A dry run changes nothing, and the console makes one of each choice.
  if (!isDryRun)
    await recordAudit(tx, actor, {
      ...{ action: 'imports.create', objectType: entity, requestId },
      details: { import: row.id, file: fileName, mode },
    })
  return row
}

/** The list of a user keeps so many, with their refused rows. */
const MAX_IMPORTS = 50

async function dropOldest(tx: Db, actor: Actor): Promise<void> {
  const over = tx
    .select({ id: imports.id })
    .from(imports)
    .where(and(ownedBy(imports, actor), isNull(imports.holder)))
    .orderBy(sql`${imports.createdAt} desc`)
    .offset(MAX_IMPORTS - 1)
  await tx.delete(imports).where(inArray(imports.id, over))
}
