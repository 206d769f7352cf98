import { and, arrayOverlaps, eq } from 'drizzle-orm'
import type { Definition, Definitions } from '@/lib/archives/plugin-file'
import { FileFailure } from '@/lib/archives/plugin-file'
import { pluginRecords, policies, type RecordCounts } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { baseDepth } from '@/lib/definitions/base-depth'
import { DefinitionError } from '@/lib/definitions/definition-error'
import type { RoleDefinition } from '@/lib/definitions/policy'
import { typesByName } from '@/lib/definitions/resolve-type'
import { NO_RECORDS } from '@/lib/plugins/file-report'
import { noteConverted } from '@/lib/plugins/lifecycle/record-converted'
import {
  noteDefinition,
  noteFollowed,
  readDefinition,
} from '@/lib/plugins/lifecycle/record-definitions'
import { noteGenerated, noteGeneratedIn } from '@/lib/plugins/lifecycle/record-generated'
import { definePolicy, defineRole } from '@/lib/policies/define-policy'
import { defineEntity } from '@/lib/tables/define-entity'
import type { DefineOutcome } from '@/lib/tables/define-outcome'
import { defineSchema } from '@/lib/tables/define-schema'
import { defineType } from '@/lib/tables/define-type'
import { definitionTransaction } from '@/lib/tables/definition-transaction'
import { describeStep } from '@/lib/tables/describe-step'
import { guessRenames } from '@/lib/tables/guess-renames'
import type { FailedDefinitions } from './failed-definitions'
import { guardDefinition } from './guard-definition'
import type { Installer } from './installer-rights'

type Applied = {
  counts: RecordCounts
  changes: string[]
  /** Names of the new entities. */
  created: string[]
}

type DefinitionInstaller = Installer & { installId: number | null; failed: FailedDefinitions }

/**
 * Creates or changes the definitions of one file, as far as the installer may; `counts` are
 * of definitions. Throws `FileFailure`; the caller's transaction makes it all or nothing.
 */
export async function applyDefinitions(
  tx: Db,
  definitions: Definitions,
  installer: DefinitionInstaller,
): Promise<Applied> {
  const applied: Applied = { counts: { ...NO_RECORDS }, changes: [], created: [] }
  for (const [index, definition] of inOrder(definitions)) {
    // In one transaction, so that the rights are checked against the state that the definition changes.
    const { kind, item } = definition
    const { installId } = installer
    const names = [item.name, ...(kind === 'entity' ? (definition.item.renamedFrom ?? []) : [])]
    const before = installId === null ? null : await readDefinition(tx, kind, names)
    if (kind === 'schema') await noteConverted(tx, installer, definition.item)
    const origin = { ...installer, installId: installId ?? 0 }
    const keepGenerated =
      kind === 'schema'
        ? await noteGenerated(tx, origin, definition.item)
        : kind === 'entity'
          ? await noteGeneratedIn(tx, origin, definition.item)
          : null
    const {
      status,
      steps,
      notes,
      followed = [],
    } = await definitionTransaction(tx, (inner) =>
      guardDefinition(inner, installer, definition, () => define(inner, definition, installer)),
    ).catch((error) => at(index, error))
    await keepGenerated?.()
    if (status !== 'unchanged') await noteDefinition(tx, installId, kind, item.name, before)
    for (const former of followed) await noteFollowed(tx, installId, former)
    applied.counts[status]++
    applied.changes.push(...notes, ...guessRenames(steps), ...steps.map(describeStep))
    if (definition.kind !== 'entity' || status !== 'created') continue
    applied.created.push(definition.item.name)
    await forgetRecords(tx, definition.item.name)
  }
  return applied
}

/** What is remembered of an entity of this name that is gone for good; that of one in the trash was put aside. */
const forgetRecords = (tx: Db, name: string) =>
  tx.delete(pluginRecords).where(eq(pluginRecords.entity, name))

/** Numbered as in the file, in the order of processing: types after their bases. */
export function inOrder(definitions: Definitions): [number, Definition][] {
  const numbered = [...definitionsIn(definitions).entries()]
  if (definitions.kind !== 'type') return numbered
  const types = typesByName(definitions.items)
  const depths = definitions.items.map((type) => baseDepth(type, types))
  return numbered.sort(([a], [b]) => (depths[a] ?? 0) - (depths[b] ?? 0))
}

function definitionsIn({ items, ...rest }: Definitions): Definition[] {
  const positionOf = (index: number) =>
    'positions' in rest && rest.positions
      ? { ...rest.positions, at: rest.positions.first + index }
      : undefined
  return items.map((item, index) => ({ ...rest, item, position: positionOf(index) }) as Definition)
}

function define(
  tx: Db,
  definition: Definition,
  { pluginId, failed }: DefinitionInstaller,
): Promise<DefineOutcome> {
  switch (definition.kind) {
    case 'type':
      return defineType(tx, definition.item, pluginId)
    case 'schema':
      return defineSchema(tx, definition.item, pluginId, definition.position)
    case 'entity':
      return defineEntity(tx, definition.item, pluginId, failed.schema, definition.position)
    case 'role':
      return defineRoleAndNote(tx, definition, pluginId)
    case 'policy':
      return definePolicy(tx, definition.item, pluginId)
  }
}

async function defineRoleAndNote(
  tx: Db,
  { item, granted }: Extract<Definition, { kind: 'role' }>,
  pluginId: string,
): Promise<DefineOutcome> {
  const { notes, ...outcome } = await defineRole(tx, item, pluginId)
  return { ...outcome, notes: [...notes, ...(await idleRoleNotes(tx, item, granted))] }
}

function at(index: number, error: unknown): never {
  const indexed = <T extends object>(details: readonly T[]) =>
    details.map((detail) => ({ index, ...detail }))
  if (error instanceof FileFailure)
    throw new FileFailure(error.verdict, indexed(error.details), error.detailCount, error)
  if (!(error instanceof DefinitionError)) throw error
  throw new FileFailure(error.verdict, indexed(error.details), error.count, error)
}

/** Warns when neither the archive nor an installed policy grants a role anything. */
async function idleRoleNotes(
  tx: Db,
  { name }: RoleDefinition,
  grantedByArchive: readonly string[] = [],
): Promise<string[]> {
  const key = name.toLowerCase()
  if (grantedByArchive.some((role) => role === '*' || role === key)) return []
  const [grant] = await tx
    .select({ name: policies.name })
    .from(policies)
    .where(and(eq(policies.allow, true), arrayOverlaps(policies.principals, [key, '*'])))
    .limit(1)
  return grant ? [] : [`The role "${name}" grants nothing: no policy allows it anything`]
}
