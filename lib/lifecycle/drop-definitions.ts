import { eq } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import type { DefinitionName } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { insertFileReports } from '@/lib/installs/file-report'
import type { InstallPreview } from '@/lib/installs/plan-contract'
import { markingPolicies } from '@/lib/policies/mark-invalid'
import { DEFINITION_TABLES } from '@/lib/registry/definition-tables'
import { definitionTransaction } from '@/lib/tables/definition-transaction'
import { readDefinition, recordDefinition } from './changes/record-definitions'
import { forgetDefined, moveToTrash } from './remove-definitions'
import {
  type DescribedPart,
  describePart,
  REPORTED_AS,
  reportOf,
  requireRemovable,
} from './uninstall/describe-part'
import { loadPart, namesIn, type Planned } from './uninstall/part-removal'
import { lockTables } from './uninstall/removal'

/** Definitions that the next version of a plugin no longer has; `planned`: others that it changes. */
export type Dropping = { plugin: string; names: readonly DefinitionName[]; planned: Planned }

/** The plan of an install with what it removes. Throws as `describePart` does. */
export async function withDropped(
  { db }: Pick<Deps, 'db'>,
  preview: InstallPreview,
  dropping: Dropping,
  actor: Actor,
): Promise<InstallPreview> {
  const found = await describePart(db, { ...dropping, actor })
  const file = reportOf(found, changesOf(found))
  const isBlocked = file.status === 'failed'
  return {
    ...preview,
    ...(isBlocked ? { status: 'FAILED' } : {}),
    totalFiles: preview.totalFiles + 1,
    successCount: preview.successCount + (isBlocked ? 0 : 1),
    failedCount: preview.failedCount + (isBlocked ? 1 : 0),
    warningCount: preview.warningCount + file.warnings.length,
    seal: `${preview.seal}${BETWEEN}${found.seal}`,
    files: [...preview.files, file],
  }
}

/** Between the seal of an install and that of what it removes. */
const BETWEEN = '~'

type Dropped = { requestId: string; seal?: string | undefined }
type Install = { id: number; actor: Actor }

/**
 * The seal of the install, and what is to be done in its transaction: entities go to the trash, and with them whatever else
 * is removed; without entities, definitions go as a change of the install, which its rollback undoes.
 */
export function dropWith({ settings }: Deps, dropping: Dropping, asked: Dropped) {
  const [seal, expected] = asked.seal?.split(BETWEEN) ?? []
  const isSealed = asked.seal !== undefined
  const drop = async (tx: Db, { id, actor }: Install) => {
    const { plugin, names } = dropping
    await lockTables(tx, (await loadPart(tx, plugin, names)).removal.entities)
    const found = await describePart(tx, { plugin, names, actor })
    requireRemovable(found, !isSealed || expected === found.seal)
    if (found.removal.entities.length > 0)
      await moveToTrash(tx, found, { ...asked, actor, days: settings.TRASH_DAYS })
    else await takeOut(tx, found, id)
    await forgetDefined(tx, found)
    await insertFileReports(tx, id, [reportOf(found, changesOf(found))])
  }
  return {
    ...(isSealed ? { seal: seal ?? '' } : {}),
    also: {
      path: REPORTED_AS,
      run: (tx: Db, install: Install) =>
        definitionTransaction(tx, async (inner) => {
          await markingPolicies(inner, () => drop(inner, install))
        }),
    },
  }
}

async function takeOut(tx: Db, { removal }: DescribedPart, installId: number): Promise<void> {
  for (const { kind, name } of namesIn(removal)) {
    const before = await readDefinition(tx, kind, [name])
    const table = DEFINITION_TABLES[kind]
    await tx.delete(table).where(eq(table.name, name))
    await recordDefinition(tx, installId, kind, name, before)
  }
}

function changesOf({ removal, counts }: DescribedPart): string[] {
  const hasTables = removal.entities.length > 0
  return namesIn(removal).map(({ kind, name }) =>
    hasTables
      ? `Move the ${kind} ${name}${kind === 'entity' ? ` with its records (${counts.get(name)?.value ?? 0})` : ''} to the trash`
      : `Remove the ${kind} ${name}`,
  )
}
